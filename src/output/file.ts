import { createWriteStream, openSync, type Stats } from 'node:fs';
import {
  constants,
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DAY_MS } from '../domain/dates.ts';
import { errorCode, OutputError, UsageError } from '../errors.ts';
import { type Io, randomFileSuffix } from '../io.ts';
import { makeFolder } from '../userFolder.ts';
import { isFileAtPath } from './openedFile.ts';
import { type OutputPiece, toOutputError } from './target.ts';

/**
 * Writes a temporary file beside the target and then renames it, so that the target is always
 * complete. Creates missing folders. Devices and pipes are written directly.
 * @throws OutputError if the file cannot be written; errors of `pieces` unchanged
 */
export async function writeFile(
  pieces: Iterable<OutputPiece> | AsyncIterable<OutputPiece>,
  path: string,
  isGzip: boolean,
  io: Io,
): Promise<void> {
  const { signal } = io;
  const existing = await statIfThere(path);
  const isReplaced = existing?.isFile() ?? true;
  const send = async (stream: Writable): Promise<void> => {
    // A piece may be a whole chunk of rows, so read at most one piece ahead.
    const source = Readable.from(pieces, { highWaterMark: 1 });
    const gzip = isGzip ? [(await import('node:zlib')).createGzip()] : [];
    await pipeline([source, ...gzip, stream], { signal });
  };
  try {
    if (isReplaced) await replaceFile(path, existing, send, io);
    else await send(await openDevice(path, io));
  } catch (error) {
    throw toOutputError(signal.aborted ? signal.reason : error, path, isReplaced ? undefined : '');
  }
}

const PERMISSIONS = 0o777;
const WRITABLE_BY_ALL = 0o002;

/**
 * The permissions of the new file, copied from the replaced one. Set-user-id bits are dropped:
 * otherwise the former owner could run a program with this user's rights. A file that replaces
 * another user's does not stay writable by everybody.
 */
function permissions(replaced: Stats, { runtime }: Io): number {
  return replaced.mode & PERMISSIONS & ~(isOwn(replaced, runtime) ? 0 : WRITABLE_BY_ALL);
}

/** Whether a file belongs to the user; true if files have no owner. */
function isOwn({ uid }: Stats, { user }: Io['runtime']): boolean {
  return user === undefined || uid === user;
}

async function replaceFile(
  path: string,
  existing: Stats | undefined,
  send: (stream: Writable) => Promise<void>,
  io: Io,
): Promise<void> {
  // If the path is a symbolic link, replace the file that it points to, and keep the link.
  const file = await followLinks(path, io);
  const folder = dirname(file);
  makeFolder(folder);
  await removeOldTemporaryFiles(folder, io);
  const temporary = join(folder, `.vane-${randomFileSuffix(io.random)}.tmp`);
  const handle = await open(temporary, 'wx');
  try {
    if (existing) await handle.chmod(permissions(existing, io));
    await send(streamInto(handle));
    await handle.sync();
    // Compare while the file is open: the system may reuse the inode of a closed file.
    if (!(await isFileAtPath(handle, temporary, io, lstat))) throw displaced(path, temporary);
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Creates a stream into an open file, which stays open when the stream ends. */
function streamInto(file: FileHandle): Writable {
  return new Writable({
    decodeStrings: false,
    write: (piece: OutputPiece, _encoding, done) =>
      void file.appendFile(piece).then(() => done(), done),
  });
}

/** Creates the error for a temporary file that another program has removed or replaced. */
function displaced(path: string, temporary: string): OutputError {
  return new OutputError(
    `Another program replaced or removed ${temporary}, the temporary file of ${path}. ` +
      `${path} was not changed. Run the same command again.`,
  );
}

const TEMPORARY_NAME = /^\.vane-[0-9a-z]+\.tmp$/;
/**
 * Folders already searched for old temporary files. A split export writes thousands of files into
 * one folder.
 */
const LOOKED_THROUGH = new Set<string>();

/**
 * Removes temporary files that killed runs of vane left in a folder: the user's own files that were
 * not written for a day. A running export writes with each chunk.
 */
async function removeOldTemporaryFiles(folder: string, { now, runtime }: Io): Promise<void> {
  if (LOOKED_THROUGH.has(folder)) return;
  LOOKED_THROUGH.add(folder);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => TEMPORARY_NAME.test(name))) {
    const path = join(folder, name);
    const status = await lstat(path).catch(() => undefined);
    if (!status?.isFile() || !isOwn(status, runtime)) continue;
    if (now() - status.mtimeMs > DAY_MS) await rm(path, { force: true }).catch(() => {});
  }
}

const WRITABLE_BY_OTHERS = 0o022;
/** Maximum number of symbolic links to follow, as on Linux. */
const MAX_LINKS = 40;

/**
 * Follows a chain of symbolic links to its end, which may not exist. Repeats the kernel's check of
 * links (protected_symlinks of Linux), since a rename bypasses it.
 * @throws UsageError for a link of another user in a folder that others can write to
 */
export async function followLinks(path: string, { runtime }: Pick<Io, 'runtime'>): Promise<string> {
  let file = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    const target = await readlink(file).catch(() => undefined);
    if (target === undefined) return file;
    const [link, folder] = await Promise.all([lstat(file), stat(dirname(file))]);
    const isShared = (folder.mode & WRITABLE_BY_OTHERS) !== 0;
    if (!isOwn(link, runtime) && isShared) {
      throw new UsageError(
        `${file} is a link of another user, in a folder that other users may write to; name the file that the link points to.`,
      );
    }
    // A relative link is relative to its real folder, which may itself be behind a link.
    file = resolve(await realpath(dirname(file)), target);
  }
  return file;
}

/** Interval of the attempts to open a fifo that has no reader. */
const POLL_MS = 50;

/**
 * Opens a device or pipe. For a fifo without a reader this retries, since a blocking open might
 * never return.
 */
async function openDevice(path: string, io: Io): Promise<Writable> {
  await followLinks(path, io);
  if (!(await stat(path)).isFIFO()) return createWriteStream(path);
  for (;;) {
    io.signal.throwIfAborted();
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if (errorCode(error) !== 'ENXIO') throw error;
      await io.sleep(POLL_MS, io.signal);
    }
  }
}

export async function statIfThere(path: string) {
  return stat(path).catch(() => undefined);
}

/**
 * Creates a folder and its missing parents.
 * @returns the created folders, the outermost first
 * @throws OutputError
 */
export function makeOutputFolder(path: string): readonly string[] {
  try {
    return makeFolder(path);
  } catch (error) {
    throw toOutputError(error, `into ${path}`, '');
  }
}
