import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../domain/dates.ts';
import { randomName } from '../domain/randomName.ts';
import type { Io } from '../io.ts';

const TEMPORARY_NAME = /^\.vane-[0-9a-z]+\.tmp$/;

/** A name for a temporary file that is renamed when it is complete. */
export function temporaryName(random: () => number): string {
  return `.vane-${randomName(random)}.tmp`;
}

/** A running export is younger: it writes to its file with each chunk. */
const OLDEST_MS = DAY_MS;

/** Folders looked through: a split export writes thousands of files into one folder. */
const LOOKED_THROUGH = new Set<string>();

/**
 * Removes temporary files of killed runs from a folder: the user's files with vane's pattern of
 * names that were not written for a day. Each folder is looked through once a process. A failure to do so does no harm.
 */
export async function removeOldTemporaryFiles(
  folder: string,
  { now, runtime }: Pick<Io, 'now' | 'runtime'>,
): Promise<void> {
  if (LOOKED_THROUGH.has(folder)) return;
  LOOKED_THROUGH.add(folder);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => TEMPORARY_NAME.test(name))) {
    const path = join(folder, name);
    const status = await lstat(path).catch(() => undefined);
    if (status === undefined || !status.isFile()) continue;
    const isOwn = runtime.user === undefined || status.uid === runtime.user;
    if (isOwn && now() - status.mtimeMs > OLDEST_MS)
      await rm(path, { force: true }).catch(() => {});
  }
}
