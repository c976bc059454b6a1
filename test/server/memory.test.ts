import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { NETWORK } from '../../src/service/simulated/network.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { fixtureService } from '../support/fixture-service.ts';
import { type FrontOptions, startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { ask } from '../support/http.ts';
import { openRaw, type RawConnection, requestBytes } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(options: Partial<FrontOptions> = {}, isSimulated = true) {
  const clock = handClock();
  const service = isSimulated ? simulatedService(clock.now) : fixtureService;
  const upstream = await startUpstream(clock, service);
  closers.push(upstream.close);
  const front = await startFront(upstream.baseUrl, { clock, ...options });
  closers.push(front.close);
  return { upstream, front };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of buffers, which all bodies and rows are; some are freed by a later collection only. */
async function buffersHeld(): Promise<number> {
  // An object that a weak reference gave lives until the turn is over.
  await new Promise(setImmediate);
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Bytes of buffers when collections free no more of them. */
async function settledBuffers(): Promise<number> {
  let least = await buffersHeld();
  for (let unchanged = 0; unchanged < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const held = await buffersHeld();
    unchanged = held < least ? 0 : unchanged + 1;
    least = Math.min(least, held);
  }
  return least;
}

/** Collects garbage again and again until fewer bytes of buffers than a maximum are held. */
async function expectHeldBelow(maxBytes: number, before: number): Promise<void> {
  await expect
    .poll(async () => (await buffersHeld()) - before, { timeout: 20_000 })
    .toBeLessThan(maxBytes);
}

/** Connections whose other end reads nothing. */
async function openSlow(baseUrl: string, count: number): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => openRaw(baseUrl)));
  closers.push(async () => {
    for (const { socket } of connections) socket.destroy();
  });
  for (const { socket } of connections) socket.pause();
  return connections;
}

const listFor = (client: number, nth: number) =>
  requestBytes(`/v1/live-with-meta/all?callback=f${client}_${nth}`);

describe('clients that send requests and read no answer', () => {
  const CLIENTS = 5;
  /** 6 MB for each client, of which the system takes the first 3 or 4 MB. */
  const EACH = 15;
  /** Memory of the server; a quarter of it, 1 MB, is for answers that are not sent yet. */
  const MAX_BYTES = 4e6;
  /** 75 answers take a second to write, and several times that on a loaded machine. */
  const TIMEOUT_MS = 180_000;

  it('take bounded memory', { timeout: TIMEOUT_MS }, async () => {
    const { front } = await setUp({ maxAnswerBytes: MAX_BYTES });
    const body = (await ask(front.baseUrl, '/v1/live-with-meta/all')).body.length;
    expect(CLIENTS * EACH * body).toBeGreaterThan(5 * MAX_BYTES);
    const before = await settledBuffers();
    const connections = await openSlow(front.baseUrl, CLIENTS);
    let most = 0;
    for (const [client, { send }] of connections.entries()) {
      send(Array.from({ length: EACH }, (_, nth) => listFor(client, nth)).join(''), []);
      await new Promise(setImmediate);
      most = Math.max(most, front.unsentBytes);
    }
    await until(() => {
      most = Math.max(most, front.unsentBytes);
      return front.begun() >= 1 + CLIENTS * EACH;
    });
    await expectHeldBelow(MAX_BYTES * 1.25, before);
    const requests = CLIENTS * EACH * 5000;
    expect(Math.max(most, front.unsentBytes)).toBeLessThan(MAX_BYTES / 4 + body + requests);
  });

  it('make the server refuse others with 503 only until the slow ones are cut off', {
    timeout: TIMEOUT_MS,
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

  it('share the bytes of one answer in memory, and keep their connections', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { front } = await setUp({ maxAnswerBytes: MAX_BYTES });
    const body = (await ask(front.baseUrl, '/v1/live-with-meta/all')).body.length;
    const before = await settledBuffers();
    const connections = await openSlow(front.baseUrl, CLIENTS);
    const one = requestBytes('/v1/live-with-meta/all');
    for (const { send } of connections) send(one.repeat(EACH), []);
    await until(() => front.begun() >= 1 + CLIENTS * EACH);
    // The systems of both ends take the first answers of each connection.
    await until(() => front.unsentBytes >= body);
    expect(front.unsentBytes).toBeLessThan(body + CLIENTS * EACH * 10_000);
    await expectHeldBelow(4e6, before);
    expect(await front.connections()).toBeGreaterThanOrEqual(CLIENTS);
  });

  it('take no memory after they closed their connections', async () => {
    const { front } = await setUp({ maxAnswerBytes: MAX_BYTES });
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

it('a cached answer for one hour does not keep the rows of the whole month in memory', {
  timeout: 180_000,
}, async () => {
  const { front } = await setUp();
  const [id = 0] = NETWORK.keys();
  const hour = (n: number): string => {
    const at = (hours: number) =>
      new Date(Date.UTC(2023, 11, 1) + hours * 3_600_000).toISOString().slice(0, 13);
    return `/v1/archive/${id}?start=${at(n)}&stop=${at(n + 1)}&format=csv`;
  };
  await ask(front.baseUrl, hour(0));
  const before = await settledBuffers();
  for (let n = 1; n < 25; n++) expect((await ask(front.baseUrl, hour(n))).status).toBe(200);
  // Without the rule some 25 MB stay.
  await expectHeldBelow(10e6, before);
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
