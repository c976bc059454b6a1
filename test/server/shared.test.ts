import { createServer } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readTrustProxy } from '../../src/server/edge/clientAddress.ts';
import { type ServerOptions, startServer } from '../../src/server/server.ts';
import { SIMULATED_STATIONS } from '../../src/service/simulated/network.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { fixtureService, UNKNOWN_STATION } from '../support/fixture-service.ts';
import {
  type Front,
  type FrontOptions,
  startFront,
  startUpstream,
  type TestUpstream,
} from '../support/fronts.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { sendRawRequest, sendRequest } from '../support/http.ts';
import {
  openRaw,
  type RawConnection,
  type RawReply,
  requestBytes,
} from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { conformanceSuite } from './conformance.ts';

const MINUTE = 60_000;

interface Chain {
  readonly clock: HandClock;
  readonly upstream: TestUpstream;
  readonly front: Front;
  readonly baseUrl: string;
  close(): Promise<void>;
}

async function openChain(options: Partial<FrontOptions> = {}, service = fixtureService) {
  const clock = handClock();
  const upstream = await startUpstream(clock, service);
  const front = await startFront(upstream.baseUrl, { clock, ...options });
  const close = async (): Promise<void> => {
    await front.close();
    await upstream.close();
  };
  return { clock, upstream, front, baseUrl: front.baseUrl, close } satisfies Chain;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts an upstream and a cache server that are closed after the test. */
async function setUp(options: Partial<FrontOptions> = {}, service = fixtureService) {
  const chain = await openChain(options, service);
  closers.push(chain.close);
  return chain;
}

describe('serve --upstream', () => {
  conformanceSuite(() => openChain(), { isSample: true });
});

describe('serve --upstream, compared with its service,', () => {
  let chain: Chain;
  let second: Front;
  beforeAll(async () => {
    chain = await openChain();
    second = await startFront(chain.front.baseUrl, { clock: chain.clock });
  });
  afterAll(async () => {
    await second.close();
    await chain.close();
  });

  const PERIODS = {
    closed: 'start=2023-12-01&stop=2023-12-02',
    'over two closed windows': 'start=2023-11-20&stop=2023-11-28',
    'from a closed window into an open one': 'start=2023-12-23&stop=2023-12-27',
    open: 'start=2024-01-15&stop=2024-01-15T06',
    'to now': 'start=last-day&stop=now',
    empty: 'start=2023-12-01&stop=2023-12-01',
    future: 'start=2024-01-15T11&stop=2024-01-16',
  };
  const TARGETS = [
    ...[7, 19, 41, 110, 603, 1333].flatMap((id) => [
      `/v1/live/${id}`,
      `/v1/live-with-meta/${id}`,
      `/v1/live-with-meta/${id}?callback=a.b[0]`,
    ]),
    '/v1/live/all',
    '/v1/live-with-meta/all',
    '/v1/live/all?callback=show',
    ...Object.values(PERIODS).flatMap((period) =>
      ['', '&format=csv', '&format=txt', '&callback=show'].map(
        (format) => `/v1/archive/110?${period}${format}`,
      ),
    ),
    `/v1/archive/603?${PERIODS['to now']}`,
    `/v1/archive/19?${PERIODS['from a closed window into an open one']}`,
  ];

  it.each(TARGETS)(
    'serve --upstream serves %s with the same bytes as its service, and so does a second cache server behind it',
    async (target) => {
      const own = await sendRequest(chain.upstream.baseUrl, target);
      expect(own.status).toBe(200);
      for (const { baseUrl } of [chain.front, second]) {
        // The second time they come out of memory.
        for (let times = 0; times < 2; times++) {
          const { status, headers, body } = await sendRequest(baseUrl, target);
          expect([status, headers['content-type']]).toEqual([200, own.headers['content-type']]);
          expect(body).toBe(own.body);
        }
      }
    },
  );

  it.each([
    [`/v1/live/${UNKNOWN_STATION}`, 404, 'station_not_found'],
    [`/v1/archive/${UNKNOWN_STATION}?${PERIODS.closed}`, 404, 'station_not_found'],
    ['/v1/archive/110?start=2023-01-01&stop=2023-03-01', 413, 'request_too_large'],
    ['/v1/archive/110?start=2023-01-01', 400, 'missing_argument'],
    ['/v1/live/a', 400, 'missing_argument'],
  ])(
    'serve --upstream refuses %s with %i %s like its service, and so does a second cache server behind it',
    async (target, status, code) => {
      for (const { baseUrl } of [chain.front, second]) {
        const reply = await sendRequest(baseUrl, target);
        expect([reply.status, JSON.parse(reply.body).error_code]).toEqual([status, code]);
      }
    },
  );
});

describe('serve --upstream, sent requests of real clients:', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await openChain({}, simulatedService(handClock().now));
  });
  afterAll(() => chain.close());

  it('the response of serve --upstream for one station fits into 2 kB, headers included', async () => {
    const connection = await openRaw(chain.baseUrl);
    const ids = [...SIMULATED_STATIONS.keys()].filter((_, index) => index % 5 === 0);
    connection.send(
      ids.map((id) => requestBytes(`/v1/live/${id}`)).join(''),
      ids.map(() => 'GET'),
    );
    let largest = 0;
    for (const _ of ids) largest = Math.max(largest, (await connection.next())?.bytes ?? Infinity);
    connection.socket.destroy();
    expect(largest).toBeLessThan(2048);
  });

  const [ID = 0] = SIMULATED_STATIONS.keys();

  it('a request target in absolute form is served like its path, whatever its host', async () => {
    const target = `/v1/live/${ID}`;
    const { body } = await sendRequest(chain.baseUrl, target);
    for (const host of ['http://api.example', 'HTTP://a:80', 'http://u:p@[::1]:9', 'https://b']) {
      expect(await sendRequest(chain.baseUrl, host + target)).toMatchObject({ status: 200, body });
    }
  });

  it.each([
    'start=2023-12-01T01:00+01:00&stop=2023-12-01T03:00+01:00',
    'start=2023-12-01T01:00%2B01:00&stop=2023-12-01T03:00%2B01:00',
    'start=2023-12-01T00:00:00+00:00&stop=2023-12-01T02:00:00%2B00:00',
    'start=2023-12-01T01:00%2b0100&stop=2023-12-01T03:00+0100&_=1701388800000&utm_source=x',
  ])(
    'serve --upstream accepts archive dates with an offset, and ignores unknown arguments: %s',
    async (query) => {
      const plain = 'start=2023-12-01T00:00Z&stop=2023-12-01T02:00Z';
      const { body } = await sendRequest(chain.baseUrl, `/v1/archive/${ID}?${plain}`);
      expect(JSON.parse(body).data.length).toBeGreaterThan(0);
      expect(await sendRequest(chain.baseUrl, `/v1/archive/${ID}?${query}`)).toMatchObject({
        status: 200,
        body,
      });
    },
  );

  it.each([
    ['HTTP/1.0', 'GET TARGET HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 with a host', 'GET TARGET HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['Connection: close', 'GET TARGET HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ])(
    'a client of serve --upstream that sends %s gets the whole response, and then its connection is closed',
    async (_, bytes) => {
      const target = `/v1/live/${ID}`;
      const { body } = await sendRequest(chain.baseUrl, target);
      for (const path of [target, `${target}?n=${Math.PI}`]) {
        const reply = await sendRawRequest(chain.baseUrl, bytes.replace('TARGET', path));
        expect(reply).toMatchObject({ status: 200, body });
        expect(reply.headers).toMatchObject({
          connection: 'close',
          'content-length': String(Buffer.byteLength(body)),
        });
      }
    },
  );
});

