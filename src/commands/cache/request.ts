import type { GlobalFlags } from '../shared/options.ts';
import { readSize } from '../shared/values.ts';

export type CacheTask = 'path' | 'list' | 'clear';

/** What `vane cache` was asked. */
export interface CacheRequest {
  readonly task: CacheTask;
  /** With `clear`: how much may stay, in bytes. */
  readonly maxBytes: number;
  readonly isQuiet: boolean;
}

export interface CacheFlags extends GlobalFlags {
  readonly maxSize?: string;
}

/** @throws UsageError */
export function readCacheRequest(task: CacheTask, flags: CacheFlags): CacheRequest {
  const maxBytes = flags.maxSize === undefined ? 0 : readSize('--max-size', flags.maxSize);
  return { task, maxBytes, isQuiet: flags.quiet ?? false };
}
