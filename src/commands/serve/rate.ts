import { readInteger } from '../../flags/values.ts';
import type { Reporter } from '../../output/reporter.ts';
import type { RateLimit } from '../../server/edge/requestHooks.ts';

/**
 * The maximum number of requests of one client address. With the default, addresses of this machine
 * are exempt.
 */
export interface RequestRate {
  readonly perMinute: number;
  readonly isDefault: boolean;
}

/**
 * The default limit. It suffices for many people behind one address whose pages refresh each
 * minute.
 */
const DEFAULT: RequestRate = { perMinute: 600, isDefault: true };

/**
 * Reads `--rate`. By default there is a limit with --upstream, and none with --demo.
 * @returns undefined for no limit
 * @throws UsageError
 */
export function readRequestRate(
  text: string | undefined,
  hasUpstream: boolean,
): RequestRate | undefined {
  if (text === 'none') return undefined;
  if (text !== undefined) {
    return {
      perMinute: readInteger('--rate', text, 1, 1_000_000, ', or none for no limit'),
      isDefault: false,
    };
  }
  return hasUpstream ? DEFAULT : undefined;
}

/**
 * Creates the server's rate limit. If the limit is the default, the first refused request prints a
 * note.
 */
export function createRateLimit(
  { perMinute, isDefault }: RequestRate,
  { note }: Reporter,
): RateLimit {
  if (!isDefault) return { perMinute };
  let isTold = false;
  return {
    perMinute,
    isExempt: (address) => address === '::1' || address.startsWith('127.'),
    onExceeded(address) {
      if (isTold) return;
      isTold = true;
      note(
        `${address} sends more than ${perMinute} requests per minute, and gets status 429. If it is a proxy, name it with --trust-proxy. --rate sets another limit, and --rate none removes it.`,
      );
    },
  };
}