describe('serve --upstream:', () => {
  let chain: Chain;
  let connection: RawConnection;
  beforeAll(async () => {
    chain = await openChain();
    connection = await openRaw(chain.baseUrl);
  });
  afterAll(async () => {
    connection.socket.destroy();
    await chain.close();
  });

  const ALL = '/v1/live-with-meta/all';
  const CLOSED = '/v1/archive/110?start=2023-12-01&stop=2023-12-02&format=csv';

  async function raw(target: string, headers: Record<string, string> = {}, method = 'GET') {
    // Bytes too many would be the begin of the next response.
    connection.send(requestBytes(target, headers, method), [method]);
    return (await connection.next()) as RawReply;
  }

  const DECODERS = {
    identity: (body: Buffer) => body,
    gzip: gunzipSync,
    br: brotliDecompressSync,
  };

  it.each<readonly [string | undefined, keyof typeof DECODERS]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0, br', 'br'],
    ['*', 'br'],
    ['deflate', 'identity'],
    ['nonsense;;q=', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0, *', 'identity'],
    ['*;q=0', 'identity'],
  ])(
    'a request with Accept-Encoding: %s is sent with the content coding %s',
    async (accepted, coding) => {
      for (const target of [ALL, CLOSED]) {
        const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
        const plain = await raw(target);
        const reply = await raw(target, headers);
        expect(reply.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
        expect(reply.headers.vary).toBe('Accept-Encoding');
        expect(reply.headers['content-length']).toBe(String(reply.body.length));
        expect(DECODERS[coding](reply.body).equals(plain.body)).toBe(true);
        const head = await raw(target, headers, 'HEAD');
        expect({ ...head.headers, date: '' }).toEqual({ ...reply.headers, date: '' });
        expect(head.body).toHaveLength(0);
      }
    },
  );

  it('the ETag of a response differs between content codings and stays the same between requests', async () => {
    const tags: (string | undefined)[] = [];
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      const first = await raw(CLOSED, headers);
      const again = await raw(CLOSED, headers);
      expect(again.body.equals(first.body)).toBe(true);
      expect(again.headers.etag).toBe(first.headers.etag);
      tags.push(first.headers.etag);
    }
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });

  it.each(['GET', 'HEAD'])(
    'a conditional %s gets 304 if the client has the current response',
    async (method) => {
      for (const target of [ALL, CLOSED]) {
        for (const coding of ['identity', 'gzip']) {
          const accept = { 'accept-encoding': coding };
          const { headers } = await raw(target, accept);
          const { etag = '' } = headers;
          const requested: Record<string, string>[] = [
            { 'if-none-match': etag },
            { 'if-none-match': `W/${etag}` },
            { 'if-none-match': `"x", W/"y" ,${etag}` },
            { 'if-none-match': '*' },
            // The tag decides where there are both (RFC 9110, 13.1.3).
            { 'if-none-match': etag, 'if-modified-since': new Date(0).toUTCString() },
          ];
          for (const condition of requested) {
            const reply = await raw(target, { ...accept, ...condition }, method);
            expect([condition, reply.status, reply.bytes > 0]).toEqual([condition, 304, true]);
            expect(reply.body).toHaveLength(0);
            expect(reply.headers['content-length']).toBeUndefined();
            for (const name of ['etag', 'vary', 'cache-control', 'access-control-allow-origin']) {
              expect(reply.headers[name]).toBe(headers[name]);
            }
          }
          const other = coding === 'gzip' ? 'identity' : 'gzip';
          const unmet: Record<string, string>[] = [
            { 'if-none-match': '"x"' },
            { 'if-none-match': etag, 'accept-encoding': other },
            { 'if-none-match': etag, 'cache-control': 'no-cache' },
            { 'if-none-match': etag.slice(1, -1) },
            { 'if-modified-since': 'nonsense' },
            { 'if-none-match': '"x"', 'if-modified-since': headers.date as string },
          ];
          for (const condition of unmet) {
            const reply = await raw(target, { ...accept, ...condition }, method);
            expect([condition, reply.status]).toEqual([condition, 200]);
          }
        }
      }
    },
  );

  it('If-Modified-Since gets 304 for live data as old as those of the client, and never for final data', async () => {
    const { headers } = await raw(ALL);
    const modified = headers['last-modified'] as string;
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    const statusOf = async (target: string, since: string) =>
      (await raw(target, { 'if-modified-since': since })).status;
    expect([await statusOf(ALL, modified), await statusOf(ALL, earlier)]).toEqual([304, 200]);
    // It is not known when final data changed last.
    expect((await raw(CLOSED)).headers['last-modified']).toBeUndefined();
    expect(await statusOf(CLOSED, 'Fri, 01 Jan 2100 00:00:00 GMT')).toBe(200);
  });

  it('Cache-Control lets clients cache a closed archive for a day, and other data for the rest of their minute', async () => {
    const { clock, baseUrl } = await setUp();
    const control = async (target: string) => {
      const { headers } = await sendRequest(baseUrl, target);
      return [headers['cache-control'], headers.age, headers['x-accel-expires'], headers.warning];
    };
    const forADay = ['public, max-age=86400', undefined, undefined, undefined];
    const inItsMinute = (ageS: number) => [
      'public, max-age=60, stale-while-revalidate=60',
      String(ageS),
      String(60 - ageS),
      undefined,
    ];
    const open = '/v1/archive/110?start=2024-01-15&stop=2024-01-15T06';
    expect(await control(CLOSED)).toEqual(forADay);
    for (const ageS of [0, 20, 59]) {
      expect(await control('/v1/live/110')).toEqual(inItsMinute(ageS));
      expect(await control(open)).toEqual(inItsMinute(ageS));
      clock.advance(ageS === 0 ? 20_000 : 39_000);
    }
    expect(await control(CLOSED)).toEqual(forADay);
  });

  it.each(['/v1/live/abc', `/v1/live/${UNKNOWN_STATION}`, '/v1/archive/110', '/nothing'])(
    'the error for %s may not be cached by clients',
    async (target) => {
      const { headers } = await raw(target);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers.etag).toBeUndefined();
    },
  );

  it('a response whose data did not change keeps its ETag after a refresh', async () => {
    const { clock, front, upstream, baseUrl } = await setUp();
    const { etag } = (await sendRequest(baseUrl, ALL, { headers: { 'accept-encoding': 'gzip' } }))
      .headers;
    const size = front.responseBytes;
    clock.advance(MINUTE);
    await sendRequest(baseUrl, ALL);
    await until(() => !(upstream.arrivals.length < 2 || front.liveAgeMs() >= MINUTE));
    const condition = { 'accept-encoding': 'gzip', 'if-none-match': etag ?? '' };
    expect((await sendRequest(baseUrl, ALL, { headers: condition })).status).toBe(304);
    expect(front.responseBytes).toBe(size);
  });
});

