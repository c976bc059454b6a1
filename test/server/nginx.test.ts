import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Nginx, startNginx, whyNoNginx } from '../support/nginx.ts';

const noNginx = whyNoNginx();
if (noNginx) console.log(`skipped: nginx in front of a server, as ${noNginx}`);

const BODY = JSON.stringify({ data: 'wind '.repeat(60_000) });
const ETAG = '"abc"';

interface Upstream {
  readonly server: Server;
  readonly port: number;
  /** Headers of the requests that arrived, in order. */
  readonly requested: IncomingHttpHeaders[];
  /** Number of connections that the requests used. */
  connections: number;
  maxAge: number;
  status: number;
  delayMs: number;
}

/** Responds as the server does, and remembers the requests. */
async function startUpstream(): Promise<Upstream> {
  const server = createServer(async (incoming, response) => {
    upstream.requested.push(incoming.headers);
    await sleep(upstream.delayMs);
    const isGzip = /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '');
    const etag = isGzip ? '"abc-gzip"' : ETAG;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
      etag,
      'cache-control': `public, max-age=${upstream.maxAge}`,
    };
    if (upstream.status !== 200) return response.writeHead(upstream.status).end('{}');
    if (incoming.headers['if-none-match'] === etag) return response.writeHead(304, headers).end();
    return isGzip
      ? response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(BODY))
      : response.writeHead(200, headers).end(BODY);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    server,
    port,
    requested: [],
    connections: 0,
    maxAge: 30,
    status: 200,
    delayMs: 0,
  };
  server.on('connection', () => upstream.connections++);
  return upstream;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

interface Got {
  readonly status: number;
  readonly cache: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

describe.skipIf(noNginx)('nginx, as configured in docs/examples, in front of vane serve', () => {
  let upstream: Upstream;
  let nginx: Nginx;
  beforeEach(async () => {
    upstream = await startUpstream();
    nginx = await startNginx(upstream.port);
  });
  afterEach(async () => {
    await nginx?.close();
    await stop(upstream.server);
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${nginx.baseUrl}${path}`, { headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode as number,
            cache: response.headers['x-cache-status'] as string | undefined,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      outgoing.on('error', reject).end();
    });

  it('nginx in front of vane serve serves the second request for a path from its cache', async () => {
    const [first, second] = [await get('/v1/live/all'), await get('/v1/live/all')];
    expect([first.cache, second.cache]).toEqual(['MISS', 'HIT']);
    for (const { status, headers, body } of [first, second]) {
      expect(status).toBe(200);
      expect(body.toString()).toBe(BODY);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=30',
        etag: ETAG,
      });
    }
    expect(upstream.requested).toHaveLength(1);
    expect(upstream.requested[0]).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      host: '127.0.0.1',
    });
  });

  it('nginx in front of vane serve caches each query and each encoding separately', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    for (const cache of ['MISS', 'HIT']) {
      const plain = await get('/v1/live/1?callback=a');
      const packed = await get('/v1/live/1?callback=a', gzip);
      const other = await get('/v1/live/1?callback=b', gzip);
      expect([plain.cache, packed.cache, other.cache]).toEqual([cache, cache, cache]);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.body.toString()).toBe(BODY);
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(packed.headers.vary).toContain('Accept-Encoding');
      expect(gunzipSync(packed.body).toString()).toBe(BODY);
    }
  });

  it('nginx in front of vane serve sends one request for many clients at the same time', async () => {
    upstream.delayMs = 200;
    const responses = await Promise.all(Array.from({ length: 20 }, () => get('/v1/live/all')));
    expect(new Set(responses.map(({ body }) => body.toString()))).toEqual(new Set([BODY]));
    expect(upstream.requested).toHaveLength(1);
  });

  it('nginx in front of vane serve responds with 304 to a client that has the current response', async () => {
    for (const cache of ['MISS', 'HIT']) {
      const { body: first } = await get(`/v1/live/1?${cache}`);
      expect(first.toString()).toBe(BODY);
      const again = await get('/v1/live/1', { 'if-none-match': ETAG });
      expect([again.status, again.cache, again.body.length]).toEqual([304, cache, 0]);
      expect(again.headers.etag).toBe(ETAG);
    }
  });

  it('nginx in front of vane serve reuses its connections to the server', async () => {
    for (let station = 0; station < 5; station++) await get(`/v1/live/${station}`);
    expect(upstream.requested).toHaveLength(5);
    // nginx has a connection for each of its workers.
    expect(upstream.connections).toBeLessThanOrEqual(2);
  });

  it('nginx in front of vane serve requests an expired response again, and serves the stale one only while the server fails or is gone', async () => {
    upstream.maxAge = 1;
    const gzip = { 'accept-encoding': 'gzip' };
    await get('/v1/live/110');
    await get('/v1/live/all');
    await get('/v1/live/all', gzip);
    // nginx counts whole seconds.
    await sleep(2100);
    expect((await get('/v1/live/110')).cache).toBe('EXPIRED');
    expect(upstream.requested).toHaveLength(4);

    const expectStale = async () => {
      for (let times = 0; times < 3; times++) {
        const [plain, packed] = [await get('/v1/live/all'), await get('/v1/live/all', gzip)];
        expect([plain.status, packed.status]).toEqual([200, 200]);
        expect(plain.cache).toBe('STALE');
        expect(packed.cache).toBe('STALE');
        expect(plain.body.toString()).toBe(BODY);
        expect(gunzipSync(packed.body).toString()).toBe(BODY);
      }
    };
    upstream.status = 503;
    await expectStale();
    expect(upstream.requested.length).toBeGreaterThan(4);
    await stop(upstream.server);
    await expectStale();
  });

  it('nginx in front of vane serve responds with 429 to an address beyond its 50 connections', async () => {
    upstream.delayMs = 1000;
    const paths = Array.from({ length: 60 }, (_, station) => `/v1/live/${station}`);
    const statuses = (await Promise.all(paths.map((path) => get(path)))).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('nginx in front of vane serve does not cache a failure', async () => {
    upstream.status = 503;
    expect((await get('/v1/live/all')).status).toBe(503);
    upstream.status = 200;
    expect((await get('/v1/live/all')).status).toBe(200);
  });
});
