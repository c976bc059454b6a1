import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { naming } from '../support/naming.ts';
import { expectAnswer, type Question, runHere, titled, words } from '../support/question.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  const now = () => Date.UTC(2024, 5, 1, 12);
  server = await startServer({ service: simulatedService(now), host: '127.0.0.1', port: 0, now });
});
afterAll(() => server.close());

const HOUR = '--start 2024-06-01 --stop 2024-06-01T00:10';

const COLUMNS = [
  ...['time', 'lat', 'lon', 'lull', 'avg', 'gust', 'dir', 'pressure', 'station', 'flag'],
  ...['latitude', 'longitude', 'wind_speed_min', 'wind_speed_avg', 'wind_speed_max'],
  ...['wind_heading', 'readings', 'coverage'],
];

/** Asked in this process. */
const QUESTIONS: readonly Question[] = [
  {
    rule: 'csv with --header names begins with the names of columns',
    line: `archive 110 ${HOUR} -f csv --header names`,
    status: 0,
    stdout: /^"time",.*\n"2024-06-01T00:03:52.000Z",43.364118,4.915527,2.25,4.75,7.25,270,\n/,
    stderr: naming('2 readings', 'station 110'),
  },
  {
    rule: '--columns sets the order of columns',
    line: `archive 110 ${HOUR} --columns time,avg,gust,lull,dir,lat,lon,pressure,station -f txt --header none`,
    status: 0,
    stdout: /^2024-06-01T00:03:52.000Z\t4.75\t7.25\t2.25\t270\t43.364118\t4.915527\t\t110\n/,
    stderr: /^2 readings/,
  },
  {
    rule: 'a table of an archive has a note with mean, gust, coverage and position',
    line: `archive 110 ${HOUR} -f table`,
    status: 0,
    stdout: /^time UTC +lull km\/h +avg km\/h +gust km\/h +direction\n/,
    stderr: naming(
      ...['2 readings', '4.88 km/h', '8.5 km/h', '2024-06-01 00:07:51 UTC', '100 %'],
      ...['43.364118, 4.915527', 'Data: '],
    ),
  },
  {
    rule: 'the note about a single reading says “1 reading”',
    line: 'archive 110 --start 2024-06-01 --stop 2024-06-01T00:05 -f csv',
    status: 0,
    stderr: naming('1 reading of station 110'),
  },
  ...['live', 'meta'].map((command) => ({
    rule: 'a known station is written beside an unknown one, which makes the exit code 3',
    line: `${command} 110 999999 -f ndjson`,
    status: 3,
    stdout: /^\{"id":110,.*\}\n$/,
    stderr: naming('Data: ', 'Station 999999', 'http://127.0.0.1:'),
  })),
  {
    rule: 'an unknown station ends vane watch before any record',
    line: 'watch 110 999999 --count 1',
    status: 3,
    stdout: '',
    stderr: naming('Station 999999', 'http://127.0.0.1:'),
  },
  {
    rule: 'influx has the id and the name of the station in the tags of each point',
    line: `archive 110 603 ${HOUR} -f influx`,
    status: 0,
    stdout: /^(wind,station=110,name=.* 17172\d{14}\n){2}(wind,station=603,.*\n){2}$/,
    stderr: /^4 readings of 2 stations /,
  },
  {
    rule: 'the error for an unknown column lists the known ones',
    line: 'archive 110 --start 1d --columns time,wind',
    status: 2,
    stdout: '',
    stderr: naming('--columns', '“wind”', ...COLUMNS),
  },
];

/** Run by the built program. */
const OF_PROGRAM: readonly Question[] = [
  {
    rule: 'an error of --demo names the simulated network',
    line: 'live 999999 --demo',
    status: 3,
    stdout: '',
    stderr: naming('Station 999999', 'simulated network'),
  },
];

describe('output that other programs read:', () => {
  const env = () => ({ VANE_BASE_URL: server.baseUrl });

  it.each(titled(QUESTIONS))('%s (vane %s)', async (_rule, line, question) => {
    expectAnswer(await runHere(line, { env: env(), now: Date.now() }), question);
  });

  it.each(titled(OF_PROGRAM))('%s (bin/vane.js %s)', async (_rule, line, question) => {
    const options = { env: env(), reject: false, stripFinalNewline: false };
    expectAnswer(await execaNode(BIN, [...words(line), '--no-cache'], options), question);
  });
});
