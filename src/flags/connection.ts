import { UsageError } from '../errors.ts';
import { type Io, MAX_TIMER_MS } from '../io.ts';
import type { GlobalFlags } from './options.ts';
import type { Config } from './settings.ts';
import { readSetting } from './settings.ts';
import { readDurationMs, readInteger } from './values.ts';

/** How to send requests, use the cache on disk, and report progress. */
export interface RequestOptions {
  /** Maximum wait for a connection or for new data, milliseconds. */
  readonly timeoutMs: number;
  /** Retries after a temporary failure, 0 to 20. */
  readonly retries: number;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  /** `use` reads and writes the cache on disk, `refresh` only writes it, `none` ignores it. */
  readonly cache: 'use' | 'refresh' | 'none';
}

/** Which service to use, and how. */
export interface ConnectionOptions extends RequestOptions {
  /** Address of the service; undefined for the simulated network. */
  readonly baseUrl: string | undefined;
}

/**
 * Reads the flags that choose a service and say how to use it.
 * @throws UsageError
 */
export function readConnection(flags: GlobalFlags, io: Io, config: Config): ConnectionOptions {
  if (flags.demo && flags.baseUrl !== undefined) {
    throw new UsageError('--demo and --base-url are two different services; use one of them.');
  }
  return {
    ...readRequestOptions(flags),
    baseUrl: flags.demo ? undefined : readSetting('base_url', flags, config, io),
  };
}

/**
 * Reads the global options except `--base-url` and `--demo`: timeouts, retries, the cache on disk,
 * and verbosity.
 * @throws UsageError
 */
export function readRequestOptions(flags: GlobalFlags): RequestOptions {
  const timeoutMs = readDurationMs('--timeout', flags.timeout);
  if (timeoutMs > MAX_TIMER_MS) throw new UsageError('--timeout is at most 24d.');
  // The simulated network is not cached: it runs on this machine, and its port changes every time.
  const isUncached = flags.demo || !flags.cache;
  return {
    timeoutMs,
    retries: readInteger('--retries', flags.retries, 0, 20),
    isQuiet: flags.quiet ?? false,
    isVerbose: flags.verbose ?? false,
    cache: isUncached ? 'none' : flags.refresh ? 'refresh' : 'use',
  };
}
