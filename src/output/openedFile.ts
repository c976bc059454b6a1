import { type FileHandle, stat } from 'node:fs/promises';
import type { Io } from '../io.ts';

/**
 * Whether a path still names an open file, by device and inode. `sed -i` and most editors replace a
 * file by renaming a new one.
 * @param look `stat` follows a link at the end of the path; `lstat` does not
 */
export async function isFileAtPath(
  handle: FileHandle,
  path: string,
  { runtime }: Pick<Io, 'runtime'>,
  look: typeof stat = stat,
): Promise<boolean> {
  // Use bigint, since a number would round the inodes of Windows.
  const there = await look(path, { bigint: true }).catch(() => undefined);
  if (there === undefined) return false;
  const { dev, ino } = await handle.stat({ bigint: true });
  // On Windows some drives have no inodes (0), and the device of a path may be written differently.
  if (runtime.platform === 'win32') return ino === 0n || there.ino === ino;
  return there.dev === dev && there.ino === ino;
}
