import { execFileSync, spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli.ts';
import type { Station } from '../../../src/domain/station.ts';
import { InterruptedError } from '../../../src/errors.ts';
import OPENAPI from '../../../src/server/api/openapi.json' with { type: 'json' };
import { endpointLabel } from '../../../src/server/ops/metrics.ts';
import { type RunningServer, startServer } from '../../../src/server/server.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { fixtureService, NOW, UNKNOWN_STATION } from '../../support/fixture-service.ts';
import { type HandClock, handClock } from '../../support/hand-clock.ts';
import { type RequestOptions, sendRequest } from '../../support/http.ts';
import { openRaw, requestBytes } from '../../support/raw-connection.ts';
import { countInTurns } from '../../support/turns.ts';
import { until } from '../../support/until.ts';
import { type Measured, scripted, station } from '../../support/watching.ts';

const PATH = '/metrics/stations';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Sends a request to a server over a network of these stations. */
async function scrape(stations: readonly Station[], query = '', options: RequestOptions = {}) {
  const server = await startServer({
    service: scripted(() => stations),
    ...{ host: '127.0.0.1', port: 0, now: () => NOW },
  });
  closers.push(() => server.close());
  return sendRequest(server.baseUrl, PATH + query, options);
}

const fresh = (measured: Partial<Measured> = {}) => station({ timeMs: NOW - 60_000, ...measured });

/** The samples of a text without labels of the name, by the rest of their names. */
const samples = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

const MINUTE = 60_000;

describe('/metrics/stations', () => {
  it('/metrics/stations shows license and attribution, speeds in m/s, direction, time of measurement and state', async () => {
    const { status, headers, body } = await scrape([
      fresh({ name: 'Col du Vent', avg: 36, max: 45, min: 18, heading: 247.5 }),
    ]);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const labels = 'id="110",name="Col du Vent"';
    expect(samples(body)).toEqual([
      'vane_data_info{license="https://example.org/data-licensing",attribution="(c) contributors of the \\"Fixture\\" wind network <https://example.org>"} 1',
      `vane_wind_speed_average_meters_per_second{${labels}} 10`,
      `vane_wind_speed_minimum_meters_per_second{${labels}} 5`,
      `vane_wind_speed_maximum_meters_per_second{${labels}} 12.5`,
      `vane_wind_direction_degrees{${labels}} 247.5`,
      `vane_last_measurement_timestamp_seconds{${labels}} ${(NOW - MINUTE) / 1000}`,
      `vane_station_state{${labels},state="on"} 1`,
      `vane_station_state{${labels},state="off"} 0`,
      `vane_station_state{${labels},state="unknown"} 0`,
    ]);
    for (const [, name] of body.matchAll(/^# TYPE (\w+) gauge$/gm)) {
      expect(body).toMatch(new RegExp(`^# HELP ${name} \\w.*\\.$`, 'm'));
    }
  });

  it.each([
    [
      'all four wind values of a measurement exactly 45 minutes old',
      fresh({ timeMs: NOW - 45 * MINUTE }),
      4,
    ],
    [
      'no wind value of a measurement over 45 minutes old',
      fresh({ timeMs: NOW - 45 * MINUTE - 1 }),
      0,
    ],
    ['no wind value of a measurement without values', fresh({ avg: null, heading: null }), 0],
  ])(
    '/metrics/stations shows %s, and always its time and the state of the station',
    async (_, one, count) => {
      const { body } = await scrape([one]);
      expect(samples(body).filter((line) => line.startsWith('vane_wind')).length).toBe(count);
      expect(body).toContain('\nvane_last_measurement_timestamp_seconds{');
      expect(body).toContain('\nvane_station_state{');
    },
  );

  it('/metrics/stations escapes hostile station names, which add no line and no label', async () => {
    const name = 'a"b\\c\nvane_evil{x="1"} 1\r\u001b[2J\u0000\u2028\u202e,state="off"} 9';
    const { body } = await scrape([fresh({ name })]);
    const [, ...ofStation] = samples(body);
    expect(ofStation.length).toBe(8);
    for (const line of ofStation) {
      expect(line).toMatch(
        /^vane_\w+\{id="110",name="(?:[^"\\\n]|\\["\\n])*"(,state="\w+")?\} \S+$/,
      );
      expect(line).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    }
    expect(body).toContain('name="a\\"b\\\\c vane_evil');
  });

  it('/metrics/stations cuts the name of a station at 200 characters', async () => {
    const { body } = await scrape([fresh({ name: '\u{1f4a8}'.repeat(5000) })]);
    expect(body).toContain(`name="${'\u{1f4a8}'.repeat(200)}…"`);
  });

  const THREE = [
    fresh({ id: 1 }),
    fresh({ id: 2 }),
    { ...fresh({ id: 3 }), location: { ...fresh().location, latitude: 50 } },
  ];
  it.each([
    ['', [1, 2, 3]],
    ['?id=2', [2]],
    ['?id=2&id=3&id=2', [2, 3]],
    [`?id=2&id=${UNKNOWN_STATION}`, [2]],
    ['?near=45,6&radius=10nm', [1, 2]],
    ['?near=45,6&radius=10&id=2', [2]],
    ['?bbox=5,49,7,51', [3]],
    ['?bbox=0,0,1,1', []],
    ['?colour=red', [1, 2, 3]],
  ])(
    '/metrics/stations with the query “%s” shows the stations with the ids %j',
    async (query, ids) => {
      const { status, body } = await scrape(THREE, query);
      expect(status).toBe(200);
      const found = [...body.matchAll(/^vane_wind_direction_degrees\{id="(\d+)"/gm)];
      expect(found.map(([, id]) => Number(id))).toEqual(ids);
    },
  );

  it.each([
    [`?id=${UNKNOWN_STATION}`, 404, 'station_not_found'],
    ['?id=PP110', 400, 'invalid_argument'],
    ['?id=', 400, 'invalid_argument'],
    ['?near=45,6', 400, 'missing_argument'],
    ['?radius=10', 400, 'missing_argument'],
    ['?near=north&radius=10', 400, 'invalid_argument'],
    ['?near=45,6&radius=0', 400, 'invalid_argument'],
    ['?bbox=1,2,3', 400, 'invalid_argument'],
    ['?bbox=1,2,3,4&bbox=1,2,3,4', 400, 'invalid_argument'],
    [`?near=45,${'6'.repeat(200)}&radius=10`, 400, 'invalid_argument'],
    [`?id=2&id=${'0'.repeat(200)}2`, 400, 'invalid_argument'],
  ])('/metrics/stations responds to the query %s with %i %s', async (query, status, code) => {
    const reply = await scrape(THREE, query);
    expect([reply.status, JSON.parse(reply.body).error_code]).toEqual([status, code]);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
  });

  it('/metrics/stations writes the responses to requests of one moment one in each turn of the event loop', async () => {
    const turns = countInTurns();
    const meta = {
      get name() {
        turns.count();
        return 'Col du Vent';
      },
    };
    const server = await startServer({
      service: scripted(() => [{ ...fresh(), meta }]),
      ...{ host: '127.0.0.1', port: 0, now: () => NOW },
    });
    closers.push(() => server.close());
    await sendRequest(server.baseUrl, PATH);
    const connection = await openRaw(server.baseUrl);
    const targets = Array.from({ length: 20 }, (_, n) => `${PATH}?near=45,6&radius=${n + 10}km`);
    turns.begin();
    connection.send(
      targets.map((target) => requestBytes(target)).join(''),
      targets.map(() => 'GET'),
    );
    for (const _ of targets) expect((await connection.next())?.status).toBe(200);
    connection.socket.destroy();
    expect(turns.end()).toBeLessThanOrEqual(2);
  });

  it('/metrics/stations serves GET to pages of any origin, and refuses other methods', async () => {
    const { headers } = await scrape(THREE, '', { headers: { origin: 'https://a.example' } });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect((await scrape(THREE, '', { method: 'POST' })).status).toBe(405);
  });

  it('/metrics/stations is counted as an endpoint of its own in /metrics', () => {
    expect([PATH, '/metrics', '/v1/live/:station?'].map(endpointLabel)).toEqual([
      ...['stations', 'metrics', 'live'],
    ]);
  });

  it('/metrics/stations is described in openapi.json with each status that it sends', () => {
    const { parameters, responses } = OPENAPI.paths[PATH].get;
    expect(parameters.map(({ name }) => name)).toEqual(['id', 'near', 'radius', 'bbox']);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '304', '400', '404', '429', '503', 'default']),
    );
  });
});

