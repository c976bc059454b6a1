import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { Io } from '../io.ts';
import { followLinks, statIfThere } from './file.ts';
import { isFileAtPath } from './openedFile.ts';
import { toOutputError } from './target.ts';

/** A file to append to while other programs read, rename or truncate it. */
export interface RotatingFile {
  /**
   * Appends text to the file that the path names now; a missing file is made, a missing folder is
   * not. A failed write is undone, so that the next one may succeed.
   * @param text whole lines; an empty text does nothing
   * @param head the lines that an empty file begins with
   * @throws OutputError; UsageError for a link that another user may have laid
   */
  write(text: string, head: () => string): Promise<void>;
  /** Opens the file that the path names now, before any text comes. @throws like `write` */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** O_NONBLOCK: opening a fifo without a reader fails instead of blocking. */
const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
const APPEND = O_APPEND | O_CREAT | O_NONBLOCK;

/** Sentences about the state of the file, for the message of a failed write. */
const LEFT_OUT = 'The latest lines were not written.';
const CUT_SHORT = 'Some of the latest lines may be in it.';

/**
 * A file for `tail -F` and logrotate: before each write, the open file is compared with the file
 * that the path names. Several processes may append to one file. Devices and pipes are written
 * directly. No file is opened before the first `write` or `reopen`.
 * @param openFile opens the file, as Node's `open` does
 */
export function openRotatingFile(
  path: string,
  io: Pick<Io, 'runtime'>,
  openFile: typeof open = open,
): RotatingFile {
  let handle: FileHandle | undefined;
  /** Whether the head was written to the open device or pipe, whose size does not show it. */
  let hasHead = false;
  // Write one text at a time: two writes at once could both find the file empty and begin it.
  const limit = pLimit(1);

  async function openNamed(): Promise<FileHandle> {
    if (handle !== undefined && (await isFileAtPath(handle, path, io))) return handle;
    // An error of closing the old file may be ignored: its text is already on the disk.
    await handle?.close().catch(() => {});
    handle = undefined;
    await followLinks(path, io);
    handle = await openToAppend(path, openFile);
    hasHead = false;
    return handle;
  }

  async function write(text: string, head: () => string): Promise<void> {
    if (text === '') return;
    try {
      const file = await openNamed();
      const stats = await file.stat();
      const isEmpty = stats.isFile() ? stats.size === 0 : !hasHead;
      const isCut = stats.isFile() && !(await endsInLine(file, stats.size));
      await append(file, Buffer.from((isEmpty ? head() : isCut ? '\n' : '') + text), path);
      hasHead = true;
    } catch (error) {
      throw toOutputError(error, path, LEFT_OUT);
    }
  }

  async function reopen(): Promise<void> {
    await openNamed().catch((error) => {
      throw toOutputError(error, path, '');
    });
  }

  async function close(): Promise<void> {
    const file = handle;
    handle = undefined;
    await file?.close().catch((error) => {
      throw toOutputError(error, path, CUT_SHORT);
    });
  }

  return {
    write: (text, head) => limit(() => write(text, head)),
    reopen: () => limit(reopen),
    close: () => limit(close),
  };
}

/** Opens a file to append, and also to read where that is permitted; a device or pipe only to write. */
async function openToAppend(path: string, openFile: typeof open): Promise<FileHandle> {
  const isFile = (await statIfThere(path))?.isFile() ?? true;
  const readable = isFile
    ? await openFile(path, O_RDWR | APPEND).catch(() => undefined)
    : undefined;
  return readable ?? openFile(path, O_WRONLY | APPEND);
}

/** Whether a file is empty or ends in a line break; true for a file without read permission. */
async function endsInLine(handle: FileHandle, size: number): Promise<boolean> {
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return bytesRead === 0 || buffer.toString() === '\n';
  } catch {
    return true;
  }
}

/** Writes a text whole and flushes it, or leaves the file as it was if that is possible. */
async function append(handle: FileHandle, bytes: Buffer, path: string): Promise<void> {
  const before = await handle.stat();
  let written = 0;
  try {
    // A disk that is nearly full accepts a part of the text, and reports the error at the next
    // write.
    while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
    if (before.isFile()) await handle.datasync();
  } catch (error) {
    const undo = () => cut(handle, before.size + written, before.size).catch(() => false);
    throw toOutputError(error, path, written === 0 || (await undo()) ? LEFT_OUT : CUT_SHORT);
  }
}

/** Truncates a file, unless another program has added to it. @returns whether it is truncated */
async function cut(handle: FileHandle, from: number, to: number): Promise<boolean> {
  if ((await handle.stat()).size !== from) return false;
  // Truncate by the handle, since the path may name another file by now.
  await handle.truncate(to);
  return true;
}
