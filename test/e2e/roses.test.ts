import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import vectors from '../statistics/filtered_roses.json' with { type: 'json' };
import { drawsOf } from '../statistics/support.ts';
import { naming } from '../support/naming.ts';
import { type Outcome, runHere, words } from '../support/question.ts';
import { checkXml } from '../support/strictXml.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
const START_MS = Date.parse('2024-05-01T00:00:00Z');

interface Expected {
  readonly count: number;
  readonly calm: number;
  readonly sectors: readonly (readonly number[])[];
}
type Groups = Readonly<Record<string, Expected>>;

/** The readings of filtered_roses.py as a file. */
function fileOf(): string {
  const next = drawsOf(5);
  const quarter = (speed: number) => Math.round(4 * speed) / 4;
  const rows = Array.from({ length: 5000 }, (_, place) => {
    const [speed, turn, gust] = [next(), next(), next()];
    const avg = quarter(Math.max(0, 45 * speed ** 2 - 1));
    return [
      new Date(START_MS + place * 7_800_000).toISOString(),
      quarter(avg * gust),
      place % 11 === 5 ? '' : avg,
      place % 13 === 6 ? '' : quarter(avg * (1 + gust)),
      place % 7 === 3 ? '' : 10 * Math.floor(36 * turn ** 2),
    ];
  });
  const head = 'time,wind_speed_min,wind_speed_avg,wind_speed_max,wind_heading';
  return [head, ...rows.map((row) => row.join()), ''].join('\n');
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-roses-'));
  await writeFile(join(folder, 'wind.csv'), fileOf());
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the built program on the file. */
async function program(line: string): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await execaNode(BIN, words(`${line} --from wind.csv`), {
    ...{ cwd: folder, reject: false, stripFinalNewline: false },
    env: { LC_ALL: 'C.UTF-8', VANE_CACHE_DIR: join(folder, 'cache') },
  });
  return { exitCode, stdout, stderr };
}

/** Runs vane on the file in this process. */
const vane = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runHere(`${line} --from ${join(folder, 'wind.csv')}`, {
    env: { LC_ALL: 'C.UTF-8', ...env },
    now: Date.parse('2026-01-01T00:00:00Z'),
  });

type Row = Readonly<Record<string, number | null>>;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const NONE: Expected = { count: 0, calm: 0, sectors: Array(8).fill([0, 0, 0]) };

/** Compares the nine rows of a rose with the figures of DuckDB, and their sum with 100 %. */
function expectRose(rows: readonly Row[], { count, calm, sectors }: Expected): void {
  const expected = [...sectors, [calm]];
  expect(rows).toHaveLength(expected.length);
  for (const [place, row] of rows.entries()) {
    const shares = expected[place] as readonly number[];
    expect(row.share).toBeCloseTo(sum(shares), 6);
    if (row.sector === null) continue;
    for (const [at, share] of shares.entries()) expect(row[`class_${at}`]).toBeCloseTo(share, 6);
  }
  expect(sum(rows.map(({ share }) => share as number))).toBeCloseTo(count === 0 ? 0 : 100, 9);
}

const ROSE = '--sectors 8 --classes 10,20';

describe.each(vectors)('of the readings where $where in $zone', ({ where, zone, ...groups }) => {
  // A start of the built program takes a while: it computes one of the roses.
  const run = where.startsWith('hour in 10') ? program : vane;
  const only = `--where '${where}' --tz ${zone}`;
  const all: Groups = groups.all;
  const months: Groups = groups.months;
  const seasons: Groups = groups.seasons;

  it('stats --rose has the percentages of DuckDB, whole and by month of the year', async () => {
    const rowsOf = async (by: string): Promise<Row[]> => {
      const { stdout } = await run(`stats --rose ${ROSE} ${only} ${by} -f ndjson -q`);
      const lines = stdout.split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line));
    };
    expectRose(await rowsOf(''), all['0'] ?? NONE);
    const rows = await rowsOf('--by month-of-year');
    for (let month = 1; month <= 12; month++) {
      const own = rows.filter(({ month_of_year }) => month_of_year === month);
      expectRose(own, months[month] ?? NONE);
    }
  });

  it('plot --kind rose --by season has the percentages of DuckDB, and says of how many readings', async () => {
    const { stdout } = await run(`plot --kind rose ${ROSE} ${only} --by season -f html -q`);
    const cells = [...stdout.matchAll(/<tr><th scope="row">(.*)<\/tr>/g)].map(([, row = '']) =>
      row.split(/<[^>]*>/).filter((cell) => cell !== ''),
    );
    const shown = ['DJF', 'MAM', 'JJA', 'SON'].flatMap((name, season) => {
      const { sectors, calm } = seasons[season] ?? NONE;
      const rows = sectors.map((shares) => [name, sum(shares).toFixed(1)]);
      return [...rows, [name, calm.toFixed(1)]];
    });
    expect(cells.map(([name, , total]) => [name, total])).toEqual(shown);
    expect(stdout).toContain(`${(all['0']?.count ?? 0).toLocaleString('en')} of 5,000 readings`);
  });
});

