import { UsageError } from '../errors.ts';
import { type Io, MAX_TIMER_MS } from '../io.ts';
import type { Config } from './config.ts';
import type { GlobalFlags } from './options.ts';
import { readSetting } from './settings.ts';
import { readDurationMs, readInteger } from './values.ts';

export type RequestPolicy = Readonly<ReturnType<typeof readRequestPolicy>>;

export type Connection = Readonly<ReturnType<typeof readConnection>>;

/** Reads the flags that say which service to use, and how. @throws UsageError */
export function readConnection(flags: GlobalFlags, io: Io, config: Config) {
  if (flags.demo && flags.baseUrl !== undefined) {
    throw new UsageError('--demo and --base-url are two different services; use one of them.');
  }
  return {
    ...readRequestPolicy(flags),
    /** Address of the service; undefined for the simulated network. */
    baseUrl: flags.demo ? undefined : readSetting('base_url', flags, config, io),
  };
}

/**
 * Reads the global options except `--base-url` and `--demo`: how long to wait and retry, how to use
 * the disk cache, and how much to print about it.
 * @throws UsageError
 */
export function readRequestPolicy(flags: GlobalFlags) {
  const timeoutMs = readDurationMs('--timeout', flags.timeout);
  if (timeoutMs > MAX_TIMER_MS) throw new UsageError('--timeout is at most 24d.');
  // The simulated network needs no cache: it is on this machine, and its port changes each time.
  const isUncached = flags.demo || !flags.cache;
  /** The disk cache: `use` reads and writes it, `refresh` only writes it, `none` does neither. */
  const cache: 'use' | 'refresh' | 'none' = isUncached ? 'none' : flags.refresh ? 'refresh' : 'use';
  return {
    timeoutMs,
    retries: readInteger('--retries', flags.retries, 0, 20),
    isQuiet: flags.quiet ?? false,
    isVerbose: flags.verbose ?? false,
    cache,
  };
}