describe('the limits of the server:', () => {
  async function start(options: Partial<ServerOptions>) {
    const server = await startServer({
      ...{ service: fixtureService, host: '127.0.0.1', port: 0, now: handClock().now },
      ...options,
    });
    closers.push(() => server.close());
    return server;
  }

  it.each([
    ['is the client if --trust-proxy names the peer', 'loopback', [200, 429, 200]],
    ['is not the client without --trust-proxy', undefined, [200, 429, 429]],
  ])(
    'for the limit of requests, the last address of X-Forwarded-For %s',
    async (_, trusted, statuses) => {
      const { now } = handClock();
      const { baseUrl } = await start({
        now,
        trustProxy: trusted === undefined ? undefined : readTrustProxy(trusted),
        rateLimit: { perMinute: 1 },
      });
      const seen: number[] = [];
      for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
        const headers = { 'x-forwarded-for': `203.0.113.9, ${client}` };
        seen.push((await sendRequest(baseUrl, '/v1/live/110', { headers })).status);
      }
      expect(seen).toEqual(statuses);
    },
  );

  it('a connection over the maximum of the server is closed, and there is room again when one closes', async () => {
    const server = await start({ maxConnections: 2 });
    const [a, b] = [await openRaw(server.baseUrl), await openRaw(server.baseUrl)];
    for (const { send, next } of [a, b]) {
      send(requestBytes('/v1/live/110'));
      expect((await next())?.status).toBe(200);
    }
    const third = await openRaw(server.baseUrl);
    await third.closed;
    expect(await third.next()).toBeUndefined();
    a.socket.destroy();
    await until(async () => (await server.connections()) <= 1);
    expect((await sendRequest(server.baseUrl, '/v1/live/110')).status).toBe(200);
    b.socket.destroy();
  });

  it('cached responses of the server never use more bytes than maxResponseBytes', async () => {
    const maxResponseBytes = 100_000;
    const { front } = await setUp({ maxResponseBytes });
    const connection = await openRaw(front.baseUrl);
    let most = 0;
    for (let n = 0; n < 60; n++) {
      connection.send(
        requestBytes(`/v1/live-with-meta/all?callback=f${n}`, { 'accept-encoding': 'gzip' }),
      );
      expect((await connection.next())?.status).toBe(200);
      most = Math.max(most, front.responseBytes);
    }
    connection.socket.destroy();
    expect(most).toBeLessThanOrEqual(maxResponseBytes);
    expect(most).toBeGreaterThan(maxResponseBytes / 2);
  });
});

