import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_MARKER_FILE, ENTRIES_FOLDER } from './cacheFolder.ts';

/** A file or folder left by another version of vane. */
interface Leftover {
  readonly path: string;
  /** Total size of its files, bytes. */
  readonly bytes: number;
}

/**
 * Finds what other versions of vane left in the folder of this user's cached responses. vane 1.0
 * used `index-v5`, `content-v2`, `tmp` and `live-v1`.
 * @param abandoned another folder that a version of vane may have left
 */
export async function findLeftovers(
  folder: string,
  abandoned: string | undefined,
): Promise<Leftover[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names
    .filter((name) => name !== CACHE_MARKER_FILE && name !== ENTRIES_FOLDER)
    .map((name) => join(folder, name));
  const all = abandoned === undefined ? paths : [...paths, abandoned];
  const measured = await Promise.all(
    all.map(async (path) => {
      const bytes = await measure(path).catch(() => undefined);
      return bytes === undefined ? [] : [{ path, bytes }];
    }),
  );
  return measured.flat();
}

/**
 * The size of a file, or of all files in a folder.
 * @throws the error of the system
 */
async function measure(path: string): Promise<number> {
  const own = await lstat(path);
  if (!own.isDirectory()) return own.size;
  const names = await readdir(path, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const status = await lstat(join(path, name)).catch(() => undefined);
      return status?.isFile() ? status.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
