import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.ts';
import { DAY_MS, formatDate, HOUR_MS } from '../../src/domain/dates.ts';
import { MAX_PERIOD_MS } from '../../src/domain/period.ts';
import { InterruptedError } from '../../src/errors.ts';
import { readTrustProxy } from '../../src/server/edge/clientAddress.ts';
import { SIMULATED_STATIONS } from '../../src/service/simulated/network.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { fakeIo } from '../support/fake-io.ts';
import { startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { type RequestOptions, sendRequest } from '../support/http.ts';
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
type Origin = Pick<RequestOptions, 'localAddress' | 'headers'>;

const from = (localAddress: string): Origin => ({ localAddress });
const behindProxy = (address: string): Origin => ({ headers: { 'x-forwarded-for': address } });

const noSlowReaders = whyNoSlowReaders();
if (noSlowReaders) console.log(`skipped: connections that read nothing, as ${noSlowReaders}`);

describe.skipIf(noSlowReaders)('connections that read no response', () => {
  /** A quarter of this memory is for unsent responses: ten documents. */
  const MEMORY_MB = 32;
  const DOCUMENTS = 24;
  const [ID] = SIMULATED_STATIONS.keys();

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
    'connections that read no response are closed while they fill the memory, so that a visitor of %s gets every response',
    { timeout: 180_000 },
    async (_, args, attackerOf, visitors) => {
      const baseUrl = await serve(['--memory', `${MEMORY_MB}MB`, ...args]);
      for (let nth = 0; nth <= DOCUMENTS; nth++) await sendRequest(baseUrl, document(nth));
      const { open, close } = startSlowReaders(baseUrl, '127.0.0.1');
      closers.push(close);
      let maxMs = 0;
      const visit = async (target: string, visitor: Origin) => {
        const begunMs = performance.now();
        const { status, body } = await sendRequest(baseUrl, target, visitor);
        maxMs = Math.max(maxMs, performance.now() - begunMs);
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
      expect(maxMs).toBeLessThan(20_000);
    },
  );
});

describe('networks that fill the queue of a slow service', () => {
  /** A period for one of many archives, each of which takes a request to the service. */
  function period(nth: number): string {
    const [start, stop] = [1, 2].map((day) => formatDate(nth * MAX_PERIOD_MS + day * DAY_MS));
    return `start=${start}&stop=${stop}`;
  }

  /** How the request to the service for such a period begins, whose bounds are those of a chunk. */
  const chunkStart = (nth: number): string => `start=${formatDate(nth * MAX_PERIOD_MS)}&`;

  const archive = (nth: number): string => `/v1/archive/110?${period(nth)}`;

  /** An address; those of a network have their first 56 bits in common. */
  const addressIn = (network: number, nth = 0) =>
    behindProxy(`2001:db8:0:${(256 * network + nth).toString(16)}::1`);

  const visitor = addressIn(15);

  /**
   * A server that clients reach through a proxy, in front of a service that does not respond yet.
   */
  async function setUp() {
    const clock = handClock();
    const upstream = await startUpstream(clock);
    closers.push(upstream.close);
    const trustProxy = readTrustProxy('loopback');
    const front = await startFront(upstream.baseUrl, { clock, trustProxy });
    closers.push(front.close);
    await sendRequest(front.baseUrl, '/v1/live/110');
    upstream.hold();
    /** Sends requests on one connection, without reading their responses. */
    const send = async (targets: readonly string[], { headers }: Origin) => {
      const before = front.begun();
      const connection = await openRaw(front.baseUrl);
      closers.push(async () => void connection.socket.destroy());
      connection.send(targets.map((target) => requestBytes(target, headers)).join(''), []);
      await until(() => front.begun() === before + targets.length);
    };
    /** Sends the requests of a visitor at once. */
    const visit = async (targets: readonly string[]) => {
      const before = front.begun();
      const replies = targets.map((target) => sendRequest(front.baseUrl, target, visitor));
      await until(() => front.begun() === before + targets.length);
      return { statuses: async () => (await Promise.all(replies)).map(({ status }) => status) };
    };
    return { upstream, front, send, visit };
  }

  const numbers = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => from + i);
  const archives = (from: number, count: number): string[] => numbers(from, count).map(archive);

  it.each([
    ['One network', 1],
    ['Two networks', 2],
  ])(
    'a visitor gets archives that are not cached while networks fill the queue of a slow service: %s of eight addresses with 28 requests each',
    async (_, count) => {
      const { upstream, send, visit } = await setUp();
      for (let nth = 0; nth < 8 * count; nth++) {
        await send(archives(28 * nth, 28), addressIn(nth % count, nth));
      }
      const visits = await visit(archives(500, 6));
      upstream.release();
      expect(await visits.statuses()).toEqual(Array(6).fill(200));
      // The requests that came before do not all go first.
      expect(upstream.arrivals.length).toBeLessThan(100);
    },
  );

  it('a visitor gets, in its own turn, archives and a picture that a network filling the queue also waits for', async () => {
    const { upstream, send, visit } = await setUp();
    const picture = `/plot/110/series.svg?${period(400)}`;
    for (let nth = 0; nth < 7; nth++) await send(archives(28 * nth, 28), addressIn(0, nth));
    await send([picture], addressIn(0));
    const shared = await visit([...archives(184, 12), picture]);
    // These fill the queue, so that the network loses the places that came last.
    const own = await visit(archives(500, 14));
    upstream.release();
    expect(await shared.statuses()).toEqual(Array(13).fill(200));
    expect(await own.statuses()).toEqual(Array(14).fill(200));
    const first = upstream.arrivals.slice(0, 100).map(({ url }) => url);
    const late = [...numbers(184, 12), ...numbers(500, 14), 400].filter(
      (nth) => !first.some((url) => url.includes(chunkStart(nth))),
    );
    expect(late).toEqual([]);
  });

  it('a visitor gets a cached picture at once though a network waits for it, while all pictures of that network are slow', async () => {
    const { upstream, front, send, visit } = await setUp();
    upstream.release();
    const picture = '/plot/7/rose.svg?start=2023-12-01&stop=2023-12-02';
    await (await visit([picture])).statuses();
    upstream.hold();
    const slow = Array.from({ length: 4 }, (_, i) => `/plot/110/rose.svg?${period(i)}`);
    await send([...slow, `${picture}&width=400`], addressIn(0));
    const visits = await visit([`${picture}&width=400`]);
    expect(await visits.statuses()).toEqual([200]);
    // None of the slow pictures has failed meanwhile.
    expect(front.outcomes.has(undefined)).toBe(false);
  });

  it('each network that fills the queue gets at most one turn between two archives of a visitor who requests one after the other', async () => {
    const { upstream, send, visit } = await setUp();
    let released = upstream.arrivals.length;
    for (let nth = 0; nth < 12; nth++) await send(archives(16 * nth, 16), addressIn(nth));
    const turns: number[] = [];
    for (let hour = 0; hour < 5; hour++) {
      const visits = await visit([`/v1/archive/41?start=2024-01-15T0${hour}&stop=2024-01-15T10`]);
      while (turns.length <= hour) {
        await until(() => upstream.arrivals.length === released + 4);
        if (upstream.arrivals[released]?.url.startsWith('/v1/archive/41?')) turns.push(released);
        upstream.release(1);
        released++;
      }
      expect(await visits.statuses()).toEqual([200]);
    }
    const between = turns.slice(1).map((turn, i) => turn - (turns[i] as number) - 1);
    expect(Math.max(...between)).toBeLessThanOrEqual(12);
  });
});
