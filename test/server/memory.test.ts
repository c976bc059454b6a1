import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { openRaw, requestBytes } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { closers, listFor, openSlow, setUp } from './slowClients.ts';

describe('clients that send requests and read no answer', () => {
  it('make the server refuse others with 503 only until the slow ones are cut off', {
    timeout: 180_000,
  }, async () => {
    // One unsent answer is more than a quarter of this memory.
    const { front } = await setUp({ maxAnswerBytes: 1e6, takeTimeoutMs: 3000 });
    const [slow] = await openSlow(front.baseUrl, 1);
    let sent = 0;
    const statusOfOther = async () => (await ask(front.baseUrl, '/v1/live/110')).status;
    await until(async () => {
      slow?.send(listFor(0, sent++), []);
      return (await statusOfOther()) === 503;
    });
    await until(async () => (await statusOfOther()) === 200);
    await until(async () => (await front.connections()) === 0);
    expect(front.unsentBytes).toBe(0);
  });

  it('take no memory after they closed their connections', async () => {
    const { front } = await setUp({ maxAnswerBytes: 4e6 });
    const connections = await openSlow(front.baseUrl, 5);
    for (const [client, { send }] of connections.entries()) {
      send(Array.from({ length: 20 }, (_, nth) => listFor(client, nth)).join(''), []);
    }
    await until(() => front.unsentBytes > 0);
    for (const { socket } of connections) socket.destroy();
    await until(() => front.unsentBytes === 0);
    expect((await ask(front.baseUrl, '/v1/live/110')).status).toBe(200);
    await until(() => front.unsentBytes === 0);
  });
});

describe('requests to the server', () => {
  it('wait behind the first 32 requests of their connection, and are answered in order', async () => {
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

  it('are refused with 503 overloaded while memory has no room, and answered once there is room', async () => {
    const { upstream, front } = await setUp({ maxAnswerBytes: 200_000 }, false);
    upstream.hold();
    const waiting = await Promise.all(Array.from({ length: 10 }, () => openRaw(front.baseUrl)));
    for (const { send } of waiting) send(requestBytes('/v1/live/110'));
    await until(() => front.begun() >= 10);
    const { status, headers, body } = await ask(front.baseUrl, '/v1/live/7');
    expect([status, JSON.parse(body).error_code]).toEqual([503, 'overloaded']);
    expect(headers).toMatchObject({
      'retry-after': '10',
      'cache-control': 'no-store',
      connection: 'close',
      'access-control-allow-origin': '*',
    });
    upstream.release();
    for (const { next, socket } of waiting) {
      expect((await next())?.status).toBe(200);
      socket.destroy();
    }
    expect((await ask(front.baseUrl, '/v1/live/7')).status).toBe(200);
  });
});
