import { once } from 'node:events';
import { createWriteStream, openSync, type Stats } from 'node:fs';
import {
  access,
  constants,
  lstat,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { errorCode, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { makeFolder } from '../makeFolder.ts';
import { explain, type Piece, type Target } from './target.ts';
import { removeOldTemporaryFiles, temporaryName } from './temporary.ts';

/**
 * Checks before any request that a file can be written.
 * @throws UsageError for a missing folder, a path that is a folder, a missing permission, or a link
 *   of another user
 */
export async function checkFile(path: string, io: Pick<Io, 'runtime'>): Promise<void> {
  const end = await followLinks(path, io);
  const existing = await statIfThere(path);
  if (existing?.isDirectory()) throw new UsageError(`${path} is a folder; name a file in it.`);
  if (existing) {
    const isWritable = await access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) throw new UsageError(`${path} may not be written by this user.`);
    return;
  }
  const folder = dirname(end);
  if (!(await statIfThere(folder))?.isDirectory()) {
    throw new UsageError(`There is no folder ${folder} to write ${path} into; make it first.`);
  }
}

/**
 * Writes a file as {@link writeOutput} says.
 * @throws OutputError when it cannot be written; whatever `pieces` throws
 */
export async function writeFile(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  target: Target,
  io: Io,
): Promise<void> {
  const { isGzip } = target;
  const path = target.path as string;
  const existing = await statIfThere(path);
  const isReplaced = existing?.isFile() ?? true;
  try {
    if (isReplaced) await replaceFile(pieces, target, existing && permissions(existing, io), io);
    else await send(pieces, await openDevice(path, io), io.signal, isGzip);
  } catch (error) {
    throw explain(error, path, isReplaced ? undefined : '');
  }
}

const PERMISSIONS = 0o777;
const WRITABLE_BY_ALL = 0o002;

/**
 * The permissions that a new file takes over from the one it replaces. Set-user-id bits are none of
 * them: who made the old file would run what they write into the new one as its owner. Nor does
 * another user decide that everybody may write it.
 */
function permissions({ mode, uid }: Stats, { runtime }: Pick<Io, 'runtime'>): number {
  const isOwn = runtime.user === undefined || uid === runtime.user;
  return mode & PERMISSIONS & ~(isOwn ? 0 : WRITABLE_BY_ALL);
}

async function replaceFile(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  { path, isGzip }: Target,
  mode: number | undefined,
  io: Io,
): Promise<void> {
  // A link stays: its target is replaced.
  const file = await followLinks(path as string, io);
  await removeOldTemporaryFiles(dirname(file), io);
  const temporary = join(dirname(file), temporaryName(io.random));
  // Open the file here: a stream opens it later, perhaps after a failure has removed it.
  const handle = await open(temporary, 'wx');
  const stream = handle.createWriteStream({ flush: true });
  try {
    if (mode !== undefined) await handle.chmod(mode);
    await send(pieces, stream, io.signal, isGzip);
    await rename(temporary, file);
  } catch (error) {
    if (!stream.closed) await once(stream, 'close').catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

const WRITABLE_BY_OTHERS = 0o022;
/** The limit of Linux. */
const MOST_LINKS = 40;

/**
 * The target of a path through links, which may be missing. A rename bypasses the kernel's check of
 * links (protected_symlinks of Linux), so it is repeated here: in a folder that other users may
 * write, only the user's own links are followed.
 * @throws UsageError for a link of another user in such a folder
 */
export async function followLinks(path: string, { runtime }: Pick<Io, 'runtime'>): Promise<string> {
  let file = resolve(path);
  for (let links = 0; links < MOST_LINKS; links++) {
    const target = await readlink(file).catch(() => undefined);
    if (target === undefined) return file;
    const [link, folder] = await Promise.all([lstat(file), stat(dirname(file))]);
    const isShared = (folder.mode & WRITABLE_BY_OTHERS) !== 0;
    if (runtime.user !== undefined && link.uid !== runtime.user && isShared) {
      throw new UsageError(
        `${file} is a link of another user, in a folder that other users may write; name the file that is meant.`,
      );
    }
    // A relative link counts from its real folder, which may itself be behind a link.
    file = resolve(await realpath(dirname(file)), target);
  }
  return file;
}

/** Time between attempts to open a fifo without a reader. */
const POLL_MS = 50;

/**
 * Opens a device or pipe. A fifo without a reader is polled: a blocking open would keep the process
 * from ending.
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

async function send(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  stream: Writable,
  signal: AbortSignal,
  isGzip: boolean,
): Promise<void> {
  // A piece may be a whole chunk of rows: read no more than one ahead.
  const source = Readable.from(pieces, { highWaterMark: 1 });
  try {
    if (isGzip) await pipeline(source, createGzip(), stream, { signal });
    else await pipeline(source, stream, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

export async function statIfThere(path: string) {
  return stat(path).catch(() => undefined);
}

/** @returns the folders it made @throws OutputError */
export function makeOutputFolder(path: string): readonly string[] {
  try {
    return makeFolder(path);
  } catch (error) {
    throw explain(error, `into ${path}`, '');
  }
}
