import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.ts';
import { DAY_MS, formatDate, HOUR_MS } from '../../src/domain/dates.ts';
import { MAX_PERIOD_MS } from '../../src/domain/period.ts';
import { InterruptedError } from '../../src/errors.ts';
import { readTrustProxy } from '../../src/server/edge/clientAddress.ts';
import { NETWORK } from '../../src/service/simulated/network.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { fakeIo } from '../support/fake-io.ts';
import { startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { type Ask, ask } from '../support/http.ts';
import { openRaw, requestBytes } from '../support/raw-connection.ts';
import { startSlowReaders, whyNoSlowReaders } from '../support/slow-readers.ts';
import { until } from '../support/until.ts';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** `vane serve --upstream` in front of the simulated network, until the test is over. */
async function serve(args: readonly string[]) {
  const clock = handClock();
  const upstream = await startUpstream(clock, simulatedService(clock.now));
  closers.push(upstream.close);
  const folder = await mkdtemp(join(tmpdir(), 'vane-attacks-'));
  closers.push(() => rm(folder, { recursive: true }));
  const io = {
    ...fakeIo({ env: { VANE_CACHE_DIR: folder } }),
    now: clock.now,
    sleep: clock.sleep,
  };
  const done = run(['serve', '--upstream', upstream.baseUrl, '--port', '0', ...args], io);
  closers.push(async () => {
    io.interrupt(new InterruptedError('SIGINT'));
    await done;
  });
  await until(() => io.out() !== '');
  return io.out().trim();
}

/** Where a request comes from: an address of this machine, or the one that a proxy names. */
type Origin = Pick<Ask, 'localAddress' | 'headers'>;

const from = (localAddress: string): Origin => ({ localAddress });
const behindProxy = (address: string): Origin => ({ headers: { 'x-forwarded-for': address } });

const noSlowReaders = whyNoSlowReaders();
if (noSlowReaders) console.log(`skipped: connections that read nothing, as ${noSlowReaders}`);

describe.skipIf(noSlowReaders)('connections that read no response', () => {
  /** A quarter of this memory is for unsent responses: ten documents. */
  const MEMORY_MB = 32;
  const DOCUMENTS = 24;
  const [ID] = NETWORK.keys();

  /** One of many documents of 0.8 MB. */
  function document(nth: number): string {
    const times = [0, 30 * DAY_MS].map((ms) => Date.UTC(2023, 9, 1) + nth * HOUR_MS + ms);
    const [start, stop] = times.map(formatDate);
    return `/v1/archive/${ID}?start=${start}&stop=${stop}&format=csv`;
  }

  const VISITED = [
    '/v1/live/110',
    '/',
    '/livez',
    '/health',
    '/metrics',
    document(0),
    document(DOCUMENTS),
  ];

  it.each<[string, string[], (nth: number) => Origin, readonly Origin[]]>([
    [
      'another address, and of one that it shares with others behind a proxy',
      [],
      () => from('127.0.0.1'),
      [from('127.0.0.2'), from('127.0.0.1')],
    ],
    [
      'another IPv6 network behind a trusted proxy',
      ['--trust-proxy', 'loopback', '--rate', 'none'],
      (nth) => behindProxy(`2001:db8:0:${nth.toString(16)}::1`),
      [behindProxy('2001:db8:0:100::1')],
    ],
  ])(
    'are closed while they fill the memory, so that a visitor of %s gets every response',
    { timeout: 180_000 },
    async (_, args, attackerOf, visitors) => {
      const baseUrl = await serve(['--memory', `${MEMORY_MB}MB`, ...args]);
      for (let nth = 0; nth <= DOCUMENTS; nth++) await ask(baseUrl, document(nth));
      const { open, close } = startSlowReaders(baseUrl, '127.0.0.1');
      closers.push(close);
      let longestMs = 0;
      const visit = async (target: string, visitor: Origin) => {
        const begunMs = performance.now();
        const { status, body } = await ask(baseUrl, target, visitor);
        longestMs = Math.max(longestMs, performance.now() - begunMs);
        expect([target, status]).toEqual([target, 200]);
        return body;
      };
      for (let nth = 0; nth < 104; nth++) {
        // With eight and four requests, the limit is met by a few bytes too.
        const requests = Array.from({ length: nth % 3 === 0 ? 4 : 8 }, (_, i) =>
          requestBytes(document((8 * nth + i) % DOCUMENTS), attackerOf(nth).headers),
        );
        await open(requests.slice(0, 3).join(''), requests.slice(3).join(''));
        if (nth % 8 < 7) continue;
        for (const visitor of visitors) {
          await Promise.all(VISITED.map((target) => visit(target, visitor)));
        }
      }
      const metrics = await visit('/metrics', {});
      const unsent = Number(/^vane_answers_unsent_bytes (\d+)$/m.exec(metrics)?.[1]);
      // Most of a quarter of the memory is in use, and not more.
      expect(unsent).toBeGreaterThan((MEMORY_MB * 1e6) / 8);
      expect(unsent).toBeLessThan((MEMORY_MB * 1e6) / 4);
      expect(longestMs).toBeLessThan(20_000);
    },
  );
});

describe('networks that fill the queue of a slow service', () => {
  /** One of many archives, each of which takes a request to the service. */
  function archive(nth: number): string {
    const [start, stop] = [1, 2].map((day) => formatDate(nth * MAX_PERIOD_MS + day * DAY_MS));
    return `/v1/archive/110?start=${start}&stop=${stop}`;
  }

  it.each([
    ['One network', 1],
    ['Two networks', 2],
  ])(
    'let a visitor have archives that are not cached: %s of eight addresses with 28 requests each',
    async (_, count) => {
      const clock = handClock();
      const upstream = await startUpstream(clock);
      closers.push(upstream.close);
      const trustProxy = readTrustProxy('loopback');
      const { baseUrl, begun, close } = await startFront(upstream.baseUrl, { clock, trustProxy });
      closers.push(close);
      await ask(baseUrl, '/v1/live/110');
      upstream.hold();
      for (let nth = 0; nth < 8 * count; nth++) {
        const { socket, send } = await openRaw(baseUrl);
        closers.push(async () => void socket.destroy());
        // The addresses of a network have their first 56 bits in common.
        const { headers } = behindProxy(`2001:db8:0:${nth % count}0${Math.floor(nth / count)}::1`);
        const requests = Array.from({ length: 28 }, (_, i) =>
          requestBytes(archive(28 * nth + i), headers),
        );
        send(requests.join(''), []);
      }
      await until(() => begun() > 8 * count * 28);
      const visitor = behindProxy('2001:db8:0:f00::1');
      const visits = [500, 501, 502, 503, 504, 505].map((nth) =>
        ask(baseUrl, archive(nth), visitor),
      );
      await until(() => begun() > 8 * count * 28 + visits.length);
      upstream.release();
      const statuses = (await Promise.all(visits)).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
      // The requests that came before do not all go first.
      expect(upstream.arrivals.length).toBeLessThan(100);
    },
  );
});
