import { describe, expect, it } from 'vitest';
import { readTrustProxy } from '../../src/server/edge/clientAddress.ts';
import { sendRequest } from '../support/http.ts';
import { openRaw, type RawConnection, requestBytes } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { closers, listFor, openSlow, setUp } from './slowClients.ts';

describe('clients that send requests and read no response', () => {
  it('clients that send requests and read no response are cut off after the longest time to receive a response', async () => {
    const { front } = await setUp({ receiveTimeoutMs: 300 });
    const [slow] = await openSlow(front.baseUrl, 1);
    // More than the systems of both ends take.
    slow?.send(Array.from({ length: 60 }, (_, nth) => listFor(0, nth)).join(''), []);
    await until(() => front.begun() > 0);
    await until(async () => (await front.connections()) === 0);
    expect(front.unsentBytes).toBe(0);
  });

  it('clients that read no response use no memory of the server after they closed their connections', async () => {
    const { front } = await setUp({ maxResponseBytes: 4e6 });
    const connections = await openSlow(front.baseUrl, 5);
    for (const [client, { send }] of connections.entries()) {
      send(Array.from({ length: 20 }, (_, nth) => listFor(client, nth)).join(''), []);
    }
    await until(() => front.unsentBytes > 0);
    for (const { socket } of connections) socket.destroy();
    await until(() => front.unsentBytes === 0);
    expect((await sendRequest(front.baseUrl, '/v1/live/110')).status).toBe(200);
    await until(() => front.unsentBytes === 0);
  });
});

describe('requests to the server', () => {
  it('requests on one connection wait behind its first 32, and get their responses in order', async () => {
    const { upstream, front } = await setUp({}, false);
    upstream.hold();
    const connection = await openRaw(front.baseUrl);
    closers.push(async () => void connection.socket.destroy());
    const COUNT = 200;
    const targets = Array.from({ length: COUNT }, (_, n) => `/v1/live/110?callback=f${n}`);
    connection.send(
      targets.map((target) => requestBytes(target)).join(''),
      targets.map(() => 'GET'),
    );
    await until(() => front.begun() > 32);
    await until(() => upstream.arrivals.length > 0);
    upstream.release();
    for (let n = 0; n < COUNT; n++) {
      expect((await connection.next())?.body.toString()).toContain(`typeof f${n} ===`);
    }
    await until(() => front.unsentBytes === 0);
  });

  it('all requests get a response while memory is full, except the oldest of the client with the most', async () => {
    const { upstream, front } = await setUp(
      { maxResponseBytes: 200_000, trustProxy: readTrustProxy('loopback') },
      false,
    );
    upstream.hold();
    const send = async (client: string) => {
      const connection = await openRaw(front.baseUrl);
      closers.push(async () => void connection.socket.destroy());
      const before = front.begun();
      connection.send(requestBytes('/v1/live/110', { 'x-forwarded-for': client }));
      await until(() => front.begun() > before);
      return connection;
    };
    const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.2', '192.0.2.1', '192.0.2.2'];
    const connections: RawConnection[] = [];
    // These fill a quarter of the memory to the last byte.
    for (const client of [...clients, ...clients.slice(0, 4)]) connections.push(await send(client));
    expect(front.unsentBytes).toBe(50_000);
    connections.push(await send('192.0.2.3'), await send('192.0.2.3'));
    upstream.release();
    const statuses = connections.map(async ({ next }) => (await next())?.status);
    const lost = [1, 2];
    expect(await Promise.all(statuses)).toEqual(
      connections.map((_, nth) => (lost.includes(nth) ? undefined : 200)),
    );
  });
});
