import type { Reporter } from '../../output/reporter.ts';
import { createRateLimit, type RateLimit } from '../../server/rateLimit.ts';
import { readInteger } from '../shared/values.ts';

/** What one address may ask. */
export interface Rate {
  readonly perMinute: number;
  /** Nobody asked for it, so addresses of this machine, as those of a proxy on it, are free of it. */
  readonly isDefault: boolean;
}

/** Ten a second: a page that asks for all there is each minute, for many people behind one address. */
const DEFAULT_PER_MINUTE = 600;

/**
 * Reads `--rate`. Without it there is a limit in front of a service, and none for the simulated network.
 * @returns undefined for no limit
 * @throws UsageError
 */
export function readRate(text: string | undefined, hasUpstream: boolean): Rate | undefined {
  if (text === 'none') return undefined;
  if (text !== undefined) {
    return { perMinute: readInteger('--rate', text, 1, 1_000_000), isDefault: false };
  }
  return hasUpstream ? { perMinute: DEFAULT_PER_MINUTE, isDefault: true } : undefined;
}

/** A limit that says once when it first refuses a request, if nobody asked for it. */
export function openRateLimit(rate: Rate, now: () => number, { note }: Reporter): RateLimit {
  const { perMinute, isDefault } = rate;
  const limit = createRateLimit({ perMinute, now });
  if (!isDefault) return limit;
  let isTold = false;
  return {
    take(address) {
      if (isLoopback(address)) return { isAllowed: true };
      const permission = limit.take(address);
      if (!permission.isAllowed && !isTold) {
        isTold = true;
        note(
          `${address} sends more than ${perMinute} requests a minute, and is answered 429. If it is a proxy, name it with --trust-proxy; --rate sets another limit, and --rate none lifts it.`,
        );
      }
      return permission;
    },
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
