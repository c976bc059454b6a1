import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import { errorCode } from '../errors.ts';
import type { Io } from '../io.ts';
import { followLinks } from './file.ts';
import { explain } from './target.ts';

/** A file that grows while others read it, and that may be moved or emptied meanwhile. */
export interface RotatingFile {
  /**
   * Appends text at whatever the path names now; a file that is not there is made, its folder is
   * not. Of text that has no room nothing stays, and the next may be tried as if nothing had been.
   * @param text whole lines; nothing is done for none
   * @param head what stands before it where the file is empty
   * @throws OutputError when it could not be written; UsageError for a link that another user may
   *   have laid
   */
  write(text: string, head: () => string): Promise<void>;
  close(): Promise<void>;
}

/** A fifo that nobody reads is an error at once, not a wait without end. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
const APPEND = O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0);

/** How things stand after a failure. */
const LEFT_OUT = 'The latest lines did not get into it.';
const CUT_SHORT = 'A part of the latest lines may be in it.';

/**
 * A file for `tail -F` to read and logrotate to rotate, whichever way: before each text, the file
 * that is open is compared with the one that the path names. Devices and pipes are written as
 * they are. Several may append to one file. Nothing is opened before the first text.
 */
export function openRotatingFile(path: string, io: Pick<Io, 'runtime'>): RotatingFile {
  const file = new ReopenedFile(path, io);
  // Texts come one after the other, so that no two of them find the file empty.
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
  /** Whether what is open got its head; of use for devices and pipes, whose size tells nothing. */
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
      // Whatever was written to it is on the disk already.
      await this.#handle.close().catch(() => {});
      this.#handle = undefined;
    }
    await followLinks(this.#path, this.#io);
    this.#handle = await open(this.#path, APPEND);
    this.#hasHead = false;
    return this.#handle;
  }

  /** What has to stand before the next line. */
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
      // Once as a rule: a disk that is nearly full takes a part, and says why the next time.
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      await flush(handle);
    } catch (error) {
      const isWhole = written === 0 || (await cut(handle, size + written, size));
      throw explain(error, this.#path, isWhole ? LEFT_OUT : CUT_SHORT);
    }
  }
}

/** Whether a path still names what is open. */
async function isNamed(handle: FileHandle, path: string): Promise<boolean> {
  const there = await stat(path, { bigint: true }).catch(() => undefined);
  const { dev, ino } = await handle.stat({ bigint: true });
  return there?.dev === dev && there.ino === ino;
}

/** Whether a file's last line is whole; one that may not be read is taken to be. */
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

/** What devices, pipes and some file systems answer that cannot be flushed. */
const UNFLUSHABLE = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS']);

async function flush(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync();
  } catch (error) {
    if (!UNFLUSHABLE.has(errorCode(error) ?? '')) throw error;
  }
}

/** Takes back the end of a file, unless another program has added to it since; tells which. */
async function cut(handle: FileHandle, from: number, to: number): Promise<boolean> {
  try {
    if ((await handle.stat()).size !== from) return false;
    // Not by its path, which may name another file by now.
    await handle.truncate(to);
    return true;
  } catch {
    return false;
  }
}
