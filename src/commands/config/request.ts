import { changeConfig, type Key, readKey } from '../shared/config/parse.ts';
import { NO_CONFIG } from '../shared/config/settings.ts';
import type { GlobalFlags, PresentationFlags } from '../shared/options.ts';

export type ConfigTask = 'list' | 'get' | 'set' | 'unset' | 'path';

export type ConfigFlags = GlobalFlags & PresentationFlags;

/** What `vane config` was asked. */
export interface ConfigRequest {
  readonly task: ConfigTask;
  /** Undefined where the task is about none. */
  readonly key: Key | undefined;
  /** With `set`. */
  readonly value: string | undefined;
  readonly flags: ConfigFlags;
}

/** @throws UsageError for a key that there is not, and a value that it does not take */
export function readConfigRequest(
  task: ConfigTask,
  [keyText, value]: readonly string[],
  flags: ConfigFlags,
): ConfigRequest {
  const key = keyText === undefined ? undefined : readKey(keyText);
  if (key !== undefined) changeConfig(NO_CONFIG, key, value);
  return { task, key, value, flags };
}
