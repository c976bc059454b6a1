import { platform as systemPlatform } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Io } from './io.ts';

/** A folder of vane's: `names` below `within`, such as the home or $XDG_CACHE_HOME. */
export interface UserFolder {
  readonly within: string;
  readonly names: readonly string[];
}

/** vane's folders on macOS and Windows, by the rules of env-paths. */
const systemPaths = ['darwin', 'win32'].includes(systemPlatform())
  ? (await import('env-paths')).default('vane', { suffix: '' })
  : undefined;

/** Folders by the XDG Base Directory Specification: a variable, and the default below the home. */
const XDG = {
  cache: { variable: 'XDG_CACHE_HOME', inHome: '.cache' },
  config: { variable: 'XDG_CONFIG_HOME', inHome: '.config' },
} as const;

/** vane's folder for its cache or configuration; undefined where the environment names no home. */
export function userFolder(
  kind: keyof typeof XDG,
  env: Io['env'],
  platform: NodeJS.Platform,
): UserFolder | undefined {
  if (platform === 'darwin' || platform === 'win32') {
    const home = env.HOME || env.USERPROFILE;
    return home && systemPaths ? belowHome(home, systemPaths[kind]) : undefined;
  }
  // env-paths would read the environment that Node started with instead of `env`.
  const { variable, inHome } = XDG[kind];
  const named = env[variable];
  if (named) return { within: named, names: ['vane'] };
  return env.HOME ? { within: env.HOME, names: [inHome, 'vane'] } : undefined;
}

function belowHome(home: string, path: string): UserFolder {
  const below = relative(home, path);
  const isBelow = !isAbsolute(below) && !below.startsWith('..');
  return isBelow ? { within: home, names: below.split(sep) } : { within: path, names: [] };
}

export function pathOf({ within, names }: UserFolder): string {
  return join(within, ...names);
}
