import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { StationService } from '../../src/service/service.ts';
import { SIMULATED_STATIONS } from '../../src/service/simulated/network.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { FAULTS, type Fault } from '../support/faulty-server.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';
import { type Front, type FrontOptions, startFront, startUpstream } from '../support/fronts.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { sendRequest } from '../support/http.ts';
import {
  openRaw,
  type RawConnection,
  type RawReply,
  requestBytes,
} from '../support/raw-connection.ts';
import { until } from '../support/until.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MINUTES_AGO = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(
  options: Partial<FrontOptions> = {},
  serve: (clock: HandClock) => typeof fixtureService = () => fixtureService,
) {
  const clock = handClock();
  const upstream = await startUpstream(clock, serve(clock));
  closers.push(upstream.close);
  const front = await startFront(upstream.baseUrl, { clock, ...options });
  closers.push(front.close);
  return { clock, upstream, front };
}

async function openMany(baseUrl: string, count: number): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => openRaw(baseUrl)));
  closers.push(async () => {
    for (const { socket } of connections) socket.destroy();
  });
  return connections;
}

const textOf = (reply: RawReply | undefined): string => reply?.body.toString() ?? '';

/** The shortest time between two that follow each other. */
function closest(timesMs: readonly number[]): number {
  return Math.min(...timesMs.slice(1).map((time, i) => time - (timesMs[i] as number)));
}

describe('serve --upstream under load', () => {
  const ABSENT = 999_999;
  const [ID = 0] = SIMULATED_STATIONS.keys();
  const ALL = { 'accept-encoding': 'gzip' };
  const MONTH = `/v1/archive/${ID}?start=2023-11-01&stop=2023-12-01&format=csv`;

  /**
   * Every eighth station of the simulated network. The wind in the list of stations never changes,
   * which would take most of the time of the test; the dates of its measurements do.
   */
  function smallNetwork(now: () => number): StationService {
    const service = simulatedService(now);
    const list = service.liveAll({ withMeta: true });
    return {
      ...service,
      async liveAll() {
        const { data, ...head } = await list;
        const date = new Date(now()).toISOString();
        const stations = data.filter((_, index) => index % 8 === 0);
        return {
          ...head,
          data: stations.map((station) => ({
            ...station,
            measurements: { ...station.measurements, date },
          })),
        };
      },
    };
  }

  /** A request that connections send in turn: target, headers, method, and the right status. */
  type Question = readonly [string, Readonly<Record<string, string>>, string, number];
  const MIX: readonly Question[] = [
    [`/v1/live/${ID}`, {}, 'GET', 200],
    [`/v1/live-with-meta/${ID}`, {}, 'GET', 200],
    ['/v1/live/all', ALL, 'GET', 200],
    ['/v1/live-with-meta/all', ALL, 'GET', 200],
    [`/v1/live/${ABSENT}`, {}, 'GET', 404],
    [`/v1/live-with-meta/${ABSENT}`, {}, 'GET', 404],
    [MONTH, ALL, 'GET', 200],
    [MONTH, { 'if-none-match': '*' }, 'GET', 304],
    [`/v1/live/${ID}?callback=show`, {}, 'GET', 200],
    ['/v1/live-with-meta/all', {}, 'HEAD', 200],
    ['/v1/live/all', { 'if-none-match': '*' }, 'GET', 304],
    [`/v1/live/${ID}?callback=`, {}, 'GET', 400],
    ['/v1/live/nobody', {}, 'GET', 400],
    [`/v1/archive/${ID}?start=2023-11-05&stop=2023-11-05T01`, {}, 'GET', 200],
  ];

  it('serve --upstream under load from 200 connections requests the live data of all stations at most once in 60 s, and its memory does not grow within 40 minutes', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { clock, upstream, front } = await setUp({}, ({ now }) => smallNetwork(now));
    const connections = await openMany(front.baseUrl, 200);
    const wrong: string[] = [];
    const sizes: number[] = [];
    let requested = 0;
    let responses = 0;
    const STEPS = 60;
    for (let step = 0; step < STEPS; step++) {
      // In most steps only some send a request, so that the data are kept with few requests.
      const requesting = step % 30 === 0 ? connections : connections.slice(0, MIX.length / 2);
      requested += requesting.length;
      await Promise.all(
        requesting.map(async (connection, number) => {
          const [target, headers, inFull, status] = MIX[(number + step) % MIX.length] as Question;
          // Most of the time goes into large bodies, which are always the same.
          const method = headers === ALL && number % 6 > 0 ? 'HEAD' : inFull;
          connection.send(requestBytes(target, headers, method), [method]);
          const reply = await connection.next();
          responses++;
          const isOpen = reply?.headers['access-control-allow-origin'] === '*';
          if (reply?.status !== status || !isOpen) wrong.push(`${target}: ${reply?.status}`);
        }),
      );
      // Let all requests arrive at this moment of the clock, not a step later.
      await until(() => !(upstream.arrivals.length < front.sent() || front.liveAgeMs() >= MINUTE));
      if (step >= STEPS / 4 && step % 10 === 9) {
        collectGarbage();
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        sizes.push(heapUsed + arrayBuffers);
      }
      clock.advance(40 * SECOND);
    }
    expect([responses, wrong, front.defects]).toEqual([requested, [], []]);

    const timesOf = (url: string) =>
      upstream.arrivals.filter((arrival) => arrival.url === url).map(({ atMs }) => atMs);
    const live = timesOf('/v1/live-with-meta/all');
    const absent = timesOf(`/v1/live-with-meta/${ABSENT}`);
    expect(closest(live)).toBeGreaterThanOrEqual(MINUTE);
    expect(closest(absent)).toBeGreaterThanOrEqual(MINUTE);
    // A client sends a request at every step of 40 s, so the service gets one at every second step.
    expect(live).toHaveLength(STEPS / 2);
    expect(absent.length).toBeLessThanOrEqual(STEPS / 2);
    const others = upstream.arrivals.filter(({ url }) => url.startsWith('/v1/archive/'));
    expect(others).toHaveLength(2);
    expect(upstream.arrivals).toHaveLength(live.length + absent.length + others.length);

    const [first = 0] = sizes;
    // A leak grows every size; a response on its way grows only one of them.
    expect(Math.min(...sizes.slice(-3)) - first).toBeLessThan(1e6);
  });
});

