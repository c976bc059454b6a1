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
import { type Io, randomName } from '../io.ts';
import { makeFolder } from '../userFolder.ts';
import { isFileAtPath } from './openedFile.ts';
import { type OutputPiece, toOutputError } from './target.ts';

/**
 * Writes a file through a temporary file beside it, which then replaces it, and makes its missing
 * folders. A device or pipe is written directly.
 * @throws OutputError when the file cannot be written; errors of `pieces` as they are
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
    // A piece of output may be a whole chunk of rows, so read no more than one piece ahead.
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
 * The permissions that a new file takes over from the one it replaces. Set-user-id bits are left
 * out: the former owner could run a program with the rights of this user. A file that replaces
 * another user's is not writable by everybody.
 */
function permissions(replaced: Stats, { runtime }: Io): number {
  return replaced.mode & PERMISSIONS & ~(isOwn(replaced, runtime) ? 0 : WRITABLE_BY_ALL);
}

/** Whether a file belongs to the user; true where files have no owner. */
function isOwn({ uid }: Stats, { user }: Io['runtime']): boolean {
  return user === undefined || uid === user;
}

async function replaceFile(
  path: string,
  existing: Stats | undefined,
  send: (stream: Writable) => Promise<void>,
  io: Io,
): Promise<void> {
  // Where the path is a link, replace the file it points to, so that the link stays.
  const file = await followLinks(path, io);
  const folder = dirname(file);
  makeFolder(folder);
  await removeOldTemporaryFiles(folder, io);
  const temporary = join(folder, `.vane-${randomName(io.random)}.tmp`);
  const handle = await open(temporary, 'wx');
  try {
    if (existing) await handle.chmod(permissions(existing, io));
    await send(streamInto(handle));
    await handle.sync();
    // Compare while the file is open: the system may give the inode of a closed file to another.
    if (!(await isFileAtPath(handle, temporary, io, lstat))) throw displaced(path, temporary);
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** A stream into an open file, which stays open when the stream ends. */
function streamInto(file: FileHandle): Writable {
  return new Writable({
    decodeStrings: false,
    write: (piece: OutputPiece, _encoding, done) =>
      void file.appendFile(piece).then(() => done(), done),
  });
}

/** The error for a temporary file whose name another program has removed or given to a file of its own. */
function displaced(path: string, temporary: string): OutputError {
  return new OutputError(
    `Another program replaced or removed ${temporary}, the temporary file of ${path}. ` +
      `${path} was not changed. Run the same command again.`,
  );
}

const TEMPORARY_NAME = /^\.vane-[0-9a-z]+\.tmp$/;
/** Folders searched for old temporary files: a split export writes thousands of files into one. */
const LOOKED_THROUGH = new Set<string>();

/**
 * Removes the user's temporary files that killed runs of vane left in a folder: those not written
 * for a day, since a running export writes with each chunk.
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
/** Most symbolic links that a path may lead through, the same number as on Linux. */
const MAX_LINKS = 40;

/**
 * The path that a chain of links ends in; its file may be missing. A rename bypasses the kernel's
 * check of links (protected_symlinks of Linux), which this function repeats.
 * @throws UsageError for a link of another user in a folder that other users may write
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
    // A relative link counts from its real folder, which may itself be behind a link.
    file = resolve(await realpath(dirname(file)), target);
  }
  return file;
}

/** Time between attempts to open a fifo without a reader. */
const POLL_MS = 50;

/** Opens a device or pipe. A fifo without a reader is polled: a blocking open would never end. */
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
 * Makes a folder and its missing parents.
 * @returns the folders made, the outermost first
 * @throws OutputError
 */
export function makeOutputFolder(path: string): readonly string[] {
  try {
    return makeFolder(path);
  } catch (error) {
    throw toOutputError(error, `into ${path}`, '');
  }
}
