import { afterEach, describe, expect, it } from 'vitest';
import { NotFoundError } from '../../src/errors.ts';
import { readTrustProxy } from '../../src/server/edge/clientAddress.ts';
import type { StationService } from '../../src/service/service.ts';
import { fixtureService } from '../support/fixture-service.ts';
import { startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { sendRequest } from '../support/http.ts';
import { openRaw, requestBytes } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
/** A station that the list lacks, with a response of its own. */
const SILENT = 41;

const service: StationService = {
  ...fixtureService,
  async liveAll(options) {
    const all = await fixtureService.liveAll(options);
    return { ...all, data: all.data.filter(({ id }) => id !== SILENT) };
  },
};

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp() {
  const clock = handClock();
  const upstream = await startUpstream(clock, service);
  closers.push(upstream.close);
  const trustProxy = readTrustProxy('loopback');
  const front = await startFront(upstream.baseUrl, { clock, trustProxy });
  closers.push(front.close);
  /** Questions about one station, without those for the list. */
  const questions = () => upstream.arrivals.filter(({ url }) => !url.endsWith('/all')).length;
  return { clock, upstream, baseUrl: front.baseUrl, questions };
}

/** Sends requests from two connections at once. @returns how many there were of each status */
async function flood(baseUrl: string, targets: readonly string[]) {
  const connections = await Promise.all(Array.from({ length: 2 }, () => openRaw(baseUrl)));
  const counts: Record<number, number> = {};
  await Promise.all(
    connections.map(async (connection, offset) => {
      const own = targets.filter((_, i) => i % connections.length === offset);
      connection.send(
        own.map((target) => requestBytes(target)).join(''),
        own.map(() => 'GET'),
      );
      for (const _ of own) {
        const { status = 0 } = (await connection.next()) ?? {};
        counts[status] = (counts[status] ?? 0) + 1;
      }
      connection.socket.destroy();
    }),
  );
  return counts;
}

/** For each of the two connections of `flood` more than it may have open at once, which is 32. */
const IDS = Array.from({ length: 80 }, (_, i) => 1_000_000 + i);
const PERIOD = 'start=2023-12-01&stop=2023-12-02';

describe('serve --upstream, with requests for unknown stations,', () => {
  it.each([
    ['/v1/live', (id: number) => `/v1/live/${id}`],
    ['/v1/live-with-meta', (id: number) => `/v1/live-with-meta/${id}`],
    ['/v1/archive', (id: number) => `/v1/archive/${id}?${PERIOD}`],
  ])(
    'serve --upstream passes on at most ten requests a minute for unknown stations at %s to the service, for all clients together',
    async (_, targetOf) => {
      const { clock, baseUrl, questions } = await setUp();
      expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(200);
      expect(await flood(baseUrl, IDS.map(targetOf))).toEqual({ 404: 10, 503: 70 });
      expect(questions()).toBe(10);
      clock.advance(MINUTE - 1);
      expect(await flood(baseUrl, IDS.map(targetOf))).toEqual({ 404: 10, 503: 70 });
      expect(questions()).toBe(10);
      clock.advance(1);
      await flood(baseUrl, IDS.map(targetOf));
      // Stations of before are requested again while their clients get the cached response.
      await until(() => questions() >= 20);
      expect(questions()).toBe(20);
    },
  );

  it('serve --upstream passes on at most ten requests a minute for unknown stations to the service, for all endpoints together', async () => {
    const { baseUrl, questions } = await setUp();
    await sendRequest(baseUrl, '/v1/live/110');
    const targets = IDS.flatMap((id) => [`/v1/live/${id}`, `/v1/archive/${id}?${PERIOD}`]);
    await flood(baseUrl, targets);
    expect(questions()).toBe(10);
  });

  it('serve --upstream passes on ten archive requests and refuses the rest with 503 until it knows the list of stations', async () => {
    const { baseUrl, questions } = await setUp();
    const counts = await flood(
      baseUrl,
      IDS.map((id) => `/v1/archive/${id}?${PERIOD}`),
    );
    expect(counts).toEqual({ 404: 10, 503: 70 });
    expect(questions()).toBe(10);
  });

  it('serve --upstream does not say that a station does not exist while too many unknown ids are requested', async () => {
    const { clock, baseUrl } = await setUp();
    await sendRequest(baseUrl, '/v1/live/110');
    const targets = IDS.map((id) => `/v1/live/${id}`);
    await flood(baseUrl, targets.slice(0, 10));
    for (const target of [`/v1/live/${SILENT}`, `/v1/archive/${SILENT}?${PERIOD}`]) {
      const { status, headers, body } = await sendRequest(baseUrl, target);
      expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
      expect(headers['retry-after']).toBe('60');
    }
    clock.advance(MINUTE);
    expect((await sendRequest(baseUrl, `/v1/live/${SILENT}`)).status).toBe(200);
  });

  it('requests for unknown ids do not block known stations of serve --upstream', async () => {
    const { clock, baseUrl } = await setUp();
    await sendRequest(baseUrl, '/v1/live/110');
    const silent = `/v1/archive/${SILENT}?start=2024-01-15&stop=2024-01-15T06`;
    expect((await sendRequest(baseUrl, silent)).status).toBe(200);
    await flood(
      baseUrl,
      IDS.map((id) => `/v1/live/${id}`),
    );
    expect((await sendRequest(baseUrl, `/v1/archive/603?${PERIOD}`)).status).toBe(200);
    expect((await sendRequest(baseUrl, `/v1/archive/${SILENT}?${PERIOD}`)).status).toBe(200);
    clock.advance(MINUTE / 2);
    expect((await sendRequest(baseUrl, '/v1/live/7')).status).toBe(200);
  });
});

describe('a station that is missing in the list of all stations', () => {
  it('a station that is missing in the list of all stations is requested once, then served from memory even while requests for unknown ids are blocked', async () => {
    const { clock, baseUrl, questions } = await setUp();
    const target = `/v1/live/${SILENT}`;
    expect((await sendRequest(baseUrl, target)).status).toBe(200);
    expect(await flood(baseUrl, Array(100).fill(target))).toEqual({ 200: 100 });
    expect(questions()).toBe(1);
    clock.advance(MINUTE);
    await flood(
      baseUrl,
      IDS.map((id) => `/v1/live/${id}`),
    );
    await until(() => questions() >= 11);
    expect(questions()).toBe(11);
    expect((await sendRequest(baseUrl, target)).status).toBe(200);
    expect(questions()).toBe(11);
  });
});

it('serve --upstream responds with 404 to a station that the service does not know', async () => {
  const { baseUrl } = await setUp();
  const reply = await sendRequest(baseUrl, '/v1/live/999');
  expect(reply.status).toBe(404);
  expect(JSON.parse(reply.body).error_message).toBe('Station 999 is unknown.');
  await expect(service.live(999, { withMeta: false })).rejects.toThrow(NotFoundError);
});

it.each([
  [400, 'invalid_argument', 'start is odd.'],
  [403, 'forbidden', 'Not you␛[2J.'],
  [404, 'station_not_found', 'There is no such station.'],
] as const)(
  'serve --upstream responds with %i %s to an archive request that the service refuses with this status',
  async (status, code, message) => {
    const { upstream, baseUrl } = await setUp();
    await sendRequest(baseUrl, '/v1/live/110');
    upstream.behave(`status${status}`);
    const reply = await sendRequest(baseUrl, `/v1/archive/110?${PERIOD}`);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      status,
      { error_code: code, error_message: message },
    ]);
  },
);