describe('serve --upstream whose service fails', () => {
  /** Two for each target. */
  const CLIENTS = 8;
  const respond =
    (status: number, headers: Record<string, string>): Fault =>
    (response) =>
      response.writeHead(status, headers).end();

  const STALE_MINUTES = 5;
  const TARGETS = [
    '/v1/live/110',
    '/v1/live/all',
    '/v1/live-with-meta/110',
    '/v1/live/7?callback=f',
  ];

  async function requestOnEach(connections: readonly RawConnection[]): Promise<RawReply[]> {
    for (const [i, connection] of connections.entries()) {
      connection.send(requestBytes(TARGETS[i % TARGETS.length] as string));
    }
    const replies = await Promise.all(connections.map(({ next }) => next()));
    return replies.map((reply) => reply as RawReply);
  }

  const seen = (replies: readonly RawReply[]) =>
    Array.from(
      new Set(
        replies.map(({ status, headers: { age, warning } }) => `${status} ${age} ${warning}`),
      ),
    );

  const STALE_WARNING = '110 - "Response is Stale"';

  /**
   * Sends requests until the failure of a refresh has come back, which only the event loop decides.
   */
  async function untilNoted({ baseUrl }: Front): Promise<void> {
    let times = 0;
    await until(async () => {
      // A document of a new callback is written from the data of now.
      const { headers } = await sendRequest(baseUrl, `/v1/live/110?callback=f${times++}`);
      return headers.warning === STALE_WARNING;
    });
  }

  it.each<readonly [string, Fault | 'refused', number]>([
    ['refuses connections', 'refused', 60],
    ['sends HTML', FAULTS.html, 60],
    ['cuts its JSON', FAULTS.cutJson, 60],
    ['closes the connection within a body', FAULTS.cutBody, 60],
    ['resets connections', FAULTS.reset, 60],
    ['responds with 404', FAULTS.status404, 60],
    ['responds with 500', FAULTS.status500, 60],
    ['responds with 502 and an HTML page', FAULTS.status502, 60],
    ['responds with 429 and Retry-After', respond(429, { 'retry-after': '90' }), 90],
  ])(
    'serve --upstream serves stale data for 5 minutes and then 503 if the service %s, and fresh data once the service works again',
    async (_, fault, recoverySeconds) => {
      const { clock, upstream, front } = await setUp({ staleMs: STALE_MINUTES * MINUTE });
      const connections = await openMany(front.baseUrl, CLIENTS);
      expect(seen(await requestOnEach(connections))).toEqual(['200 0 undefined']);

      if (fault === 'refused') await upstream.kill();
      else upstream.behave(fault);
      const arrivedBefore = upstream.arrivals.length;
      for (let ageS = 30; ageS < STALE_MINUTES * 60; ageS += 30) {
        clock.advance(30 * SECOND);
        if (ageS === 60) {
          // The first clients do not wait for the response of the service.
          expect(seen(await requestOnEach(connections))).toEqual(['200 60 undefined']);
          await untilNoted(front);
          // The responses of just now were sent while this was not known, and are kept for a
          // second.
          continue;
        }
        const expected = `200 ${ageS} ${ageS < 60 ? undefined : STALE_WARNING}`;
        expect(seen(await requestOnEach(connections))).toEqual([expected]);
        await until(() => !(fault !== 'refused' && upstream.arrivals.length < front.sent()));
      }

      clock.advance(30 * SECOND);
      for (const reply of await requestOnEach(connections)) {
        expect(reply.status).toBe(503);
        expect(reply.headers).toMatchObject({
          'access-control-allow-origin': '*',
          'cache-control': 'no-store',
          'content-type': 'application/json; charset=utf-8',
        });
        expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(recoverySeconds);
        const body = JSON.parse(textOf(reply));
        expect(body.error_code).toBe('upstream_unavailable');
        expect(body.error_message).not.toContain(upstream.baseUrl.slice('http://'.length));
      }
      const requested = upstream.arrivals.slice(arrivedBefore).map(({ atMs }) => atMs);
      if (fault !== 'refused')
        expect(closest(requested)).toBeGreaterThanOrEqual(recoverySeconds * SECOND);

      upstream.behave('none');
      if (fault === 'refused') await upstream.revive();
      clock.advance(recoverySeconds * SECOND);
      expect(seen(await requestOnEach(connections))).toEqual(['200 0 undefined']);
      expect(front.defects).toEqual([]);
    },
  );

  it('serve --upstream serves cached data at once while the service hangs', async () => {
    // The timeout is longer than the test, so that a hanging request never ends by itself.
    const { clock, upstream, front } = await setUp({ timeoutMs: 600_000 });
    const connections = await openMany(front.baseUrl, CLIENTS);
    await requestOnEach(connections);
    upstream.behave('silence');
    for (let ageS = 60; ageS < 900; ageS += 30) {
      clock.advance(ageS === 60 ? MINUTE : 30 * SECOND);
      // The clock stands still, so a request that waited for it would wait for ever.
      expect(seen(await requestOnEach(connections))).toEqual([`200 ${ageS} undefined`]);
    }
    expect(upstream.arrivals).toHaveLength(2);
  });

  it('serve --upstream waits one second for a service that hangs before it serves data older than two minutes', async () => {
    const { clock, upstream, front } = await setUp({ timeoutMs: 600_000 });
    const connections = await openMany(front.baseUrl, CLIENTS);
    await requestOnEach(connections);
    upstream.behave('silence');
    clock.advance(5 * MINUTE);
    const responses = requestOnEach(connections);
    await until(() => clock.sleepers >= TARGETS.length);
    clock.advance(999);
    expect(await Promise.race([responses, turn('none')])).toBe('none');
    clock.advance(1);
    expect(seen(await responses)).toEqual(['200 301 undefined']);
    expect(clock.sleepers).toBe(0);
    expect(seen(await requestOnEach(connections))).toEqual(['200 301 undefined']);
  });

  it('serve --upstream responds with 503 after a service that hangs timed out, and recovers with the next refresh', async () => {
    const { clock, upstream, front } = await setUp({ timeoutMs: 1000, staleMs: 5 * MINUTE });
    const connections = await openMany(front.baseUrl, CLIENTS);
    await requestOnEach(connections);
    upstream.behave('silence');
    clock.advance(MINUTE);
    await untilNoted(front);
    clock.advance(4 * MINUTE);
    const replies = await requestOnEach(connections);
    expect(replies.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(503));
    expect(new Set(replies.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['10']));
    upstream.behave('none');
    clock.advance(MINUTE);
    expect(seen(await requestOnEach(connections))).toEqual(['200 0 undefined']);
    expect(upstream.arrivals).toHaveLength(4);
  });

  it('serve --upstream responds with 503 while the service is down from the start, and recovers within two seconds', async () => {
    const { clock, upstream, front } = await setUp();
    await upstream.kill();
    const connections = await openMany(front.baseUrl, CLIENTS);
    const replies = await requestOnEach(connections);
    expect(replies.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(503));
    expect(front.sent()).toBe(1);
    await upstream.revive();
    clock.advance(2 * SECOND);
    expect(seen(await requestOnEach(connections))).toEqual(['200 0 undefined']);
  });

  it('serve --upstream whose service fails serves cached archives, and requests an archive that is not cached at most once in five seconds', async () => {
    const { clock, upstream, front } = await setUp();
    const target = '/v1/archive/110?start=2023-11-20&stop=2023-11-21';
    const kept = await sendRequest(front.baseUrl, target);
    await upstream.kill();
    expect(await sendRequest(front.baseUrl, target)).toEqual({
      ...kept,
      headers: { ...kept.headers, date: expect.any(String) },
    });
    // This document is new, but made of rows in memory.
    expect((await sendRequest(front.baseUrl, `${target}T12&format=csv`)).status).toBe(200);

    const other = `/v1/archive/110?start=${MINUTES_AGO(180)}&stop=${MINUTES_AGO(120)}`;
    const before = front.sent();
    for (let times = 0; times < 5; times++) {
      const { status, headers, body } = await sendRequest(front.baseUrl, other);
      expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'retry-after': '10' });
    }
    expect(front.sent() - before).toBe(1);
    await upstream.revive();
    expect((await sendRequest(front.baseUrl, other)).status).toBe(503);
    clock.advance(5 * SECOND);
    expect((await sendRequest(front.baseUrl, other)).status).toBe(200);
  });
});

