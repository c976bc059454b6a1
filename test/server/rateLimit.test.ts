import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientKey, createTokenBuckets } from '../../src/server/edge/rateLimit.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 40 });

/** A limit with a clock that stands at `clock.ms`. */
function limit(perMinute: number) {
  const clock = { ms: 1_705_276_800_000 };
  const takeToken = createTokenBuckets(perMinute, () => clock.ms);
  const take = (address: string) => {
    const retryAfterMs = takeToken(clientKey(address));
    return retryAfterMs === 0 ? { isAllowed: true } : { isAllowed: false, retryAfterMs };
  };
  const isAllowed = (address: string): boolean => take(address).isAllowed;
  /** How many of so many requests are let through. */
  const count = (address: string, requests: number): number =>
    Array.from({ length: requests }, () => isAllowed(address)).filter(Boolean).length;
  return { clock, take, isAllowed, count };
}

describe('the rate limit of a client', () => {
  it('allows as many requests at once as in a minute, then one more in each equal part of a minute', () => {
    const { clock, take, count } = limit(5);
    expect(count('192.0.2.1', 10)).toBe(5);
    expect(take('192.0.2.1')).toEqual({ isAllowed: false, retryAfterMs: 12_000 });
    clock.ms += 11_999;
    expect(take('192.0.2.1')).toEqual({ isAllowed: false, retryAfterMs: 1 });
    clock.ms += 1;
    expect(count('192.0.2.1', 10)).toBe(1);
    clock.ms += 3_600_000;
    expect(count('192.0.2.1', 10)).toBe(5);
  });

  it('does not depend on other clients', () => {
    const { count } = limit(2);
    expect(count('192.0.2.1', 5)).toBe(2);
    expect(count('192.0.2.2', 5)).toBe(2);
  });

  it('neither blocks longer nor allows more after the clock was set back', () => {
    const { clock, count, take } = limit(2);
    expect(count('192.0.2.1', 5)).toBe(2);
    clock.ms -= 3_600_000;
    expect(take('192.0.2.1')).toEqual({ isAllowed: false, retryAfterMs: 30_000 });
    clock.ms += 30_000;
    expect(count('192.0.2.1', 5)).toBe(1);
  });
});

/**
 * The same by its definition: in no window of time more than a minute's requests and what flows in
 * meanwhile. Windows that start with a request which was allowed are enough.
 */
function model(perMinute: number): (ms: number) => boolean {
  const allowed: number[] = [];
  return (ms) => {
    const isAllowed = allowed.every((fromMs, index) => {
      const beyondBurst = allowed.length - index + 1 - perMinute;
      return beyondBurst * 60_000 <= perMinute * (ms - fromMs);
    });
    if (isAllowed) allowed.push(ms);
    return isAllowed;
  };
}

const rates = fc.integer({ min: 1, max: 20 });
const CLIENTS = ['192.0.2.1', '2001:db8::1'];
const steps = fc.array(
  fc.record({
    client: fc.constantFrom(...CLIENTS),
    afterMs: fc.oneof(fc.nat(3), fc.nat(2000), fc.nat(200_000)),
  }),
  { maxLength: 30 },
);

describe('the rate limit, for any clients at any times,', () => {
  it('allows and refuses as a simple model of a token bucket does', () => {
    fc.assert(
      fc.property(rates, steps, (perMinute, requests) => {
        const { clock, isAllowed } = limit(perMinute);
        const models = new Map(CLIENTS.map((client) => [client, model(perMinute)]));
        const times = requests.map(({ client, afterMs }) => {
          clock.ms += afterMs;
          return [isAllowed(client), models.get(client)?.(clock.ms)];
        });
        expect(times.map(([real]) => real)).toEqual(times.map(([, expected]) => expected));
      }),
    );
  });

  it('allows a refused client again when retryAfterMs has passed, not a millisecond earlier', () => {
    fc.assert(
      fc.property(rates, steps, (perMinute, requests) => {
        const { clock, take } = limit(perMinute);
        const outcomes = requests.flatMap(({ client, afterMs }) => {
          clock.ms += afterMs;
          const permission = take(client);
          if (permission.retryAfterMs === undefined) return [];
          clock.ms += permission.retryAfterMs - 1;
          const early = take(client);
          clock.ms += 1;
          return [[early, take(client)]];
        });
        const expected = [{ isAllowed: false, retryAfterMs: 1 }, { isAllowed: true }];
        expect(outcomes).toEqual(outcomes.map(() => expected));
      }),
    );
  });
});

describe('the rate limit', () => {
  const { clock, isAllowed } = limit(1);
  const isSame = (one: string, other: string): boolean => {
    // A minute later all requests of before are allowed again.
    clock.ms += 60_000;
    isAllowed(one);
    return !isAllowed(other);
  };

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', 'one /64 network'],
    ['2001:db8:1:2:3:4:5:6', '2001:0DB8:0001:0002::', 'one /64 network'],
    ['2001:db8::1', '2001:db8:0:0:1::', 'one /64 network'],
    ['fe80::1%eth0', 'fe80::2', 'one /64 network'],
    ['::1', '::2', 'one /64 network'],
    ['64:ff9b::192.0.2.1', '64:ff9b::', 'one /64 network'],
    ['192.0.2.1', '::ffff:192.0.2.1', 'one IPv4 address'],
    ['192.0.2.1', '::FFFF:c000:201', 'one IPv4 address'],
    ['192.0.2.1', '0:0:0:0:0:ffff:192.0.2.1', 'one IPv4 address'],
  ])('counts the addresses %s and %s as one client: %s', (one, other) => {
    expect(isSame(one, other)).toBe(true);
    expect(isSame(other, one)).toBe(true);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:1:2::1', '2001:db8:12::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['192.0.2.1', '192.0.2.2'],
    ['::1', '192.0.2.1'],
    ['', '192.0.2.1'],
    ['unknown', 'a:b'],
  ])('counts the addresses “%s” and “%s” as two clients', (one, other) => {
    expect(isSame(one, other)).toBe(false);
  });

  it('counts an IPv6 /64 network as one client, however the address is written', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = fc.array(group, { minLength: 4, maxLength: 4 });
    const hex = (numbers: number[]): string => numbers.map((n) => n.toString(16)).join(':');
    // As the WHATWG writes it, in the shortest way.
    const shorten = (address: string): string =>
      new URL(`http://[${address}]`).hostname.slice(1, -1);
    fc.assert(
      fc.property(groups, groups, groups, (network, one, other) => {
        fc.pre(network.some((n) => n !== 0));
        expect(
          isSame(`${hex(network)}:${hex(one)}`, shorten(`${hex(network)}:${hex(other)}`)),
        ).toBe(true);
        const next = [...network.slice(0, 3), (network[3] as number) ^ 1];
        expect(isSame(`${hex(network)}:${hex(one)}`, `${hex(next)}:${hex(one)}`)).toBe(false);
      }),
    );
  });
});

describe('the memory of the rate limit', () => {
  it('keeps the 50,000 clients that sent requests last', () => {
    const { isAllowed } = limit(1);
    const address = (n: number): string => `10.${n >> 16}.${(n >> 8) & 0xff}.${n & 0xff}`;
    isAllowed(address(0));
    isAllowed(address(1));
    for (let n = 2; n < 50_000; n++) isAllowed(address(n));
    expect(isAllowed(address(0))).toBe(false);
    isAllowed(address(50_000));
    expect(isAllowed(address(0))).toBe(false);
    expect(isAllowed(address(1))).toBe(true);
  });
});
