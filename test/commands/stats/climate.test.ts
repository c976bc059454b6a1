import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectColumns } from '../../support/fits.ts';
import { vane } from '../../support/run.ts';

const HOUR_MS = 3_600_000;
const HEAD = 'time,wind_speed_min,wind_speed_avg,wind_speed_max,wind_heading';

/** Readings in the 29th and the 59th minute of each hour between two dates: average and gust of that hour. */
const hourly = (start: string, stop: string, read: (hour: number) => [avg: number, gust: number]) =>
  Array.from({ length: (2 * (Date.parse(stop) - Date.parse(start))) / HOUR_MS }, (_, i) => {
    const time = new Date(Date.parse(start) + (i / 2 + 29 / 60) * HOUR_MS).toISOString();
    const [avg, gust] = read(Math.floor(i / 2));
    return [time, 0, avg, gust, 270].join(',');
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-climate-'));
  const rows = [
    // Twelve hours of each day at 18.52 km/h (10 kn), one gust of 16 m/s on the second day.
    ...hourly('2022-01-01', '2022-02-01', (hour) => [
      hour % 24 < 12 ? 18.52 : 5,
      hour === 30 ? 57.6 : 30,
    ]),
    ...hourly('2022-02-01', '2022-02-11', (hour) => [40, hour === 5 ? 120 : 50]),
    ...hourly('2023-01-01', '2023-02-01', () => [30, 60]),
  ];
  await writeFile(join(folder, '110.csv'), `${[HEAD, ...rows].join('\n')}\n`);
  // 10 kn as a file in m/s has them, with two decimals.
  const metres = HEAD.replaceAll(/wind_speed_\w+/g, '$&_ms');
  await writeFile(
    join(folder, '19.csv'),
    `${[metres, ...hourly('2022-05-01', '2022-05-02', () => [5.14, 6])].join('\n')}\n`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function stats(line: string, env: Record<string, string> = {}): Promise<string> {
  const path = join(folder, '110.csv');
  const source = line.includes('--from') ? '' : `--from ${path} `;
  const period = line.includes('--st') ? '' : '--start 2022-01 --stop 2023-02 ';
  const args = `stats ${source}${period}${line} -q`;
  const { code, out, err } = await vane(args.split(' '), { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

const parse = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('vane stats --above', () => {
  const MONTHS = '--above 10,15.5,30kn --start 2022-01 --stop 2022-03 --by month';

  it('vane stats --above writes a row for each speed of each group, with the speeds as the user wrote them', async () => {
    expect(await stats(MONTHS)).toBe(
      `Station 110
2022-01-01 to 2022-03-01 UTC

  month    avg ≥  hours  share  days  days ≥1 h  coverage
2022-01  10.0 kn  372.0   50 %    31         31     100 %
         15.5 kn    0.0  < 1 %     0          0
         30.0 kn    0.0    0 %     0          0
2022-02  10.0 kn  240.0   35 %    10         10      35 %
         15.5 kn  240.0   35 %    10         10
         30.0 kn    0.0    0 %     0          0
`,
    );
  });

  it('the table of vane stats --above fits 40 columns: share, then coverage are left out', async () => {
    const out = await stats(`${MONTHS} --value gust`, { COLUMNS: '40' });
    expectColumns(out, 40);
    expect(out).toContain('  month   gust ≥  hours  days  days ≥1 h\n2022-01  10.0 kn');
  });

  it('the table of vane stats --above is ASCII in a locale without UTF-8', async () => {
    expect(await stats('--above 10kn', { LC_ALL: 'C' })).toMatch(/^[\n -~]*$/);
  });

  it('vane stats --above reads speeds without a unit in that of --units, and names that unit in csv and ndjson', async () => {
    const csv = await stats('--above 10,20 --knots -f csv');
    expect(csv).toMatch(/^station,above_kn,hours,share,days,days_1h\n110,10,.*\n110,20,/);
    const rows = parse(await stats('--above 10,20kn -f ndjson --value gust'));
    // The first reading, in the 29th minute, stands for no time before the period.
    const hours = (31 + 10 + 31) * 24 - 1 / 60;
    expect(rows).toEqual([
      { station: 110, above: 18.52, hours, share: hours / 9504, days: 72, days_1h: 72 },
      { station: 110, above: 37.04, hours: 985, share: 985 / 9504, days: 42, days_1h: 42 },
    ]);
    const forces = await stats('--above 3,5bft -u bft -f csv');
    expect(forces).toMatch(/^station,above_bft,.*\n110,3,1355\.98\d+,.*\n110,5,984,/s);
  });

  it('vane stats --above names the unit in the head of json', async () => {
    const { units, data } = JSON.parse(await stats('--above 10 --knots --by year -f json'));
    expect(units).toEqual({ above: 'kn' });
    expect(data).toMatchObject([{ station: 110, year: '2022', above: 10 }, { year: '2023' }]);
  });

  it('vane stats --above counts days in the zone of --tz', async () => {
    const line = '--above 50 --value gust -f ndjson';
    expect(parse(await stats(line))).toMatchObject([{ days: 1 + 10 + 31 }]);
    expect(parse(await stats(`${line} --tz Asia/Tokyo`))).toMatchObject([{ days: 1 + 11 + 31 }]);
  });

  it('vane stats --above counts a speed of a file with two decimals as reaching the speed that rounds to it', async () => {
    const rows = parse(
      await stats(`--from ${join(folder, '19.csv')} --above 10kn -f ndjson --start 2022-05`),
    );
    expect(rows).toMatchObject([{ station: 19, days: 1, hours: expect.closeTo(24 - 1 / 60, 9) }]);
  });
});

describe('vane stats --climate', () => {
  const TITLE = `Station 110
2022-01-01 to 2023-02-01 UTC

`;

  it('the table of vane stats --climate has a row for each month of the year, marks and leaves out thin months, and fits 80 columns', async () => {
    const out = await stats('--climate', { COLUMNS: '80' });
    expectColumns(out, 80);
    expect(out.startsWith(TITLE)).toBe(true);
    expect(out.slice(TITLE.length).split('\n').slice(0, 4)).toEqual([
      'month  mean km/h  direction   gust  from  on          16 m/s  28 m/s  coverage',
      '   1        20.9  W 270°      60.0  W     2023-01-01    16.0     0.0     100 %',
      '   2*        –    –          120.0  W     2022-02-01     –       –        35 %',
      '   3*        –    –            –    –     –              –       –         0 %',
    ]);
    expect(out).toMatch(/\n\n16 m\/s, 28 m\/s: .*\n\* The means ignore years .*\n$/);
  });

  it('the table of vane stats --climate fits 40 columns: directions, dates and the stronger gusts are left out', async () => {
    const out = await stats('--climate', { COLUMNS: '40' });
    expectColumns(out, 40);
    expect(out).toContain(
      'month  mean km…   gust  16 m/s  coverage\n   1       20.9   60.0    16.0',
    );
  });

  it('vane stats --climate writes the same fields in ndjson, csv and json, with the unit of speeds', async () => {
    const [january, february, ...others] = parse(await stats('--climate -f ndjson --knots'));
    expect(january).toEqual({
      station: 110,
      month_of_year: 1,
      years: 2,
      years_left_out: 0,
      mean_kn: expect.closeTo((11.76 + 30) / 2 / 1.852, 9),
      prevailing_direction: 270,
      max_gust_kn: 60 / 1.852,
      max_gust_direction: 270,
      max_gust_at: '2023-01-01T00:29:00.000Z',
      days_16ms: 16,
      days_28ms: 0,
      coverage: 1,
    });
    expect(february).toMatchObject({ years: 0, years_left_out: 1, mean_kn: null, days_16ms: null });
    expect(others.length).toBe(10);
    const csv = await stats('--climate -f csv --knots');
    expect(csv.split('\n')[0]).toBe(Object.keys(january).join());
    expect(csv).toMatch(/\n110,1,2,0,11\.27,270,32\.4,270,2023-01-01T00:29:00\.000Z,16,0,1\n/);
    const { units, data } = JSON.parse(await stats('--climate -f json --knots'));
    expect(units).toEqual({ mean: 'kn', max_gust: 'kn' });
    expect(data[0]).toMatchObject({ mean: january.mean_kn, max_gust: january.max_gust_kn });
  });

  it('vane stats --climate writes the day of the highest gust in the zone of --tz', async () => {
    const out = await stats('--climate --tz America/Denver');
    expect(out).toMatch(/\n {3}1 .* 120\.0 .* 2022-01-31 .*\n {3}2\* .* 50\.0 .* 2022-02-01 /);
  });
});
