import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PERIOD, ROWS, serveFaultyReadings } from '../support/faulty-readings.ts';
import { startFaultyServer } from '../support/faulty-server.ts';
import { networkWith } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';
import { readParquet } from '../support/parquet.ts';
import { vane } from '../support/run.ts';

const { run, rowsOf, pathOf } = serveFaultyReadings();

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' };

describe('archive --every', () => {
  it('vane archive --every counts impossible values as missing, as vane stats does, and says so', async () => {
    const line =
      'archive 1333 --start 2023-11-23T22:00 --stop 2023-11-24T02:00 --every 2h -f ndjson';
    const { out, err } = await run(line);
    const rows = out.trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row).wind_heading)).toEqual([null, expect.any(Number)]);
    const note = naming('24 impossible values', '450 km/h', 360);
    expect(err).toMatch(note);
    expect((await run(line.replace(' --every 2h', ''))).out).toContain('"wind_heading":400');
    expect((await run(line.replace('archive', 'stats').replace(' --every 2h', ''))).err).toMatch(
      note,
    );
    const left = await run(`${line} --quality suspect`);
    expect(left.out).not.toContain('T22:00');
    expect(left.err).not.toContain('impossible');
  });
});

describe('--quality', () => {
  const around = '--start 2023-12-20 --stop 2024-01-01';
  const failing = 43;

  it('vane archive --quality leaves out readings by their flags, and says how many', async () => {
    const all = await rowsOf(`archive 603 ${around}`);
    expect(all).toHaveLength(12 * 288);
    for (const [quality, leftOut, why] of [
      ['suspect', failing, 'fail'],
      ['pass', failing + 2, 'fail or are suspect'],
    ] as const) {
      const { out, err } = await run(`archive 603 ${around} --quality ${quality} -f ndjson`);
      expect(out.trimEnd().split('\n')).toHaveLength(12 * 288 - leftOut);
      expect(err).toMatch(naming(`${leftOut} readings`, why, 'Left out', `--quality ${quality}`));
    }
    const { out, err } = await run(`archive 603 ${around} --quality all -f csv`);
    expect(out).toBe((await run(`archive 603 ${around} -f csv`)).out);
    expect(err).not.toMatch(/left out/i);
  });

  it.each([
    ['suspect', 'fails'],
    ['pass', 'fails or is suspect'],
  ])(
    'vane stats --quality %s says “1 reading” for a single reading that it leaves out',
    async (quality, why) => {
      const path = pathOf(`single-${quality}.csv`);
      const rows = [
        '2023-12-01T12:00:00.000Z,13,12,16,180',
        '2023-12-01T12:05:00.000Z,9,12,16,180',
      ];
      const header = 'time,wind_speed_min,wind_speed_avg,wind_speed_max,wind_heading';
      await writeFile(path, `${[header, ...rows].join('\n')}\n`);
      const { err } = await vane(['stats', '110', '--from', path, '--quality', quality]);
      expect(err).toContain(`Left out 1 reading that ${why} (--quality ${quality}).\n`);
    },
  );

  it('vane archive --split month writes each reading to the file of its month, with the same quality flag as in one file', async () => {
    const name = pathOf('{year}-{month}.csv');
    const line = `archive 603 ${PERIOD.join(' ')} --columns time,flag --header names --split month`;
    await run(`${line} -o ${name} -q`);
    const parts = await Promise.all(
      ['2023-11', '2023-12', '2024-01'].map((month) => rowsOfCsv(pathOf(`${month}.csv`))),
    );
    const whole = (await run(`${line.replace(' --split month', '')} -f csv -q`)).out;
    expect(parts.flat()).toEqual(whole.trimEnd().split('\n').slice(1));
    expect(parts.map((rows) => rows.length)).toEqual([11 * 288, 31 * 288, 8 * 288]);
    const flags = parts.flat().map((row) => row.split(',')[1]);
    expect(flags.filter((flag) => flag === '4')).toHaveLength(failing);
  });

  it('--quality leaves readings out of statistics and pictures, of a service and of files', async () => {
    const path = pathOf('quality-603.csv');
    await run(`archive 603 ${around} -o ${path} -q`);
    const [all] = await rowsOf(`stats 603 ${around}`);
    expect(all.readings).toBe(12 * 288);
    const [served] = await rowsOf(`stats 603 ${around} --quality suspect`);
    const [read] = await rowsOf(`stats 603 --from ${path} ${around} --quality suspect`);
    expect(served.readings).toBe(12 * 288 - failing);
    expect(read).toEqual(served);
    const note = naming(`${failing} readings`, 'Left out', '--quality suspect');
    const plots = [
      await run(`plot 603 ${around} --quality suspect`),
      await vane(['plot', '603', '--from', path, ...around.split(' '), '--quality', 'suspect']),
    ];
    for (const { code, err } of plots)
      expect([code, err]).toEqual([0, expect.stringMatching(note)]);
  });

  it('--quality and --keep-going skip a failed chunk and keep the order of the others', async () => {
    const plan = (path: string) => (path.includes('start=2023-12-21') ? 'status400' : 'none');
    const faulty = await startFaultyServer(plan, networkWith(ROWS));
    const line = `archive 110 603 ${PERIOD.join(' ')} --keep-going --quality suspect -f ndjson`;
    const { code, out, err } = await vane([...line.split(' '), '--base-url', faulty.baseUrl]);
    await faulty.close();
    expect([code, err]).toEqual([6, expect.stringMatching(/\b2 periods\b/)]);
    const rows = out.trimEnd().split('\n');
    const whole = await rowsOf(`archive 110 603 --start 2023-11-20 --stop 2023-12-21`);
    // Without the rest of its run, the flat line before the lost chunk lasts less than 3 hours.
    expect(rows.map((row) => JSON.parse(row))).toEqual(whole);
  });

  it('--quality and the column flag are refused with --append', async () => {
    const path = pathOf('append.csv');
    for (const more of ['--quality pass', '--columns time,avg,flag']) {
      const { code, err } = await run(`archive 603 ${around} ${more} --append -o ${path}`);
      expect([code, err]).toEqual([2, expect.stringMatching(/^vane: .* --append\b/)]);
    }
  });
});

