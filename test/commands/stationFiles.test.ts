import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { vane } from '../support/run.ts';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer([]);
});
afterAll(() => server.close());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (line: string, ...args: string[]) =>
  vane([...line.split(' '), ...args, '--base-url', server.baseUrl]);

const DAY = '--start 2024-01-03 --stop 2024-01-04 -q';

describe.each([
  ['stats', 'csv'],
  ['check', 'json'],
  ['plot', 'svg'],
])('%s -o with a placeholder', (command, format) => {
  it.each(['{station}', '{id}'])(
    `vane ${command} -o %s.${format} writes for each station what vane ${command} prints for that station alone`,
    async (name) => {
      const done = await run(`${command} 110 603 ${DAY}`, '-o', join(folder, `${name}.${format}`));
      expect([done.code, done.err]).toEqual([0, '']);
      expect((await readdir(folder)).sort()).toEqual([`110.${format}`, `603.${format}`]);
      for (const station of [110, 603]) {
        const { out } = await run(`${command} ${station} ${DAY} -f ${format}`);
        expect(await readFile(join(folder, `${station}.${format}`), 'utf8')).toBe(out);
      }
    },
  );

  it(`vane ${command} -o names a file by {name} and {start} of station and period`, async () => {
    const path = join(folder, `{name} {start}.${format}`);
    expect((await run(`${command} 110 ${DAY}`, '-o', path)).code).toBe(0);
    expect(await readdir(folder)).toEqual([`Dune du Pilat 2024-01-03.${format}`]);
  });

  it(`vane ${command} --from -o {station}.${format} writes a file for each station`, async () => {
    const stations = Array.from({ length: 14 }, (_, index) => 100 + index);
    const rows = stations.flatMap((id) => [
      `${id},2024-05-01T00:00Z,5`,
      `${id},2024-05-01T00:10Z,5`,
    ]);
    const stdin = ['station,time,wind_speed_avg', ...rows, ''].join('\n');
    const path = join(folder, `{station}.${format}`);
    const { code } = await vane([command, '--from', '-', '-o', path], { stdin });
    expect(code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(stations.map((id) => `${id}.${format}`));
  });

  it.each([
    ['{year}', /archive --split/],
    ['{stop}', /stations.*\{station\}/],
    ['{sensor}', /\{sensor\}/],
  ])(`vane ${command} -o refuses %s before any request`, async (name, message) => {
    const before = server.requests.length;
    const { code, err } = await run(`${command} 110 603 ${DAY}`, '-o', `${name}.${format}`);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(server.requests).toHaveLength(before);
  });
});

it.each([
  ['stats', 'csv', ['none', 'status500']],
  ['plot', 'svg', ['none', 'none', 'status500']],
] as const)(
  'vane %s --keep-going -o {station} writes no file for a station whose requests fail',
  async (command, format, responses) => {
    const failing = await startFaultyServer([...responses]);
    const options = ['--keep-going', '--concurrency', '1', '--retries', '0'];
    const args = [...options, '-o', join(folder, `{id}.${format}`), '--base-url', failing.baseUrl];
    const { code } = await vane([command, '110', '603', ...DAY.split(' '), ...args]);
    await failing.close();
    expect([code, await readdir(folder)]).toEqual([6, [`110.${format}`]]);
  },
);

it.each([
  'live 110 -o made/too/x.csv',
  'meta 110 -o made/too/x.csv',
  `archive 110 ${DAY} -o made/too/x.csv`,
  `archive 110 ${DAY} -o made/{id}/x.csv`,
  `archive 110 ${DAY} -o made/too/x.csv --append`,
  `stats 110 ${DAY} -o made/too/x.csv`,
  `check 110 ${DAY} -o made/too/x.csv`,
  `plot 110 ${DAY} -o made/too/x.svg`,
  'watch 110 --count 1 -o made/too/x.csv',
])('vane %s makes the missing folders of -o', async (line) => {
  const { code, err } = await run(line.replace('made/', `${folder}/made/`));
  expect(code, err).toBe(0);
  const [parent = ''] = await readdir(join(folder, 'made'));
  expect(await readdir(join(folder, 'made', parent))).toHaveLength(1);
});

it('vane archive --dry-run makes no folder', async () => {
  await run(`archive 110 ${DAY} --dry-run`, '-o', join(folder, 'made/x.csv'));
  expect(existsSync(join(folder, 'made'))).toBe(false);
});

it('vane watch --line accepts {station} beside {id}', async () => {
  const { out } = await run('watch 110 --count 1 --line', '{station} {id}');
  expect(out).toBe('110 110\n');
});
