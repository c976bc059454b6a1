import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode, UsageError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import { pathOf, userFolder } from '../userFolder.ts';
import { parseConfig } from './parse.ts';
import { type Config, NO_CONFIG } from './settings.ts';

/**
 * Where the user's configuration is, or would be: `VANE_CONFIG`, else `config.json` in vane's
 * folder where the system keeps configurations.
 * @returns undefined where the environment names neither a file nor a home
 */
export async function configPath(io: Pick<Io, 'env' | 'runtime'>): Promise<string | undefined> {
  if (io.env.VANE_CONFIG) return resolve(io.env.VANE_CONFIG);
  const folder = await userFolder('config', io);
  return folder === undefined ? undefined : join(pathOf(folder), 'config.json');
}

/**
 * The user's configuration; without a file there is nothing in it.
 * @throws UsageError for a file that cannot be read, or holds anything else
 */
export async function readConfig(io: Pick<Io, 'env' | 'runtime'>): Promise<Config> {
  const path = await configPath(io);
  const text = path === undefined ? undefined : readText(path);
  if (path === undefined || text === undefined || text.trim() === '') return NO_CONFIG;
  return parseConfig(text, path);
}

const CAUSES: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ELOOP: 'its links go round in circles',
};

function readText(path: string): string | undefined {
  try {
    // Not by node:fs/promises, which would be loaded for this alone.
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const cause = CAUSES[code] ?? (error as Error).message;
    throw new UsageError(`The configuration ${path} cannot be read: ${cause}.`);
  }
}