describe('a rose with --where', () => {
  it('names the condition above the table, in full in a pipe and cut in a narrow window', async () => {
    const where = 'avg > 1kn and avg > 1.1kn and avg > 1.2kn and avg > 1.3kn and avg > 1.4kn';
    const line = `stats --rose --where '${where}' -q`;
    const pipe = await vane(line);
    expect(pipe.stdout).toContain(`\nPercentage of readings where ${where}\n`);
    const narrow = (await vane(line, { COLUMNS: '40' })).stdout.split('\n');
    const from = narrow.findIndex((text) => text.startsWith('Percentage'));
    const [first = '', second = '', third] = narrow.slice(from);
    expect(first).toMatch(/ where avg >/);
    expect([second.length <= 40, second.at(-1), third]).toEqual([true, '…', '']);
  });

  it('leaves the coverage that of all readings', async () => {
    const of = async (flags: string) => (await vane(`stats --rose ${flags} --quality all`)).stderr;
    expect(await of("--where 'hour = 3'")).toBe(await of(''));
  });

  it('says on stderr if the condition was never true', async () => {
    const { exitCode, stderr } = await vane("stats --rose --where 'avg > 400kmh'");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(naming('No reading', '--where', '2024-05-01'));
  });

  it('of gusts tests the mean in a condition on the mean', async () => {
    const of = async (where: string) => {
      const line = `plot --kind rose --value gust --where '${where}' -f html -q`;
      return (await vane(line)).stdout.match(/[\d,]+ of 5,000 readings/)?.[0];
    };
    // Every thirteenth reading lacks its gust.
    expect(await of('avg > 30kmh')).not.toBe(await of('gust > 30kmh'));
    expect(await of('avg > 400kmh')).toBe('0 of 5,000 readings');
    expect(await of('avg > 41kmh')).toMatch(/^\d\d\d of/);
  });

  it('draws a picture whose title has the condition as text, not as markup', async () => {
    const { stdout } = await vane("plot --kind rose --where 'avg<5kn && gust>1kn' -f svg -q");
    checkXml(stdout);
    expect(stdout).toContain('wind rose where avg&#60;5kn &#38;&#38; gust&#62;1kn</title>');
  });
});

describe('vane plot --by', () => {
  const panelsOf = (svg: string): string[] =>
    [...svg.matchAll(/<text class="ink b[^>]*>([^<]*)</g)].map(([, text = '']) => text).slice(1);

  it.each([
    ['rose', 'season', ['DJF', 'MAM', 'JJA', 'SON']],
    ['pattern', 'season', ['DJF', 'MAM', 'JJA', 'SON']],
    ['rose', 'month-of-year', 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')],
    ['pattern', 'month-of-year', 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')],
  ])('draws a %s for each %s, over all years', async (kind, by, names) => {
    const { stdout } = await vane(`plot --kind ${kind} --by ${by} -f svg -q`);
    expect(panelsOf(stdout)).toEqual(names);
  });

  it('draws the months of a season in its panel of a pattern, with the numbers of the whole', async () => {
    const rowsOf = async (flags: string): Promise<string[][]> => {
      const { stdout } = await vane(`plot --kind pattern ${flags} -f html -q`);
      return [...stdout.matchAll(/<tr><th scope="row">(.*)<\/tr>/g)].map(([, row = '']) =>
        row.split(/<\/?t[hd][^>]*>/).filter((_, place) => place % 2 === 0),
      );
    };
    const whole = await rowsOf('');
    const parts = await rowsOf('--by season');
    expect(parts.slice(0, 3).map((row) => row.slice(0, 2))).toEqual([
      ['DJF', 'Dec'],
      ['DJF', 'Jan'],
      ['DJF', 'Feb'],
    ]);
    expect(parts.map((row) => row.slice(1))).toEqual([...whole.slice(11), ...whole.slice(0, 11)]);
  });

  it('says that a season has no readings', async () => {
    const line = 'plot --kind rose --by season --start 2024-06-01 --stop 2024-07-01 -f svg -q';
    expect((await vane(line)).stdout.match(/>no readings</g)).toHaveLength(3);
  });

  it.each([
    ['80', 80],
    ['40', 40],
  ])('draws twelve roses in a terminal of %s columns', async (columns, most) => {
    const line = "plot --kind rose --by month-of-year --where 'hour in 10..18' -q --color";
    const env = { COLUMNS: columns, COLORTERM: 'truecolor' };
    const lines = (await vane(line, env)).stdout
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
      .replaceAll(/\u001b\[[\d;]*m/g, '')
      .split('\n');
    expect(Math.max(...lines.map((text) => text.length))).toBeLessThanOrEqual(most);
    expect(lines.join(' ')).toContain('wind rose by month where hour in 10..18');
    const names = lines.flatMap((text) => text.match(/\b[A-Z][a-z]{2}\b/g) ?? []);
    expect(names.join(' ')).toContain('Jan Feb Mar');
  });

  it('draws no panel of a pattern over the cells of another in a terminal of 40 columns', async () => {
    const line = 'plot --kind pattern --by season -q --color';
    const { stdout } = await vane(line, { COLUMNS: '40', LINES: '12', COLORTERM: 'truecolor' });
    for (const name of ['DJF', 'MAM', 'JJA', 'SON']) {
      expect(stdout).toMatch(
        new RegExp(`^(\\u001b\\[[\\d;]*m|[ ])*${name}(\\u001b\\[[\\d;]*m)*$`, 'm'),
      );
    }
  });

  it.each([
    ['--kind series --by season', ['--by', 'rose or pattern', 'series']],
    ['--kind calendar --by season', ['--by', 'rose or pattern', 'calendar']],
    ['--kind rose --by month', ['--by', 'season', 'month-of-year', '“month”']],
    ['--kind rose --where "age < 5m"', ['--where', '“age”']],
    ['1 2 3 4 --kind rose --by season', ['12 panels', '3 stations', '--limit 3', '{station}']],
    ['1 2 --kind rose --by month-of-year', ['12 panels', '1 station', '--limit 1']],
  ])('refuses %s, and names %j', async (line, names) => {
    const { exitCode, stdout, stderr } = await vane(`plot ${line}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(naming(...names));
  });
});