describe('hundreds of requests at once', () => {
  /** More than the 200 requests that may wait for the service. */
  const COUNT = 300;
  const EACH = 20;

  async function requestTogether(targetOf: (number: number) => string) {
    const { upstream, front } = await setUp();
    upstream.hold();
    const connections = await openMany(front.baseUrl, COUNT / EACH);
    for (const [i, { send }] of connections.entries()) {
      const targets = Array.from({ length: EACH }, (_, k) => targetOf(i * EACH + k));
      send(
        targets.map((target) => requestBytes(target)).join(''),
        targets.map(() => 'GET'),
      );
    }
    await until(() => front.begun() >= COUNT);
    await until(() => upstream.arrivals.length > 0);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(front.outcomes.size).toBe(0);
    upstream.release();
    const replies: RawReply[] = [];
    for (const { next } of connections) {
      for (let k = 0; k < EACH; k++) replies.push((await next()) as RawReply);
    }
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(COUNT);
    return { replies, upstream, front };
  }

  it('hundreds of requests at once for one period of an archive cause one request to the service, for the 31 days around the period', async () => {
    const { replies, upstream, front } = await requestTogether(
      () => '/v1/archive/110?start=2023-12-01&stop=2023-12-01T01',
    );
    expect(new Set(replies.map(textOf)).size).toBe(1);
    expect(JSON.parse(textOf(replies[0])).data).toHaveLength(12);
    expect(upstream.arrivals.map(({ url }) => url)).toEqual([
      '/v1/archive/110?start=2023-11-24T00:00:00.000Z&stop=2023-12-25T00:00:00.000Z&format=json',
    ]);
    await expect
      .poll(() => Object.fromEntries(front.outcomes), { timeout: 15_000 })
      .toEqual({ miss: 1, coalesced: COUNT - 1 });
  });

  it('hundreds of requests at once for many periods of one 31-day chunk, in each format, cause one request to the service', async () => {
    const { upstream } = await requestTogether((number) => {
      const day = `2023-12-${String(1 + (number % 20)).padStart(2, '0')}`;
      const format = ['json', 'csv', 'txt'][number % 3];
      return `/v1/archive/110?start=${day}&stop=${day}T01&format=${format}`;
    });
    expect(upstream.arrivals).toHaveLength(1);
  });

  it('hundreds of requests at once for live data cause one request to the service', async () => {
    const { upstream } = await requestTogether((number) =>
      number % 2 ? '/v1/live/110' : '/v1/live/7',
    );
    expect(upstream.arrivals.map(({ url }) => url)).toEqual(['/v1/live-with-meta/all']);
  });
});