/** Runs vane serve until the test is over. */
const serve = (...args: string[]) => serveAt(handClock(), ...args);

async function serveAt(clock: HandClock, ...args: string[]): Promise<string> {
  const io = { ...fakeIo(), ...clock };
  const done = run(['serve', '--port', '0', ...args], io);
  closers.push(async () => {
    io.interrupt(new InterruptedError('SIGINT'));
    expect(await done).toBe(0);
  });
  await until(() => io.out() !== '');
  return io.out().trim();
}

describe('/metrics/stations of vane serve', () => {
  let network: RunningServer;
  it('/metrics/stations needs one request to the service for any number of scrapes', async () => {
    network = await startServer({
      service: fixtureService,
      ...{ host: '127.0.0.1', port: 0, now: () => NOW },
    });
    closers.push(() => network.close());
    const baseUrl = await serve('--upstream', network.baseUrl, '--no-cache');
    const targets = [PATH, `${PATH}?id=110`, `${PATH}?id=603`, PATH];
    for (const target of targets) expect((await sendRequest(baseUrl, target)).status).toBe(200);
    const { body } = await sendRequest(baseUrl, '/metrics');
    expect(body).toMatch(/^vane_upstream_requests_total\{endpoint="live.*"\} 1$/m);
    expect(body).toMatch(/^vane_requests_total\{endpoint="stations",status="200"\} 4$/m);
    // The last one is the first one again.
    expect(body).toMatch(/^vane_answers_total\{result="hit"\} 1$/m);
  });

  it('/metrics/stations shows no speed older than 45 minutes while the service fails', async () => {
    network = await startServer({
      service: fixtureService,
      ...{ host: '127.0.0.1', port: 0, now: () => NOW },
    });
    const clock = handClock();
    const baseUrl = await serveAt(clock, '--upstream', network.baseUrl, '--no-cache');
    expect((await sendRequest(baseUrl, `${PATH}?id=7`)).body).toContain(
      '\nvane_wind_speed_average',
    );
    await network.close();
    clock.advance(43 * MINUTE);
    expect((await sendRequest(baseUrl, `${PATH}?id=7`)).body).toContain(
      '\nvane_wind_speed_average',
    );
    clock.advance(2 * MINUTE);
    const { headers, body } = await sendRequest(baseUrl, `${PATH}?id=7`);
    expect(headers.warning).toBe('110 - "Response is Stale"');
    expect(body).not.toContain('\nvane_wind_speed_average');
    expect(body).toContain('\nvane_last_measurement_timestamp_seconds{');
  });

  it('/metrics/stations stays at the port of vane serve when --metrics-port moves /metrics to another port', async () => {
    const baseUrl = await serve('--demo', '--metrics-port', '0');
    expect((await sendRequest(baseUrl, `${PATH}?id=110`)).status).toBe(200);
    expect((await sendRequest(baseUrl, '/metrics')).status).toBe(404);
  });

  it('requests for /metrics/stations count towards the rate limit of a client like other requests', async () => {
    const baseUrl = await serve('--demo', '--rate', '2');
    const statuses = [];
    for (let i = 0; i < 3; i++)
      statuses.push((await sendRequest(baseUrl, `${PATH}?id=110`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

const isMissing = (): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    console.log('skipped: promtool check metrics, which is not installed');
    return true;
  }
};

it.skipIf(isMissing())('promtool finds no fault in the metrics of all stations', async () => {
  const baseUrl = await serve('--demo');
  const { body } = await sendRequest(baseUrl, PATH);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: body,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
