import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type Rate, rateLimitOf, readRate } from '../../../src/commands/serve/rate.ts';
import { UsageError } from '../../../src/errors.ts';
import { createApp } from '../../../src/server/edge/app.ts';
import { clientKey, createTokenBuckets } from '../../../src/server/edge/rateLimit.ts';

const MINUTE_MS = 60_000;

/** A server with a rate limit, that is sent requests from any address. */
async function setUp(rate: Rate) {
  const notes: string[] = [];
  const reporter = { note: (line: string) => void notes.push(line), detail: () => {} };
  const { fastify } = await createApp({
    ...{ now: () => 0, maxUnsentBytes: 1e6, notFound: 'Nothing.' },
    rateLimit: rateLimitOf(rate, reporter),
  });
  fastify.get('/', async () => 'wind');
  const isAllowed = async (remoteAddress: string) =>
    (await fastify.inject({ url: '/', remoteAddress })).statusCode === 200;
  return { notes, isAllowed };
}

const addressOf = (n: number): string => `10.${n >> 16}.${(n >> 8) & 0xff}.${n & 0xff}`;

it.each<readonly [string, string | undefined, boolean, Rate | undefined]>([
  [
    '--upstream without --rate allows 600 requests a minute',
    undefined,
    true,
    { perMinute: 600, isDefault: true },
  ],
  ['--demo without --rate has no limit of requests', undefined, false, undefined],
  ['--upstream with --rate none has no limit of requests', 'none', true, undefined],
  [
    '--upstream with --rate 60 allows 60 requests a minute',
    '60',
    true,
    { perMinute: 60, isDefault: false },
  ],
  [
    '--demo with --rate 60 allows 60 requests a minute',
    '60',
    false,
    { perMinute: 60, isDefault: false },
  ],
])('vane serve %s', (_, text, hasUpstream, rate) => {
  expect(readRate(text, hasUpstream)).toEqual(rate);
});

it.each(['0', '-1', 'lots', ''])('vane serve refuses --rate “%s”', (text) => {
  expect(() => readRate(text, true)).toThrow(UsageError);
});

it('the default rate of serve allows 50,000 addresses 600 requests a minute each, with at most 10 MB of memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const clock = { ms: 0 };
  const { perMinute = 0 } = readRate(undefined, true) ?? {};
  const take = createTokenBuckets(perMinute, () => clock.ms);
  const isAllowed = (address: string) => take(clientKey(address)) === 0;
  const ADDRESSES = 50_000;
  for (let n = 0; n < ADDRESSES; n++) isAllowed(addressOf(n));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  let allowed = 0;
  for (let times = 1; times < 601; times++) {
    for (let n = 0; n < ADDRESSES; n += 2500) if (isAllowed(addressOf(n))) allowed++;
  }
  // Each address has used one request, so 599 of the 600 further ones are allowed.
  expect(allowed).toBe((ADDRESSES / 2500) * 599);
  clock.ms += MINUTE_MS;
  expect(isAllowed(addressOf(0))).toBe(true);
  // Many more addresses, as of a hostile network, replace older ones within the same memory.
  for (let n = 0; n < 2 * ADDRESSES; n++) isAllowed(addressOf(ADDRESSES + n));
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10e6);
});

it('the default rate of serve does not limit addresses of this machine, but a rate given by --rate does', async () => {
  for (const [isDefault, expected] of [
    [true, [true, true, true]],
    [false, [true, false, false]],
  ] as const) {
    const { isAllowed } = await setUp({ perMinute: 1, isDefault });
    for (const address of ['127.0.0.1', '::1']) {
      const allowed: boolean[] = [];
      for (const _ of expected) allowed.push(await isAllowed(address));
      expect(allowed).toEqual(expected);
    }
  }
});

it('the default rate of serve reports only the first refusal, and names --trust-proxy and --rate none', async () => {
  const { notes, isAllowed } = await setUp({ perMinute: 1, isDefault: true });
  for (const n of [1, 1, 2, 2]) await isAllowed(addressOf(n));
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(
    /^10\.0\.0\.1 sends more than 1 requests .* --trust-proxy; .* --rate none/,
  );
});
