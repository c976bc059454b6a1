import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { Io } from '../io.ts';
import { followLinks, statIfThere } from './file.ts';
import { isFileAtPath } from './openedFile.ts';
import { toOutputError } from './target.ts';

/** A file to append to, while other programs may read, rename or truncate it. */
export interface RotatingFile {
  /**
   * Appends text to the file at the path, and creates it if it is missing, but not its folder. A
   * failed write is undone, so that the next one can succeed.
   * @param text whole lines; an empty text does nothing
   * @param head returns the lines for the start of an empty file
   * @throws OutputError; UsageError for a symbolic link that another user may have placed
   */
  write(text: string, head: () => string): Promise<void>;
  /**
   * Opens the file at the path before the first write.
   * @throws like `write`
   */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** With O_NONBLOCK, opening a fifo without a reader fails instead of blocking. */
const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
const APPEND = O_APPEND | O_CREAT | O_NONBLOCK;

/** Sentences about the file's state after a failed write. */
const LEFT_OUT = 'The latest lines were not written.';
const CUT_SHORT = 'Some of the latest lines may be in it.';

/**
 * Opens a file that works with `tail -F` and logrotate: before each write, it checks that the path
 * still names the open file. Several processes may append to the file. Devices and pipes are
 * written directly. The file is opened by the first `write` or `reopen`.
 * @param openFile opens the file, as Node's `open` does
 */
export function openRotatingFile(
  path: string,
  io: Pick<Io, 'runtime'>,
  openFile: typeof open = open,
): RotatingFile {
  let handle: FileHandle | undefined;
  /**
   * Whether a device or pipe has got its first lines. Unlike for a file, its size does not show
   * this.
   */
  let hasHead = false;
  // Write one text at a time: otherwise two writes could both find the file empty and start it.
  const limit = pLimit(1);

  async function openNamed(): Promise<FileHandle> {
    if (handle !== undefined && (await isFileAtPath(handle, path, io))) return handle;
    // Ignore errors when closing the old file, since its text is already on disk.
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

/**
 * Opens a file for appending, and also for reading if permitted. A device or pipe is opened only
 * for writing.
 */
async function openToAppend(path: string, openFile: typeof open): Promise<FileHandle> {
  const isFile = (await statIfThere(path))?.isFile() ?? true;
  const readable = isFile
    ? await openFile(path, O_RDWR | APPEND).catch(() => undefined)
    : undefined;
  return readable ?? openFile(path, O_WRONLY | APPEND);
}

/** Whether a file is empty or ends with a line break. Without read permission, true. */
async function endsInLine(handle: FileHandle, size: number): Promise<boolean> {
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return bytesRead === 0 || buffer.toString() === '\n';
  } catch {
    return true;
  }
}

/** Writes and flushes a whole text. If that fails, restores the file if possible. */
async function append(handle: FileHandle, bytes: Buffer, path: string): Promise<void> {
  const before = await handle.stat();
  let written = 0;
  try {
    // A nearly full disk accepts part of the text, and reports the error at the next write.
    while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
    if (before.isFile()) await handle.datasync();
  } catch (error) {
    const undo = () => cut(handle, before.size + written, before.size).catch(() => false);
    throw toOutputError(error, path, written === 0 || (await undo()) ? LEFT_OUT : CUT_SHORT);
  }
}

/**
 * Truncates a file, unless another program has added to it.
 * @returns whether the file was truncated
 */
async function cut(handle: FileHandle, from: number, to: number): Promise<boolean> {
  if ((await handle.stat()).size !== from) return false;
  // Truncate by the handle, since the path may now name another file.
  await handle.truncate(to);
  return true;
}