describe('archive --columns …,flag', () => {
  const rows = '--start 2023-12-20T23:55 --stop 2023-12-21T00:05 --columns time,avg,flag';

  it('vane archive --columns with flag writes the quality flag of each reading', async () => {
    const { out } = await run(`archive 603 ${rows} -f csv --header names`);
    expect(out).toBe(
      '"time","wind_speed_avg","flag"\n' +
        '"2023-12-20T23:55:00.000Z",17,1\n"2023-12-21T00:00:00.000Z",17,4\n',
    );
    expect(await rowsOf(`archive 603 ${rows}`)).toEqual([
      { station: 603, time: '2023-12-20T23:55:00.000Z', wind_speed_avg: 17, flag: 1 },
      { station: 603, time: '2023-12-21T00:00:00.000Z', wind_speed_avg: 17, flag: 4 },
    ]);
    const table = await run(`archive 603 ${rows}`, { stdoutTerminal: { columns: 40 }, env: PLAIN });
    expect(table.out.split('\n').map((line) => line.slice(-4))).toEqual([
      'flag',
      '   1',
      '   4',
      '',
    ]);
  });

  it('vane archive --columns with flag writes quality flags as integers in Parquet', async () => {
    const path = pathOf('flag.parquet');
    await run(`archive 603 ${rows} -o ${path} -q`);
    const flags = (await readParquet(await readFile(path))).map(({ flag }) => flag);
    expect(flags).toEqual([1, 4]);
  });

  it('vane archive refuses the column flag with --every', async () => {
    const { code, err } = await run(`archive 603 ${rows} --every 1h`);
    expect([code, err]).toEqual([2, expect.stringMatching(/“flag”.* without --every/)]);
  });
});

async function rowsOfCsv(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1);
}
