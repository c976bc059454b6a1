import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { QUALITY_TEST_NAMES } from '../../../src/domain/quality/limits.ts';
import { formatNames, ROW_FORMATS } from '../../../src/formats/index.ts';
import { PERIOD, serveFaultyReadings } from '../../support/faulty-readings.ts';
import { expectColumns } from '../../support/fits.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';

const { run, rowsOf, pathOf } = serveFaultyReadings();

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' };

/** The counts of the tests that found something. */
const foundIn = ({ tests }: { tests: Record<string, { suspect: number; fail: number }> }) =>
  Object.fromEntries(Object.entries(tests).filter(([, { suspect, fail }]) => suspect + fail > 0));

describe('vane check', () => {
  it('vane check prints a verdict for each station, the worst first, and counts the faults of each test', async () => {
    const rows = await rowsOf('check all', ...PERIOD);
    expect(rows.map(({ station, verdict }) => [station, verdict])).toEqual([
      [7, 'gone'],
      [1333, 'broken'],
      [603, 'look'],
      [41, 'look'],
      [19, 'ok'],
      [110, 'ok'],
    ]);
    const found = new Map(rows.map((row) => [row.station, foundIn(row)]));
    expect(found.get(7)).toEqual({ gap: { suspect: 0, fail: 1 } });
    expect(found.get(19)).toEqual({
      gap: { suspect: 1, fail: 0 },
      position: { suspect: 1, fail: 0 },
      time: { suspect: 1, fail: 0 },
    });
    expect(found.get(41)).toEqual({ flat: { suspect: 865, fail: 0 } });
    expect(found.get(110)).toEqual({});
    expect(found.get(603)).toEqual({
      order: { suspect: 0, fail: 1 },
      rate: { suspect: 2, fail: 0 },
      spike: { suspect: 1, fail: 0 },
      flat: { suspect: 0, fail: 43 },
    });
    expect(found.get(1333)).toEqual({ range: { suspect: 0, fail: 4 * 288 } });
  });

  it('vane check finds the same faults wherever chunks meet', async () => {
    for (const station of [41, 603]) {
      const [whole] = await rowsOf(`check ${station}`, ...PERIOD);
      const [shifted] = await rowsOf(`check ${station} --start 2023-12-10T22:00 --stop 2024-01-09`);
      expect(foundIn(shifted)).toEqual(foundIn(whole));
    }
  });

  it('vane check without --start checks the last 30 days', async () => {
    const [row] = await rowsOf('check 110');
    expect([row.verdict, row.last]).toEqual(['gone', '2024-01-08T23:55:00.000Z']);
    expect(row.readings).toBe(23.5 * 288);
  });

  it('vane check writes the same row in ndjson, json, csv and txt', async () => {
    const [row] = await rowsOf('check 603', ...PERIOD);
    expect(Object.keys(row)).toEqual([
      'station',
      'verdict',
      'coverage',
      'last',
      'readings',
      'tests',
    ]);
    expect(Object.keys(row.tests)).toEqual(QUALITY_TEST_NAMES);
    const json = JSON.parse((await run(`check 603 ${PERIOD.join(' ')} -f json`)).out);
    expect(json.data).toEqual([row]);
    expect(json.license).toMatch(/^https:/);
    const csv = (await run(`check 603 ${PERIOD.join(' ')} -f csv`)).out.trimEnd().split('\n');
    const [names, values] = csv.map((line) => line.split(','));
    const flat = Object.fromEntries(names?.map((name, i) => [name, values?.[i]]) ?? []);
    expect(flat).toMatchObject({
      station: '603',
      verdict: 'look',
      spike_suspect: '1',
      flat_fail: '43',
    });
    expect(names).toHaveLength(5 + 2 * QUALITY_TEST_NAMES.length);
    const txt = (await run(`check 603 ${PERIOD.join(' ')} -f txt`)).out.trimEnd().split('\n');
    expect(txt.map((line) => line.split('\t'))).toEqual([names, values]);
  });

  it('vane check --by month writes a row for each month, which counts the faults of that month', async () => {
    const rows = await rowsOf('check 603 --by month', ...PERIOD);
    expect(rows.map(({ month, verdict }) => [month, verdict])).toEqual([
      ['2023-11', 'ok'],
      ['2023-12', 'look'],
      ['2024-01', 'ok'],
    ]);
    const [whole] = await rowsOf('check 603', ...PERIOD);
    expect(rows[1].tests).toEqual(whole.tests);
    expect(rows.reduce((sum, { readings }) => sum + readings, 0)).toBe(whole.readings);
  });

  it('vane check writes a table of stations, and for one station its episodes of faults', async () => {
    const { code, out } = await run(`check 603 ${PERIOD.join(' ')}`);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "verdict  station  name     coverage  last UTC           fail  suspect  worst
      look         603  Taveuni     100 %  2024-01-08 23:55  < 1 %    < 1 %  flat

      test   flag     from UTC          to UTC            length      readings
      flat   fail     2023-12-20 22:00  2023-12-21 01:30  3 h 30 min        43
      order  fail     2023-12-21 00:00  2023-12-21 00:00  –                  1
      rate   suspect  2023-12-30 00:00  2023-12-30 00:05  5 min              2
      spike  suspect  2023-12-30 00:00  2023-12-30 00:00  –                  1
      "
    `);
    const several = await run(`check 110 603 ${PERIOD.join(' ')}`);
    expect(several.out).toMatchInlineSnapshot(`
      "verdict  station  name           coverage  last UTC           fail  suspect  worst
      look         603  Taveuni           100 %  2024-01-08 23:55  < 1 %    < 1 %  flat
      ok           110  Dune du Pilat     100 %  2024-01-08 23:55    0 %      0 %  –
      "
    `);
    const verbose = await run(`check 110 603 ${PERIOD.join(' ')} -v`);
    expect(verbose.out).toContain('\n    603  flat ');
  });

  it('vane check shows at most 40 episodes of faults of a station, failures before suspect ones', async () => {
    const rows = Array.from({ length: 60 }, (_, hour) => {
      const time = new Date(Date.UTC(2024, 0, 10, 2 * hour)).toISOString();
      return `${time},${hour === 59 ? 300 : 150}`;
    });
    const path = pathOf('episodes.csv');
    await writeFile(path, `time,wind_speed_avg\n${rows.join('\n')}\n`);
    const { out } = await vane(['check', '110', '--from', path]);
    expect(out.match(/^(?:gap|range) /gm)).toHaveLength(40);
    expect(out).toMatch(/\nrange {2}fail .*\n/);
    expect(out).toMatch(/\nand \d+ further episodes\n$/);
  });

  it.each([80, 40])(
    'the table of vane check fits a window of %i columns, with verdict and station',
    async (columns) => {
      for (const more of ['', ' --by month', ' -v']) {
        const line = `check all --start 2023-12-20 --stop 2024-01-09${more}`;
        const { out } = await run(line, { stdoutTerminal: { columns }, env: PLAIN });
        expectColumns(out, columns);
        expect(out).toMatch(/^verdict {2,}station /);
      }
    },
  );

  it('vane check exits with 8 if a test finds what --fail-on names, and with 0 otherwise', async () => {
    const exit = async (line: string) => {
      const { code, err } = await run(`check ${line} ${PERIOD.join(' ')} -f csv -q`);
      return [code, err];
    };
    expect(await exit('19')).toEqual([0, '']);
    expect(await exit('110 --fail-on suspect')).toEqual([0, '']);
    expect(await exit('19 --fail-on fail')).toEqual([0, '']);
    expect(await exit('19 --fail-on suspect')).toEqual([
      8,
      expect.stringMatching(
        naming('suspect', '1 of 1 station', 'gap at 19', 'position at 19', 'time at 19'),
      ),
    ]);
    expect(await exit('all --fail-on fail')).toEqual([
      8,
      expect.stringMatching(
        naming('3 of 6 stations', 'gap at 7', 'range at 1333', 'order at 603', 'flat at 603'),
      ),
    ]);
    expect(await exit('all --name nowhere --fail-on fail')).toEqual([
      8,
      expect.stringContaining('no station'),
    ]);
  });

  it('vane check --fail-on names each test that fails, with up to ten stations and the number of others', async () => {
    const hours = Array.from(
      { length: 24 },
      (_, hour) => `2024-01-10T${`${hour}`.padStart(2, '0')}`,
    );
    const rows = Array.from({ length: 13 }, (_, index) => index + 1).flatMap((station) =>
      hours.map((hour, at) => {
        const gust = at === 5 && station < 13 ? 900 + station : 30;
        const average = at === 9 && station > 11 ? 50 : 10 + (at % 5);
        return `${station},${hour}:00:00.000Z,${average},${gust}`;
      }),
    );
    const path = pathOf('thirteen.csv');
    await writeFile(path, `station,time,wind_speed_avg,wind_speed_max\n${rows.join('\n')}\n`);
    const { code, err } = await vane(['check', 'all', '--from', path, '--fail-on', 'fail', '-q']);
    const ten = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more';
    expect([code, err]).toEqual([
      8,
      expect.stringMatching(naming('13 of 13 stations', `range at ${ten}`, 'order at 12, 13')),
    ]);
  });

  it.each(['2024-01-12', '2024-01-11T23:30'])(
    'vane check calls a station “gone” that sent nothing since %s',
    async (start) => {
      const period = `--start ${start} --stop 2024-01-12`;
      expect(await rowsOf(`check 110 ${period}`)).toMatchObject([{ verdict: 'gone', readings: 0 }]);
      const { code, err } = await run(`check 110 ${period} -f csv -q --fail-on fail`);
      expect([code, err]).toEqual([8, expect.stringContaining('1 of 1 station')]);
    },
  );

  it('vane check names the format that it cannot write', async () => {
    const { code, err } = await run('check 110 -f parquet');
    expect([code, err]).toEqual([2, expect.stringMatching(/parquet/)]);
    const file = await run('check 110 -o check.parquet');
    expect([file.code, file.err]).toEqual([
      2,
      expect.stringMatching(naming('parquet', ...formatNames(ROW_FORMATS))),
    ]);
  });
});

describe('vane check --from', () => {
  const found = new Map<number, ReturnType<typeof rowsOf>>();
  /** The check of a station of the service, which is the same each time. */
  async function atServiceOf(station: number) {
    const rows = found.get(station) ?? rowsOf(`check ${station}`, ...PERIOD);
    found.set(station, rows);
    return (await rows)[0];
  }

  it.each(['csv', 'ndjson', 'parquet'])(
    'vane check --from a file in %s finds the faults that it finds at the service, even a move',
    async (ending) => {
      for (const station of [603, 19]) {
        const path = pathOf(`station-${station}.${ending}`);
        await run(`archive ${station} ${PERIOD.join(' ')} -o ${path} -q`);
        const [row] = await rowsOf(`check --from ${path}`, ...PERIOD);
        const atService = await atServiceOf(station);
        expect(atService.tests.position.suspect).toBe(station === 19 ? 1 : 0);
        expect(row).toEqual(atService);
      }
    },
  );

  it('vane check --from counts a reading once that is in two files, even if --quality leaves it out', async () => {
    const line = (stop: string) => `archive 603 --start 2023-12-20 --stop ${stop} -q`;
    const [half, whole] = [pathOf('half.csv'), pathOf('whole.csv')];
    await run(`${line('2023-12-22')} -o ${half}`);
    await run(`${line('2023-12-31')} -o ${whole}`);
    const period = '--start 2023-12-20 --stop 2023-12-31';
    const [both] = await rowsOf(`check 603 --from ${half} ${whole} ${period}`);
    const [once] = await rowsOf(`check 603 ${period}`);
    expect(both).toEqual(once);
    const [twice] = await rowsOf(`check 603 --from ${whole} ${half} ${whole} ${period}`);
    expect(twice).toEqual(once);
    const statistics = `stats 603 --from ${half} ${whole} ${period} --quality suspect`;
    expect(await rowsOf(statistics)).toEqual(await rowsOf(`stats 603 ${period} --quality suspect`));
  });

  it('vane check --from reads files in order of time, whatever the order of their rows', async () => {
    const path = pathOf('descending.csv');
    await run(`archive 603 ${PERIOD.join(' ')} --header names -o ${path} -q`);
    const [names, ...rows] = (await readFile(path, 'utf8')).trimEnd().split('\n');
    await writeFile(path, `${[names, ...rows.toReversed()].join('\n')}\n`);
    const [atService] = await rowsOf('check 603', ...PERIOD);
    expect(await rowsOf(`check 603 --from ${path}`, ...PERIOD)).toEqual([atService]);
    const [read] = await rowsOf(`stats 603 --from ${path} --quality suspect`, ...PERIOD);
    expect(read.readings).toBe(atService.readings - 43);
  });

  it('vane check --from calls two different rows of one time suspect, even in two files', async () => {
    const [one, other] = [pathOf('one.csv'), pathOf('other.csv')];
    const head = 'time,wind_speed_avg\n';
    await writeFile(
      one,
      `${head}2024-01-05T00:00Z,10\n2024-01-05T00:05Z,11\n2024-01-05T00:10Z,12\n`,
    );
    await writeFile(other, `${head}2024-01-05T00:05Z,19\n`);
    const [row] = await rowsOf(`check 110 --from ${one} ${other} ${one}`);
    expect([row.readings, foundIn(row)]).toEqual([3, { time: { suspect: 1, fail: 0 } }]);
  });

  it('vane check --from files without a reading says so, and exits with 8 with --fail-on', async () => {
    const path = pathOf('empty.csv');
    await writeFile(path, 'time,wind_speed_avg\n');
    const { out, err, code } = await vane(['check', '--from', path]);
    expect([out, err, code]).toEqual(['', expect.stringContaining('files contains'), 0]);
    const refused = await vane(['check', '110', '--from', path, '--fail-on', 'fail', '-q']);
    expect([refused.err, refused.code]).toEqual([expect.stringContaining('1 of 1 station'), 8]);
    const day = ['--start', '2024-01-01', '--stop', '2024-01-02'];
    expect(await rowsOf(`check 110 --from ${path}`, ...day)).toMatchObject([
      { station: 110, verdict: 'gone', readings: 0 },
    ]);
  });

  it('vane check --from counts a row in the future as a fault of time, and leaves the row out of the period', async () => {
    const path = pathOf('future.csv');
    const lines = ['2024-01-15T11:50:00Z,10', '2031-01-01T00:00:00Z,10', '2024-01-15T11:55:00Z,11'];
    await writeFile(path, `time,wind_speed_avg\n${lines.join('\n')}\n`);
    const [row] = await rowsOf(`check 110 --from ${path} --by month`);
    expect(foundIn(row)).toEqual({ time: { suspect: 0, fail: 1 } });
    expect(row).toMatchObject({ month: '2024-01', readings: 2, coverage: 1 });
    await writeFile(path, `time,wind_speed_avg\n${lines[1]}\n`);
    const [alone] = await rowsOf(`check 110 --from ${path} --by month`);
    expect(alone).toMatchObject({ month: '2024-01', verdict: 'gone', readings: 0 });
    expect(foundIn(alone)).toEqual({ time: { suspect: 0, fail: 1 } });
  });
});