describe('the stop of serve --upstream', () => {
  const LIVE = requestBytes('/v1/live/110');

  it('serve --upstream that is stopped finishes requests under way, closes idle connections and accepts no new connections', async () => {
    const { upstream, front } = await setUp();
    upstream.hold();
    const [idle, busy, half] = (await openMany(front.baseUrl, 3)) as [
      RawConnection,
      RawConnection,
      RawConnection,
    ];
    idle.send(requestBytes('/v1/live/abc'));
    expect((await idle.next())?.status).toBe(400);
    busy.send(LIVE);
    half.send(LIVE.slice(0, 20));
    await until(() => upstream.arrivals.length > 0);

    const closed = front.close(10_000);
    closers.splice(closers.indexOf(front.close), 1);
    await idle.closed;
    await expect(openRaw(front.baseUrl)).rejects.toThrow('ECONNREFUSED');
    upstream.release();
    const reply = await busy.next();
    expect(reply?.status).toBe(200);
    expect(reply?.headers.connection).toBe('close');
    await busy.closed;
    half.socket.destroy();
    await closed;
  });

  it('serve --upstream that is stopped drops requests that need longer than the grace period', async () => {
    const { upstream, front } = await setUp({ timeoutMs: 600_000 });
    upstream.behave('silence');
    const [busy] = (await openMany(front.baseUrl, 1)) as [RawConnection];
    busy.send(LIVE);
    await until(() => upstream.arrivals.length > 0);
    await front.close(50);
    closers.splice(closers.indexOf(front.close), 1);
    expect(await busy.next()).toBeUndefined();
  });

  it('serve --upstream that is stopped serves requests that arrive during the grace period on a connection in use', async () => {
    const { upstream, front } = await setUp();
    upstream.hold();
    const [busy] = (await openMany(front.baseUrl, 1)) as [RawConnection];
    busy.send(LIVE);
    await until(() => upstream.arrivals.length > 0);
    const closed = front.close(10_000);
    closers.splice(closers.indexOf(front.close), 1);
    const before = front.begun();
    busy.send(requestBytes('/v1/live/7'));
    await until(() => front.begun() > before);
    upstream.release();
    const replies = await busy.rest();
    expect(replies[0]?.status).toBe(200);
    for (const { status, headers } of replies) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect([200, 503]).toContain(status);
    }
    await closed;
  });
});
