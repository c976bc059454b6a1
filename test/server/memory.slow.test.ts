import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SIMULATED_STATIONS } from '../../src/service/simulated/network.ts';
import { sendRequest } from '../support/http.ts';
import { requestBytes } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { listFor, openSlow, setUp } from './slowClients.ts';

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

describe('clients that send requests and read no response', () => {
  const CLIENTS = 5;
  /** 6 MB for each client, of which the system takes the first 3 or 4 MB. */
  const EACH = 15;
  /** Memory of the server; a quarter of it, 1 MB, is for responses that are not sent yet. */
  const MAX_BYTES = 4e6;
  /** 75 responses take a second to write, and several times that on a loaded machine. */
  const TIMEOUT_MS = 180_000;

  it('clients that send requests and read no response use bounded memory of the server', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { front } = await setUp({ maxResponseBytes: MAX_BYTES });
    const body = (await sendRequest(front.baseUrl, '/v1/live-with-meta/all')).body.length;
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

  it('clients that send requests and read no response share the bytes of one response in memory, and keep their connections', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { front } = await setUp({ maxResponseBytes: MAX_BYTES });
    const body = (await sendRequest(front.baseUrl, '/v1/live-with-meta/all')).body.length;
    const before = await settledBuffers();
    const connections = await openSlow(front.baseUrl, CLIENTS);
    const one = requestBytes('/v1/live-with-meta/all');
    for (const { send } of connections) send(one.repeat(EACH), []);
    await until(() => front.begun() >= 1 + CLIENTS * EACH);
    // The systems of both ends take the first responses of each connection.
    await until(() => front.unsentBytes >= body);
    expect(front.unsentBytes).toBeLessThan(body + CLIENTS * EACH * 10_000);
    await expectHeldBelow(4e6, before);
    expect(await front.connections()).toBeGreaterThanOrEqual(CLIENTS);
  });
});

it('a cached response for one hour does not keep the rows of the whole month in memory', {
  timeout: 180_000,
}, async () => {
  const { front } = await setUp();
  const [id = 0] = SIMULATED_STATIONS.keys();
  const hour = (n: number): string => {
    const at = (hours: number) =>
      new Date(Date.UTC(2023, 11, 1) + hours * 3_600_000).toISOString().slice(0, 13);
    return `/v1/archive/${id}?start=${at(n)}&stop=${at(n + 1)}&format=csv`;
  };
  await sendRequest(front.baseUrl, hour(0));
  const before = await settledBuffers();
  for (let n = 1; n < 25; n++) expect((await sendRequest(front.baseUrl, hour(n))).status).toBe(200);
  // Without the rule some 25 MB stay.
  await expectHeldBelow(10e6, before);
});
