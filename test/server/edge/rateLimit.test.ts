import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientKey, readTrustProxy } from '../../../src/server/edge/clientAddress.ts';
import { startServer } from '../../../src/server/server.ts';
import { fixtureService, NOW } from '../../support/fixture-service.ts';
import { sendRequest } from '../../support/http.ts';
import { openRaw, requestBytes } from '../../support/raw-connection.ts';
import { until } from '../../support/until.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server whose clients are told apart by X-Forwarded-For, on a clock that the test sets. */
async function start(perMinute: number, options: { maxConnections?: number } = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const server = await startServer({
    ...{ service: fixtureService, host: '127.0.0.1', port: 0, now: Date.now },
    trustProxy: readTrustProxy('loopback'),
    rateLimit: { perMinute },
    ...options,
  });
  closers.push(() => server.close());
  const send = (client: string, target = '/v1/live/110', method = 'GET') =>
    sendRequest(server.baseUrl, target, { method, headers: { 'x-forwarded-for': client } });
  return { server, send };
}

describe('a client of a server with a limit of requests a minute', () => {
  it('a client above the limit of requests a minute gets 429 with Retry-After until the minute is over', async () => {
    const { send } = await start(3);
    const statuses: number[] = [];
    for (let times = 0; times < 4; times++) statuses.push((await send('192.0.2.1')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    vi.setSystemTime(NOW + 40_000);
    const { headers, body } = await send('192.0.2.1');
    expect(headers).toMatchObject({
      'retry-after': '20',
      connection: 'close',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(body).error_code).toBe('too_many_requests');
    vi.setSystemTime(NOW + 60_000);
    expect((await send('192.0.2.1')).status).toBe(200);
  });

  it('a client is not limited by the requests of others, and gets no header about its rate', async () => {
    const { send } = await start(1);
    for (const client of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:100::1']) {
      const { status, headers } = await send(client);
      expect([client, status]).toEqual([client, 200]);
      expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });

  it('a client is also limited for unknown paths and refused requests', async () => {
    const { send } = await start(4);
    const statuses = [
      await send('192.0.2.1', '/nothing'),
      await send('192.0.2.1', '/nothing/else?x'),
      await send('192.0.2.1', '/v1/live/110', 'POST'),
      await send('192.0.2.1', '/v1/live/x'),
      await send('192.0.2.1', '/nothing'),
      await send('192.0.2.1', '/v1/live/110', 'OPTIONS'),
      await send('192.0.2.1'),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 405, 400, 429, 429, 429]);
  });

  it('a client above the limit of requests a minute loses its connections, so that others find one', async () => {
    const { server } = await start(1, { maxConnections: 5 });
    const open = await Promise.all(Array.from({ length: 5 }, () => openRaw(server.baseUrl)));
    for (const { send } of open) send(requestBytes('/v1/live/110'));
    const statuses = await Promise.all(open.map(async ({ next }) => (await next())?.status));
    expect(statuses.sort()).toEqual([200, 429, 429, 429, 429]);
    await until(async () => (await server.connections()) === 1);
    for (const { socket } of open) socket.destroy();
  });
});

describe('the limit of requests a minute', () => {
  it.each([
    ['2001:db8:1:200::1', '2001:db8:1:2ff:ffff:ffff:ffff:ffff', 'one /56 network'],
    ['2001:db8:1:2:3:4:5:6', '2001:0DB8:0001:0003::', 'one /56 network'],
    ['2001:db8::1', '2001:db8:0:0:1::', 'one /56 network'],
    ['fe80::1%eth0', 'fe80::2', 'one /56 network'],
    ['::1', '::2', 'one /56 network'],
    ['64:ff9b::192.0.2.1', '64:ff9b::', 'one /56 network'],
    ['192.0.2.1', '::ffff:192.0.2.1', 'one IPv4 address'],
    ['192.0.2.1', '::FFFF:c000:201', 'one IPv4 address'],
    ['192.0.2.1', '0:0:0:0:0:ffff:192.0.2.1', 'one IPv4 address'],
  ])(
    'the limit of requests a minute counts the addresses %s and %s as one client: %s',
    async (one, other) => {
      const { send } = await start(1);
      expect((await send(one)).status).toBe(200);
      expect((await send(other)).status).toBe(429);
    },
  );

  it.each([
    ['2001:db8:1:2ff::1', '2001:db8:1:300::1'],
    ['2001:db8:1:2::1', '2001:db8:12::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['192.0.2.1', '192.0.2.2'],
    ['::1', '192.0.2.1'],
    ['', '192.0.2.1'],
  ])(
    'the limit of requests a minute counts the addresses “%s” and “%s” as two clients',
    async (one, other) => {
      const { send } = await start(1);
      expect((await send(one)).status).toBe(200);
      expect((await send(other)).status).toBe(200);
    },
  );
});

it('the limit of requests a minute counts an IPv6 /56 network as one client, however its addresses are written', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = fc.array(group, { minLength: 4, maxLength: 4 });
  const hex = (numbers: number[]): string => numbers.map((n) => n.toString(16)).join(':');
  // As the WHATWG writes it, in the shortest way.
  const shorten = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);
  fc.assert(
    fc.property(groups, groups, groups, (network, one, other) => {
      // The addresses of IPv4 in IPv6 begin with zeros.
      fc.pre(network.slice(0, 3).some((n) => n !== 0));
      const key = clientKey(`${hex(network)}:${hex(one)}`);
      expect(clientKey(shorten(`${hex(network)}:${hex(other)}`))).toBe(key);
      const last = network[3] as number;
      const neighbour = [...network.slice(0, 3), last ^ 0xff];
      expect(clientKey(`${hex(neighbour)}:${hex(other)}`)).toBe(key);
      const next = [...network.slice(0, 3), last ^ 0x100];
      expect(clientKey(`${hex(next)}:${hex(one)}`)).not.toBe(key);
    }),
    { seed: 20240115, numRuns: 40 },
  );
});
