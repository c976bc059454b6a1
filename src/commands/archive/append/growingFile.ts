import { type FileHandle, open, truncate } from 'node:fs/promises';
import { OutputError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import { followLinks } from '../../../output/file.ts';
import { explain } from '../../../output/target.ts';
import type { Tail } from './tail.ts';

/**
 * Writes text after what a file keeps, each piece whole or not at all; a file that is not there
 * is made. Nothing is touched before the first piece comes. What was written stays, whatever
 * happens later: every piece ends in a line end, so the next run goes on from there.
 * @param tail as the file was found; undefined where it was empty or not there
 * @throws OutputError when the file cannot be written, or another program writes it; UsageError for
 *   a link that another user may have laid; the signal's reason; whatever `pieces` throws
 */
export async function appendFile(
  path: string,
  tail: Tail | undefined,
  pieces: AsyncIterable<string>,
  io: Pick<Io, 'runtime' | 'signal'>,
): Promise<void> {
  const { signal } = io;
  let file: GrowingFile | undefined;
  try {
    await followLinks(path, io);
    for await (const piece of pieces) {
      signal.throwIfAborted();
      file ??= await GrowingFile.open(path, tail);
      await file.add(piece);
    }
    file ??= await GrowingFile.open(path, tail);
    await file.flush();
  } catch (error) {
    throw explain(error, path, 'What it had stays; the same command goes on from there.');
  } finally {
    await file?.close();
  }
}

/** A file that nobody else may write meanwhile: its size tells whether somebody does. */
class GrowingFile {
  readonly #file: FileHandle;
  readonly #path: string;
  #size: number;

  private constructor(file: FileHandle, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#size = size;
  }

  /** Opens a file at its end, without the line that a crash cut. */
  static async open(path: string, tail: Tail | undefined): Promise<GrowingFile> {
    const handle = await open(path, 'a');
    const file = new GrowingFile(handle, path, tail?.size ?? 0);
    try {
      await file.#checkSize();
      if (tail !== undefined && tail.kept < tail.size) await file.#cut(tail.kept);
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#checkSize();
    try {
      await this.#file.appendFile(bytes);
    } catch (error) {
      // Of a piece that has no room nothing stays.
      await this.#cut(this.#size).catch(() => {});
      throw error;
    }
    this.#size += bytes.length;
  }

  async flush(): Promise<void> {
    await this.#checkSize();
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #cut(size: number): Promise<void> {
    // By its path: on Windows a file that is open for appending cannot be cut.
    await truncate(this.#path, size);
    this.#size = size;
  }

  async #checkSize(): Promise<void> {
    const { size } = await this.#file.stat();
    if (size === this.#size) return;
    throw new OutputError(
      `Another program writes ${this.#path} at the same time: it has ${size} bytes instead of ` +
        `${this.#size}. Nothing more is appended; when that has ended, run the same command again.`,
    );
  }
}
