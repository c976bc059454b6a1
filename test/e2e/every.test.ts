import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { naming } from '../support/naming.ts';
import { readParquet } from '../support/parquet.ts';
import { expectAnswer, type Question, runHere, titled } from '../support/question.ts';

let folder: string;
let server: RunningServer;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-every-'));
  const service = simulatedService(Date.now);
  server = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
  env = { VANE_BASE_URL: server.baseUrl, VANE_CACHE_DIR: join(folder, 'cache') };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Runs `vane archive` in this process; @ stands for the folder of the tests. */
const archive = (line: string) =>
  runHere(`archive ${line.replace('@', `${folder}/`)}`, { env, now: Date.now() });

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

function answers(questions: readonly Question[]): void {
  it.each(titled(questions))('%s (vane archive %s)', async (_rule, line, question) => {
    expectAnswer(await archive(line), question);
  });
}

/** The night in which the clocks of Paris go back, and 90 minutes after it. */
const NIGHT = '603 --start 2024-10-27 --stop 2024-10-27T04:30 --tz Europe/Paris';

describe('archive --every:', () => {
  answers([
    {
      rule: '--every 1h has a row for each hour that the clock shows, twice at the end of summer time',
      line: `${NIGHT} --every 1h -f csv --columns time,readings,coverage`,
      status: 0,
      stdout: new RegExp(
        [
          '^"License",.*\n"Attribution",.*\n"time","readings","coverage"',
          '"Europe/Paris","count","share"',
          ...['00:00:00.000+02:00', '01:00:00.000+02:00', '02:00:00.000+02:00']
            .concat(['02:00:00.000+01:00', '03:00:00.000+01:00'])
            .map((time) => `"2024-10-27T${time.replace('+', '\\+')}",1[45],1`),
          '"2024-10-27T04:00:00.000\\+01:00",[78],1\n$',
        ].join('\n'),
      ),
      stderr: /^8\d readings .*\b603\b.* 6 rows of 1h/,
    },
    {
      rule: 'a step of --every is longer where the clocks go back',
      line: `${NIGHT} --every 3h --fill -f txt --header names --knots`,
      status: 0,
      stdout:
        /^time\tlatitude\tlongitude\twind_speed_min_kn\twind_speed_avg_kn\twind_speed_max_kn\twind_heading\tpressure\treadings\tcoverage\n2024-10-27T00:00:00\.000\+02:00\t.*\t60\t1\n2024-10-27T03:00:00\.000\+01:00\t.*\t2\d\t1\n$/,
    },
    {
      rule: '--every 90min begins at midnight and every 90 minutes by the clock',
      line: '603 --start 2024-03-31 --stop 2024-03-31T05 --tz Europe/Paris --every 90min -f csv --header none --columns time,readings',
      status: 0,
      // Of 90 minutes from 01:30 on, the clock leaves out the hour from 02:00.
      stdout:
        /^"2024-03-31T00:00:00\.000\+01:00",2[23]\n"2024-03-31T01:30:00\.000\+01:00",[78]\n"2024-03-31T03:00:00\.000\+02:00",2[23]\n"2024-03-31T04:30:00\.000\+02:00",[78]\n$/,
      stderr: / 4 rows of 90min/,
    },
    {
      rule: '--every 1w has a row for each week, which begins on Monday',
      line: '110 --start 2024-12-28 --stop 2025-01-08 --every 1w --tz Asia/Kolkata -f ndjson',
      status: 0,
      stdout:
        /^\{"station":110,"time":"2024-12-23T00:00:00\.000\+05:30",.*\n.*"time":"2024-12-30T00:00:00\.000\+05:30",.*"readings":25\d\d,"coverage":1\}\n.*"time":"2025-01-06T00:00:00\.000\+05:30",.*\n$/,
    },
    {
      rule: '--every 1mo has a row per month of each station',
      line: '110 603 --start 2024-03-30 --stop 2024-04-03 --every 1mo -f ndjson',
      status: 0,
      stdout:
        /^\{"station":110,"time":"2024-03-01T00:00:00\.000Z",.*"readings":\d+,"coverage":[01][.\d]*\}\n\{"station":110,"time":"2024-04-01T.*\n\{"station":603,.*\n\{"station":603,.*\n$/,
    },
    {
      rule: 'influx of --every has readings and coverage as fields',
      line: '110 --start 2024-05-01 --stop 2024-05-02 --every 1d -f influx',
      status: 0,
      stdout:
        /^wind,station=110,.*,wind_heading=[\d.]+,readings=360,coverage=1 1714521600000000000\n$/,
    },
    {
      rule: 'a table of --every has readings, coverage and a note',
      line: '110 --start 2024-05-01 --stop 2024-05-01T07 --every 3h -f table',
      status: 0,
      stdout:
        /^time UTC .* direction +readings +coverage\n(?:2024-05-01 0[036]:00:00 .*°? +\d+ +[01]\.\d\d\n){3}$/,
      stderr: /\nMean .*\n.*\d+ %/,
    },
    {
      rule: '--every refuses a start in the future',
      line: '110 --start 2030 --every 1h -f csv --header none',
      status: 2,
      stdout: '',
    },
    {
      rule: 'json of --every names the columns and units',
      line: '110 --start 2024-05-01 --stop 2024-05-02 --every 1d -f json',
      status: 0,
      stdout:
        /"legend":\["time",.*"pressure","readings","coverage"\],"units":\["utc",.*"count","share"\],"data":\[\n\["2024-05-01T00:00:00\.000Z",.*\]\n\]\}\n$/,
    },
  ]);

  it('vane archive --every -o steps.parquet writes readings and coverage as numbers', async () => {
    const line = '110 --start 2024-05-01 --stop 2024-05-02 --every 3h -o @steps.parquet';
    expect((await archive(line)).exitCode).toBe(0);
    const rows = await readParquet(await readFile(join(folder, 'steps.parquet')));
    expect(rows).toHaveLength(8);
    expect(rows[0]).toMatchObject({ station: 110, readings: 45, coverage: 1, pressure: null });
  });

  it('vane archive --every --split month writes the same steps as one stream, for several stations and chunks', async () => {
    // 33 days are two chunks, in three months; the clocks change on 31 March.
    const line = '110 603 --start 2024-02-29 --stop 2024-04-02 --every 3h --tz Europe/Paris';
    const whole = await archive(`${line} --fill -f csv --header names`);
    const split = await archive(
      `${line} --fill --header none --split month -o @{station}-{year}-{month}.csv`,
    );
    expect([whole.exitCode, split.exitCode]).toEqual([0, 0]);
    const names = (await readdir(folder)).filter((name) => /^\d+-2024-\d\d\.csv$/.test(name));
    expect(names).toHaveLength(6);
    const parts = await Promise.all(names.sort().map(read));
    const rows = whole.stdout.replace(/^.*\n/, '').replaceAll(/^\d+,/gm, '');
    expect(parts.join('')).toBe(rows);
    expect(rows.trimEnd().split('\n')).toHaveLength(2 * 8 * 33);
  });

  it('vane archive --every --split month writes a week into the part in which the week begins', async () => {
    const line = '110 --start 2024-01-30 --stop 2024-04-10 --every 1w --columns time,readings';
    const whole = await archive(`${line} -f csv --header none`);
    const split = await archive(`${line} --header none --split month -o @weeks-{year}-{month}.csv`);
    expect([whole.exitCode, split.exitCode]).toEqual([0, 0]);
    const parts = await Promise.all([1, 2, 3, 4].map((at) => read(`weeks-2024-0${at}.csv`)));
    expect(parts.map((part) => part.match(/\d{4}-\d\d-\d\d/g))).toEqual([
      ['2024-01-29'],
      ['2024-02-05', '2024-02-12', '2024-02-19', '2024-02-26'],
      ['2024-03-04', '2024-03-11', '2024-03-18', '2024-03-25'],
      ['2024-04-01', '2024-04-08'],
    ]);
    expect(parts.join('')).toBe(whole.stdout);
  });

  const wrong: [rule: string, line: string, names: string[]][] = [
    [
      '--every refuses a step that does not divide a day evenly',
      '110 --start 1d --every 7min',
      ['--every', '10min', '1w', '1mo', '7min'],
    ],
    [
      '--every refuses a step below 10 minutes',
      '110 --start 1d --every 5min',
      ['--every', '5min', '10min'],
    ],
    ['--every refuses several weeks', '110 --start 1d --every 2w', ['--every', '2w', '1w', '1mo']],
    [
      'the error for an unknown word after --every lists the possible steps',
      '110 --start 1d --every hourly',
      ['--every', '10min', '1w', '1mo', '“hourly”'],
    ],
    ['--fill needs --every', '110 --start 1d --fill', ['--fill', '--every']],
    [
      'the column coverage needs --every',
      '110 --start 1d --columns time,coverage',
      ['“coverage”', '--every'],
    ],
    [
      '--append refuses steps, of which the last may be unfinished',
      '110 --start 1d --every 1h --append -o a.csv',
      ['--append', '--every'],
    ],
  ];
  answers(
    wrong.map(([rule, line, names]) => ({
      rule,
      line,
      status: 2,
      stdout: '',
      stderr: naming(...names),
    })),
  );
});

describe('the completeness of vane archive', () => {
  it('vane archive --report - prints the coverage of each station, and --dry-run of all stations estimates requests, bytes and time', async () => {
    const line = '110 603 --start 2024-05-01 --stop 2024-05-03 --every 1d -f ndjson -o @b.ndjson';
    const { stdout, exitCode } = await archive(`${line} --report -`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      period: { start: '2024-05-01T00:00:00.000Z', stop: '2024-05-03T00:00:00.000Z' },
      ...{ every: '1d', steps: 4, units: { coverage: 'share' } },
      stations: [
        { station: 110, name: 'Plage des Embruns (simulated)', readings: 720, step_s: 240 },
        { station: 603, missing_chunks: [], gaps_over_6h: [], coverage: 1 },
      ],
    });
    expectAnswer(await archive('all --start 2024 --stop 2024-03 --dry-run'), {
      status: 0,
      stdout:
        /^stations +602\nfrom +2024-01-01T\S+\nto +2024-03-01T\S+\nchunks +1,204\ncached +\d\nrequests +1,\d+\nbytes +up to 910 MB\ntime +about .+\n$/,
    });
  });
});
