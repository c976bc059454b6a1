import { isAbsolute, join, relative, sep } from 'node:path';
import type { Io } from '../../io.ts';

/** Kinds of folders of a user, by their names in env-paths. */
export type FolderKind = 'cache' | 'config';

/** vane's folder of a kind, below one that the system or the user has chosen. */
export interface UserFolder {
  /** The home, or the folder that an XDG variable names. */
  readonly within: string;
  /** Names from there to vane's folder. */
  readonly names: readonly string[];
}

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
  { env, runtime }: { readonly env: Io['env']; readonly runtime: Pick<Io['runtime'], 'platform'> },
): Promise<UserFolder | undefined> {
  // env-paths takes 6 ms to load, which is much of what `vane live` may take. This is its rule for
  // all systems but two (XDG Base Directory Specification).
  if (runtime.platform !== 'darwin' && runtime.platform !== 'win32') {
    const { variable, inHome } = XDG[kind];
    const named = env[variable];
    if (named) return { within: named, names: ['vane'] };
    return env.HOME ? { within: env.HOME, names: [inHome, 'vane'] } : undefined;
  }
  const home = env.HOME || env.USERPROFILE;
  return home ? belowHome(home, await systemFolder(kind)) : undefined;
}

function belowHome(home: string, path: string): UserFolder {
  const below = relative(home, path);
  const isBelow = !isAbsolute(below) && !below.startsWith('..');
  return isBelow ? { within: home, names: below.split(sep) } : { within: path, names: [] };
}

export function pathOf({ within, names }: UserFolder): string {
  return join(within, ...names);
}

/** The same for this very user, whatever an Io's environment says. */
export async function systemFolder(kind: FolderKind): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  return envPaths('vane', { suffix: '' })[kind];
}
