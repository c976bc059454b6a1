import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../src/server/server.ts';
import { simulatedService } from '../src/service/simulated/simulatedService.ts';
import { PASSWORD, startMosquitto, USER, whyNoMosquitto } from './support/mosquitto.ts';
import { runHere } from './support/question.ts';
import { blocksOf, isMissing, PATH, RECIPES } from './support/recipes.ts';

const BIN = fileURLToPath(new URL('../bin/vane.js', import.meta.url));
let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-recipes-'));
  const service = simulatedService(Date.now);
  server = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
  await mkdir(join(folder, 'bin'));
  const vane = join(folder, 'bin', 'vane');
  await writeFile(vane, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  await chmod(vane, 0o755);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Runs a program in the folder, with vane in its PATH and a service of its own. */
const run = (program: string, ...args: string[]) =>
  execa(program, args, {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${PATH}`,
      VANE_BASE_URL: server.baseUrl,
      VANE_CACHE_DIR: join(folder, 'cache'),
    },
  });

/** A recipe with the test's folder in place of folders of the system. */
const adapt = (text: string): string =>
  text
    .replaceAll('/usr/local/bin', join(folder, 'bin'))
    .replaceAll(/\/(srv\/wind|var\/log\/vane)/g, folder);

/** The recipes that a test runs, each under its title. */
const TITLES = {
  cron: 'cron: a log that grows every night',
  server: 'systemd: the cache server as a service',
  timer: 'systemd: an export every night',
  homeAssistant: 'Home Assistant: stations as devices, over MQTT',
  logrotate: 'logrotate: the log of the cache server',
  /** Run by test/server/nginx.test.ts. */
  nginx: 'nginx: TLS, or more machines, in front of the cache server',
  /** Run by test/formats/parquet-duckdb.test.ts. */
  parquet: 'DuckDB: means by station and year',
  csv: 'csv in DuckDB, pandas and R',
  /** Run by test/documents.test.ts. */
  stats: 'A card, a rose, and the days on which one can ride',
  /** Run by test/documents.test.ts and test/e2e/every.test.ts. */
  every: 'Steps of hours, days or months, and how complete an export is',
  /** Run by test/statistics/sql.slow.test.ts. */
  statistics: 'DuckDB and Spark: the statistics of vane stats',
  /** Run by test/e2e/systems.test.ts. */
  phone: 'ntfy: a message on the phone when the wind is right',
  hooks: 'Telegram, Slack and Home Assistant: messages and readings by webhook',
  influx: 'InfluxDB and Grafana: history and new readings',
  prometheus: 'Prometheus and Grafana: the latest readings',
  pictures: 'A wind rose, and what the pictures show',
  /** Run by test/e2e/serve.test.ts. */
  embedding: 'Pictures for other pages',
  /** Held by test/documents.test.ts. */
  variables: 'Variables that vane reads',
};

it('each recipe of README.md is run by a test', () => {
  expect([...RECIPES.keys()].sort()).toEqual(Object.values(TITLES).sort());
});

it('the commands of README.md that draw pictures write the files that they name', async () => {
  const archive = 'vane archive 110 --start 2024-01-01 --stop 2024-01-04 -o station-110.csv.gz';
  const [recipe = ''] = blocksOf(TITLES.pictures, 'sh');
  // Days instead of a month and a year, of which the simulated network would make 140,000 readings.
  const lines = recipe
    .replace('--start 2026-05 --stop 2026-06', '--start 2026-05-29 --stop 2026-06')
    .replace('--start 2024 --stop 2025', '--start 2024-12-29 --stop 2025');
  const env = { VANE_BASE_URL: server.baseUrl, VANE_CACHE_DIR: join(folder, 'cache') };
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
  const [line = ''] = blocksOf(TITLES.cron, 'crontab');
  const [, time, command = ''] = /^((?:[\d*,/-]+ ){5})([^%]+)\n$/.exec(line) ?? [];
  expect(time).toBe('15 3 * * * ');
  const brief = adapt(command).replace('2024-01-30', '4d');
  for (let night = 0; night < 2; night++) await run('sh', '-c', brief);
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

it.skipIf(isMissing('systemd', 'systemd-analyze', '--version'))(
  'systemd-analyze finds no fault in the systemd units of README.md',
  async () => {
    const files: string[] = [];
    const titles = [TITLES.server, TITLES.timer, TITLES.homeAssistant];
    for (const unit of titles.flatMap((title) => blocksOf(title, 'ini'))) {
      const [, path = ''] = /^# (\/etc\/systemd\/system\/\S+)\n/.exec(unit) ?? [];
      files.push(join(folder, basename(path)));
      await writeFile(join(folder, basename(path)), adapt(unit));
    }
    expect(files.map((file) => basename(file))).toEqual([
      ...['vane.service', 'vane-export.service', 'vane-export.timer', 'vane-mqtt.service'],
    ]);
    const { stderr } = await run('systemd-analyze', 'verify', '--man=no', ...files);
    expect(stderr).toBe('');
    for (const [, time = ''] of RECIPES.get(TITLES.timer)?.matchAll(/^OnCalendar=(.*)$/gm) ?? []) {
      expect((await run('systemd-analyze', 'calendar', time)).stdout).toContain('03:15:00 UTC');
    }
  },
);

it.skipIf(whyNoMosquitto())(
  'the vane watch command of README.md for Home Assistant announces its stations to an MQTT broker',
  async () => {
    const broker = await startMosquitto();
    const [unit = ''] = blocksOf(TITLES.homeAssistant, 'ini');
    const [, command = ''] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? [];
    const local = adapt(command).replace(
      'vane@homeassistant.local',
      `${USER}@127.0.0.1:${broker.port}`,
    );
    await writeFile(join(folder, 'mqtt'), PASSWORD);
    await run('sh', '-c', `VANE_MQTT_PASSWORD_FILE=mqtt ${local} --count 1`);
    const retained = await broker.retained();
    const [remove = ''] = blocksOf(TITLES.homeAssistant, 'sh');
    const [, topic = ''] = / -t (\S+)\n$/.exec(remove) ?? [];
    expect(JSON.parse(retained[topic] ?? '')).toMatchObject({ state_topic: 'wind/603/state' });
    expect(JSON.parse(retained['wind/603/state'] ?? '')).toMatchObject({ id: 603 });
    await broker.close();
  },
);

it.skipIf(isMissing('logrotate', 'logrotate', '--version'))(
  'logrotate accepts the configuration of README.md, and would rotate access.log',
  async () => {
    const [conf = ''] = blocksOf(TITLES.logrotate, 'conf');
    await writeFile(join(folder, 'logrotate.conf'), adapt(conf), { mode: 0o644 });
    await writeFile(join(folder, 'access.log'), '{}\n');
    // logrotate refuses folders that others may write to; -d only reads.
    const { stderr } = await run(
      'logrotate',
      '-d',
      '-f',
      '-s',
      join(folder, 'state'),
      join(folder, 'logrotate.conf'),
    );
    expect(stderr).not.toMatch(/^error/m);
    expect(stderr).toMatch(/renaming \S+access\.log to \S+access\.log\.1/);
    expect(stderr).toContain('systemctl kill --signal=HUP vane.service');
    expect(await readdir(folder)).not.toContain('access.log.1');
  },
);

describe('the recipe of README.md for csv', () => {
  beforeAll(async () => {
    await run('sh', '-c', blocksOf(TITLES.csv, 'sh').join(''));
  });

  /** DuckDB is optional, since it has 70 MB. */
  const DUCKDB = '@duckdb/node-api';
  const isDuckDbMissing = isMissing('DuckDB', process.execPath, '-e', `require('${DUCKDB}')`);

  it.skipIf(isDuckDbMissing)('lets DuckDB read the speeds as numbers', async () => {
    const { DuckDBInstance } = await import(/* @vite-ignore */ DUCKDB);
    const connection = await (await DuckDBInstance.create()).connect();
    const [statement = ''] = blocksOf(TITLES.csv, 'sql');
    const sql = statement.replace('wind.csv', join(folder, 'wind.csv'));
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
    expect(rows.length).toBeGreaterThanOrEqual(30);
    expect(rows[1]).toMatchObject({ mean: expect.any(Number), gust: expect.any(Number) });
  });

  it.skipIf(isMissing('pandas', 'python3', '-c', 'import pandas'))(
    'lets pandas read the speeds as numbers',
    async () => {
      const { stdout } = await run('python3', '-c', blocksOf(TITLES.csv, 'python').join(''));
      expect(stdout).toMatch(/wind_speed_avg +wind_speed_max/);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d 00:00:00\+00:00 +\d+\.\d+ +\d+\.\d+/);
    },
  );

  it.skipIf(isMissing('R', 'Rscript', '--version'))(
    'lets R read the speeds as numbers',
    async () => {
      const { stdout } = await run('Rscript', '-e', blocksOf(TITLES.csv, 'r').join(''));
      expect(stdout).toMatch(/day wind_speed_avg wind_speed_max/);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d +\d+\.\d+ +\d+\.\d+/);
    },
  );
});
