import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from './support/question.ts';
import { blocksOf, HEAVY_TITLES, RECIPES, useRecipeFolder } from './support/recipes.ts';

const recipes = useRecipeFolder();

/** The recipes that a test runs, each under its title. */
const TITLES = {
  cron: 'cron: a log that grows every night',
  pictures: 'A wind rose, and what the pictures show',
  /** Run by test/recipes.slow.test.ts. */
  ...HEAVY_TITLES,
  /** Run by test/server/nginx.test.ts. */
  nginx: 'nginx in front of the cache server',
  /** Run by test/formats/parquet-duckdb.test.ts. */
  parquet: 'DuckDB: means by station and year',
  /** Run by test/documents.test.ts. */
  stats: 'A card, a rose, and the days on which one can ride',
  /** Run by test/documents.test.ts and test/e2e/every.test.ts. */
  every: 'Steps of minutes to months, and how complete an export is',
  /** Run by test/statistics/sql.slow.test.ts. */
  statistics: 'DuckDB and Spark: the statistics of vane stats',
  /** Run by test/e2e/systems.test.ts. */
  phone: 'ntfy: a message on the phone when the wind is right',
  hooks: 'Telegram, Slack and Home Assistant: messages and readings by webhook',
  /** Run by test/e2e/systems.slow.test.ts. */
  influx: 'InfluxDB and Grafana: history and new readings',
  prometheus: 'Prometheus and Grafana: the latest readings',
  /** Run by test/e2e/serve.test.ts. */
  embedding: 'Pictures for other pages',
  /** Held by test/documents.test.ts. */
  variables: 'Variables that vane reads',
};

it('each recipe of README.md is run by a test', () => {
  expect([...RECIPES.keys()].sort()).toEqual(Object.values(TITLES).sort());
});

it('the commands of README.md that draw pictures write the files that they name', async () => {
  const { folder, env } = recipes;
  const archive = 'vane archive 110 --start 2024-01-01 --stop 2024-01-04 -o station-110.csv.gz';
  const [recipe = ''] = blocksOf(TITLES.pictures, 'sh');
  // Days instead of a month and a year, of which the simulated network would make 140,000 readings.
  const lines = recipe
    .replace('--start 2026-05 --stop 2026-06', '--start 2026-05-29 --stop 2026-06')
    .replace('--start 2024 --stop 2025', '--start 2024-12-29 --stop 2025');
  // In this process, which draws five pictures sooner than five programs do.
  for (const line of [archive, ...lines.trim().split('\n')]) {
    const command = line
      .replace(/^vane /, '')
      .replace(/ (-o|--from) /g, (option) => `${option}${folder}/`);
    const { exitCode, stderr } = await runHere(command, { env, now: Date.now() });
    expect(exitCode, stderr).toBe(0);
  }
  const files = await readdir(folder);
  expect(files).toEqual(expect.arrayContaining(['rose.svg', 'rideable.html', 'gusts.png']));
});

it('the crontab line of README.md has a time, and its command adds no row twice on two nights', async () => {
  const { folder, sh, adapt } = recipes;
  const [line = ''] = blocksOf(TITLES.cron, 'crontab');
  const [, time, command = ''] = /^((?:[\d*,/-]+ ){5})([^%]+)\n$/.exec(line) ?? [];
  expect(time).toBe('15 3 * * * ');
  const brief = adapt(command).replace('2024-01-30', '4d');
  for (let night = 0; night < 2; night++) await sh(brief);
  const [license, , names, , ...rows] = (await readFile(join(folder, '110.csv'), 'utf8')).split(
    '\n',
  );
  expect([license, names]).toEqual([
    expect.stringMatching(/^"License"/),
    expect.stringMatching(/^"time"/),
  ]);
  expect(rows.length).toBeGreaterThan(1000);
  expect(new Set(rows).size).toBe(rows.length);
});
