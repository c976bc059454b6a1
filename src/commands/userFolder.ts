import { join } from 'node:path';
import type { Io } from '../io.ts';

/** What a user's folders are for, by their names in env-paths. */
export type FolderKind = 'cache' | 'config';

const XDG = {
  cache: { variable: 'XDG_CACHE_HOME', inHome: '.cache' },
  config: { variable: 'XDG_CONFIG_HOME', inHome: '.config' },
} as const satisfies Record<FolderKind, unknown>;

/**
 * vane's folder of a kind, where the system keeps such folders.
 * @returns undefined where the environment names no home
 */
export async function userFolder(
  kind: FolderKind,
  { env, runtime }: Pick<Io, 'env' | 'runtime'>,
): Promise<string | undefined> {
  // env-paths takes 6 ms to load, which is much of what `vane live` may take. This is its rule for
  // all systems but two (XDG Base Directory Specification).
  if (runtime.platform !== 'darwin' && runtime.platform !== 'win32') {
    const { variable, inHome } = XDG[kind];
    const base = env[variable] || (env.HOME && join(env.HOME, inHome));
    return base ? join(base, 'vane') : undefined;
  }
  return env.HOME || env.USERPROFILE ? systemFolder(kind) : undefined;
}

/** The same for this very user, whatever an Io's environment says. */
export async function systemFolder(kind: FolderKind): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  return envPaths('vane', { suffix: '' })[kind];
}
