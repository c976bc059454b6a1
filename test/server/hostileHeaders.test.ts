import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAddressReader } from '../support/client-address.ts';
import { type Front, startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { openRaw, type RawConnection, requestBytes } from '../support/raw-connection.ts';

const ALL = '/v1/live-with-meta/all';
const CLOSED = '/v1/archive/110?start=2023-12-01&stop=2023-12-02&format=csv';

describe('serve --upstream, sent long header fields and targets,', () => {
  let front: Front;
  let connection: RawConnection;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const clock = handClock();
    const upstream = await startUpstream(clock);
    front = await startFront(upstream.baseUrl, { clock });
    connection = await openRaw(front.baseUrl);
    closers.push(front.close, upstream.close);
  });
  afterAll(async () => {
    connection.socket.destroy();
    for (const close of closers) await close();
  });

  async function sendRequest(target: string, headers: Record<string, string> = {}) {
    connection.send(requestBytes(target, headers));
    return await connection.next();
  }

  it('serve --upstream reads an Accept-Encoding of up to 200 characters, and responds uncompressed to a longer one', async () => {
    const padded = (length: number): string => 'gzip'.padStart(length, 'a, ');
    const codingOf = async (accepted: string) =>
      (await sendRequest(CLOSED, { 'accept-encoding': accepted }))?.headers['content-encoding'];
    expect(await codingOf(padded(199))).toBe('gzip');
    expect(await codingOf(padded(202))).toBeUndefined();
    expect(await codingOf(padded(15_000))).toBeUndefined();
  });

  /** Time of the processor, which does not pass for other processes; the least of some tries. */
  async function minMs(target: string, headers: Record<string, string>): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 7; tries++) {
      const begun = process.cpuUsage();
      await sendRequest(target, headers);
      const { user, system } = process.cpuUsage(begun);
      least = Math.min(least, (user + system) / 1000);
    }
    return least;
  }

  const field = (name: string, unit: string) => (length: number) =>
    [CLOSED, { [name]: unit.repeat(length / unit.length) }] as const;
  const target =
    (before: string, unit: string, after = '') =>
    (length: number) =>
      [before + unit.repeat(length / unit.length) + after, {}] as const;

  it.each<readonly [string, (length: number) => readonly [string, Record<string, string>]]>([
    ['an Accept-Encoding of letters', field('accept-encoding', 'a')],
    ['an Accept-Encoding of many items', field('accept-encoding', 'br;q=0 ,')],
    ['an If-None-Match of many tags', field('if-none-match', '"a",')],
    ['an If-None-Match of blanks', field('if-none-match', 'a                ')],
    ['a long If-Modified-Since', field('if-modified-since', 'Mon (')],
    ['a long Cache-Control', field('cache-control', ',no-cache         x')],
    ['a long Pragma', field('pragma', ', no-cach')],
    ['a long X-Forwarded-For', field('x-forwarded-for', '1.1.1.1, ')],
    ['a long Range', field('range', 'bytes=0-1,')],
    ['a path of digits', target('/v1/live/', '1')],
    ['a path of escapes', target('/v1/live/', '%2f')],
    ['a path of broken escapes', target('/v1/live/', '%f')],
    ['a path of slashes', target('/', '/')],
    ['a target that never leaves its scheme', target('h', 't')],
    ['a long callback', target('/v1/live/110?callback=', 'a.')],
    ['a start argument of blanks', target('/v1/archive/110?stop=now&start=2024', '%20')],
    ['a start argument of dates', target('/v1/archive/110?stop=now&start=', '2024-01-01T00:00+')],
    ['many arguments', target('/v1/archive/110?', 'a&')],
    ['one argument many times', target('/v1/archive/110?', 'start=1&')],
  ])('serve --upstream needs at most linear time for %s', async (_, make) => {
    await sendRequest(ALL);
    const [short, long] = [await minMs(...make(3800)), await minMs(...make(15_200))];
    // Quadratic work would be 16 times as much; 4 is linear, and 2 ms are for what does not grow.
    expect(long).toBeLessThan(8 * short + 2);
  });
});

describe('X-Forwarded-For of 15,000 characters', () => {
  const addressOf = clientAddressReader('loopback');
  const read = (forwarded: string): Promise<string> => addressOf('127.0.0.1', forwarded);

  it('an X-Forwarded-For of 15,000 characters yields the rightmost address that is no trusted proxy', async () => {
    expect(await read(`${'192.0.2.7, '.repeat(1400)}192.0.2.1`)).toBe('192.0.2.1');
    expect(await read(`${'192.0.2.7, '.repeat(1400)}192.0.2.1, 127.0.0.1`)).toBe('192.0.2.1');
  });

  it('an X-Forwarded-For of 15,000 characters is read only to its 20th address from the right', async () => {
    // A server that trusted each of them would come to the first.
    expect(await read(`192.0.2.1, ${'127.0.0.1, '.repeat(1300)}127.0.0.1`)).toBe('127.0.0.1');
    expect(await read('1'.repeat(15_000))).toBe('127.0.0.1');
  });
});
