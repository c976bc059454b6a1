import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, chmod, constants, open, readlink, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { randomName } from '../domain/randomName.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { makeFolder } from '../makeFolder.ts';
import { explain, type Piece, type Target } from './target.ts';

/**
 * Finds out before any request whether a file could be written.
 * @throws UsageError for a missing folder, a path that is one, or want of permission
 */
export async function checkFile(path: string): Promise<void> {
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
  const folder = dirname(await followLink(resolve(path)));
  if (!(await statIfThere(folder))?.isDirectory()) {
    throw new UsageError(`There is no folder ${folder} to write ${path} into; make it first.`);
  }
}

/**
 * Writes a file as {@link writeOutput} has it.
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
    if (isReplaced) await replaceFile(pieces, target, existing?.mode, io);
    else await send(pieces, createWriteStream(path), io.signal, isGzip);
  } catch (error) {
    throw explain(error, path, isReplaced ? undefined : '');
  }
}

async function replaceFile(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  { path, isGzip }: Target,
  mode: number | undefined,
  io: Io,
): Promise<void> {
  // A link stays a link: what it points to is replaced.
  const file = await followLink(resolve(path as string));
  const temporary = join(dirname(file), `.vane-${randomName(io.random)}.tmp`);
  // Opened before anything can fail: a stream that opens it would do so after its removal, too.
  const handle = await open(temporary, 'wx');
  const stream = handle.createWriteStream({ flush: true });
  try {
    await send(pieces, stream, io.signal, isGzip);
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, file);
  } catch (error) {
    if (!stream.closed) await once(stream, 'close').catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What a path points to through links, whether or not there is anything. */
async function followLink(path: string, hops = 40): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  if (target === undefined || hops === 0) return path;
  return followLink(resolve(dirname(path), target), hops - 1);
}

async function send(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  stream: Writable,
  signal: AbortSignal,
  isGzip: boolean,
): Promise<void> {
  // A piece may be a whole chunk of rows; more than one ahead would only fill memory.
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

/** @throws OutputError */
export function makeOutputFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw explain(error, `into ${path}`, '');
  }
}
