import { UsageError } from '../errors.ts';
import { type Io, MAX_TIMER_MS } from '../io.ts';
import type { GlobalFlags } from './options.ts';
import type { Config } from './settings.ts';
import { readSetting } from './settings.ts';
import { readDurationMs, readInteger } from './values.ts';

/** How to send requests, how to use the cache on disk, and how much to print about them. */
export interface RequestOptions {
  /** Longest wait for a connection or new data, milliseconds. */
  readonly timeoutMs: number;
  /** Retries after a temporary failure, 0 to 20. */
  readonly retries: number;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  /** The disk cache: `use` reads and writes it, `refresh` only writes it, `none` does neither. */
  readonly cache: 'use' | 'refresh' | 'none';
}

/** Which service to use, and how. */
export interface Connection extends RequestOptions {
  /** Address of the service; undefined for the simulated network. */
  readonly baseUrl: string | undefined;
}

/** Reads the flags that say which service to use, and how. @throws UsageError */
export function readConnection(flags: GlobalFlags, io: Io, config: Config): Connection {
  if (flags.demo && flags.baseUrl !== undefined) {
    throw new UsageError('--demo and --base-url are two different services; use one of them.');
  }
  return {
    ...readRequestOptions(flags),
    baseUrl: flags.demo ? undefined : readSetting('base_url', flags, config, io),
  };
}

/**
 * Reads the global options except `--base-url` and `--demo`: how long to wait and retry, how to use
 * the disk cache, and how much to print about it.
 * @throws UsageError
 */
export function readRequestOptions(flags: GlobalFlags): RequestOptions {
  const timeoutMs = readDurationMs('--timeout', flags.timeout);
  if (timeoutMs > MAX_TIMER_MS) throw new UsageError('--timeout is at most 24d.');
  // The simulated network needs no cache: it is on this machine, and its port changes each time.
  const isUncached = flags.demo || !flags.cache;
  return {
    timeoutMs,
    retries: readInteger('--retries', flags.retries, 0, 20),
    isQuiet: flags.quiet ?? false,
    isVerbose: flags.verbose ?? false,
    cache: isUncached ? 'none' : flags.refresh ? 'refresh' : 'use',
  };
}