describe('serve --upstream, sent addresses in targets and headers,', () => {
  it('serve --upstream contacts its upstream and no other address, whatever addresses requests contain', async () => {
    const { upstream, baseUrl } = await setUp();
    let trapped = 0;
    const trap = createServer((socket) => {
      trapped++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    closers.push(async () => void trap.close());
    const { port } = trap.address() as { port: number };
    const evil = `127.0.0.1:${port}`;
    const archive = 'start=2023-12-01&stop=2023-12-02';
    const targets = [
      `http://${evil}/v1/live/110`,
      `http://${evil}/v1/live-with-meta/${UNKNOWN_STATION}`,
      `http://${evil}/v1/archive/110?${archive}`,
      `http://${evil}/`,
      `//${evil}/v1/live/110`,
      `/v1/live/http://${evil}/`,
      `/v1/live/http:%2F%2F${evil}%2F`,
      `/v1/live/@${evil}/v1/live/110`,
      `/v1/live/110@${evil}`,
      `/v1/live/..%2f..%2f@${evil}`,
      `/v1/archive/110?${archive}&callback=http://${evil}/`,
      `/v1/archive/110?${archive}&url=http://${evil}/&upstream=http://${evil}/`,
      `/v1/archive/110%3fx=@${evil}?${archive}`,
      `/?url=http://${evil}/`,
      `ftp://${evil}/v1/live/110`,
    ];
    const headers = {
      host: evil,
      forwarded: `host=${evil}`,
      'x-forwarded-host': evil,
      'x-forwarded-for': evil,
      'x-original-url': `http://${evil}/`,
      'x-rewrite-url': `http://${evil}/`,
      origin: `http://${evil}`,
      referer: `http://${evil}/`,
    };
    for (const target of targets) {
      const reply = await sendRequest(baseUrl, target, { headers });
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(JSON.stringify(reply)).not.toContain(evil);
    }
    const own = `CONNECT ${evil} HTTP/1.1\r\nHost: ${evil}\r\n\r\n`;
    expect((await sendRawRequest(baseUrl, own)).status).toBe(405);
    expect(trapped).toBe(0);
    const { host } = new URL(upstream.baseUrl);
    const window = 'start=2023-11-24T00:00:00.000Z&stop=2023-12-25T00:00:00.000Z&format=json';
    expect(new Set(upstream.arrivals.map((arrival) => `${arrival.host} ${arrival.url}`))).toEqual(
      new Set([
        `${host} /v1/live-with-meta/all`,
        `${host} /v1/live-with-meta/${UNKNOWN_STATION}`,
        `${host} /v1/archive/110?${window}`,
      ]),
    );
  });
});
