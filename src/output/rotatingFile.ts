import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import { errorCode } from '../errors.ts';
import type { Io } from '../io.ts';
import { followLinks } from './file.ts';
import { explain } from './target.ts';

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
  close(): Promise<void>;
}

/** O_NONBLOCK: opening a fifo without a reader fails instead of blocking. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
const APPEND = O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0);

/** The state of the file after a failure. */
const LEFT_OUT = 'The latest lines did not get into it.';
const CUT_SHORT = 'A part of the latest lines may be in it.';

/**
 * A file for `tail -F` and logrotate: before each write, the open file is compared with the one
 * that the path names. Devices and pipes are written directly. Several processes may append to one
 * file. It is opened for the first text.
 */
export function openRotatingFile(path: string, io: Pick<Io, 'runtime'>): RotatingFile {
  const file = new ReopenedFile(path, io);
  // One write at a time, so that no two find the file empty.
  const limit = pLimit(1);
  return {
    write: (text, head) => limit(() => file.write(text, head)),
    close: () => limit(() => file.close()),
  };
}

class ReopenedFile {
  readonly #path: string;
  readonly #io: Pick<Io, 'runtime'>;
  #handle: FileHandle | undefined;
  /** Whether a device or pipe got its head: their size does not show it. */
  #hasHead = false;

  constructor(path: string, io: Pick<Io, 'runtime'>) {
    this.#path = path;
    this.#io = io;
  }

  async write(text: string, head: () => string): Promise<void> {
    if (text === '') return;
    try {
      const handle = await this.#reopen();
      const lead = await this.#lead(handle, head);
      await this.#append(handle, Buffer.from(lead + text));
      this.#hasHead = true;
    } catch (error) {
      throw explain(error, this.#path, LEFT_OUT);
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      await handle?.close();
    } catch (error) {
      throw explain(error, this.#path, CUT_SHORT);
    }
  }

  async #reopen(): Promise<FileHandle> {
    if (this.#handle !== undefined) {
      if (await isNamed(this.#handle, this.#path)) return this.#handle;
      // Its text is flushed already.
      await this.#handle.close().catch(() => {});
      this.#handle = undefined;
    }
    await followLinks(this.#path, this.#io);
    this.#handle = await open(this.#path, APPEND);
    this.#hasHead = false;
    return this.#handle;
  }

  /** The text to write before the next line: a head, or the end of a cut line. */
  async #lead(handle: FileHandle, head: () => string): Promise<string> {
    const stats = await handle.stat();
    if (!stats.isFile()) return this.#hasHead ? '' : head();
    if (stats.size === 0) return head();
    return (await endsInLine(this.#path, stats.size)) ? '' : '\n';
  }

  async #append(handle: FileHandle, bytes: Buffer): Promise<void> {
    const { size } = await handle.stat();
    let written = 0;
    try {
      // A disk that is nearly full takes a part, and reports the error at the next write.
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      await flush(handle);
    } catch (error) {
      const isWhole = written === 0 || (await cut(handle, size + written, size));
      throw explain(error, this.#path, isWhole ? LEFT_OUT : CUT_SHORT);
    }
  }
}

/** Whether a path still names the open file. */
async function isNamed(handle: FileHandle, path: string): Promise<boolean> {
  const there = await stat(path, { bigint: true }).catch(() => undefined);
  const { dev, ino } = await handle.stat({ bigint: true });
  return there?.dev === dev && there.ino === ino;
}

/** Whether a file ends in a line break; true for a file without read permission. */
async function endsInLine(path: string, size: number): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return bytesRead === 0 || buffer.toString() === '\n';
    } finally {
      await file.close();
    }
  } catch {
    return true;
  }
}

/** Errors of devices, pipes and file systems that cannot be flushed. */
const UNFLUSHABLE = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS']);

async function flush(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync();
  } catch (error) {
    if (!UNFLUSHABLE.has(errorCode(error) ?? '')) throw error;
  }
}

/** Truncates a file, unless another program has added to it. @returns whether it did */
async function cut(handle: FileHandle, from: number, to: number): Promise<boolean> {
  try {
    if ((await handle.stat()).size !== from) return false;
    // Not by the path, which may name another file by now.
    await handle.truncate(to);
    return true;
  } catch {
    return false;
  }
}
