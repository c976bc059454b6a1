import { expect, it } from 'vitest';
import {
  createRateLimit,
  type RequestRate,
  readRequestRate,
} from '../../../src/commands/serve/rate.ts';
import { UsageError } from '../../../src/errors.ts';
import { createApp } from '../../../src/server/edge/app.ts';

/** A server with a rate limit, that is sent requests from any address. */
async function setUp(rate: RequestRate) {
  const notes: string[] = [];
  const reporter = { note: (line: string) => void notes.push(line), detail: () => {} };
  const { fastify } = await createApp({
    ...{ maxUnsentBytes: 1e6, pages: [] },
    rateLimit: createRateLimit(rate, reporter),
  });
  fastify.get('/', async () => 'wind');
  const isAllowed = async (remoteAddress: string) =>
    (await fastify.inject({ url: '/', remoteAddress })).statusCode === 200;
  return { notes, isAllowed };
}

const addressOf = (n: number): string => `10.${n >> 16}.${(n >> 8) & 0xff}.${n & 0xff}`;

it.each<readonly [string, string | undefined, boolean, RequestRate | undefined]>([
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
  expect(readRequestRate(text, hasUpstream)).toEqual(rate);
});

it.each(['0', '-1', 'lots', ''])('vane serve refuses --rate “%s”', (text) => {
  expect(() => readRequestRate(text, true)).toThrow(UsageError);
});

it('the default rate of vane serve does not limit addresses of this machine, but a rate set by --rate does', async () => {
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

it('vane serve with the default rate reports only the first refusal, and names --trust-proxy and --rate none', async () => {
  const { notes, isAllowed } = await setUp({ perMinute: 1, isDefault: true });
  for (const n of [1, 1, 2, 2]) await isAllowed(addressOf(n));
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(
    /^10\.0\.0\.1 sends more than 1 requests .* --trust-proxy.* --rate none/,
  );
});
