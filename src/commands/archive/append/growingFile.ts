import { type FileHandle, open, truncate } from 'node:fs/promises';
import { OutputError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import { followLinks } from '../../../output/file.ts';
import { explain } from '../../../output/target.ts';
import type { Tail } from './tail.ts';

/**
 * Appends text to a file, each piece whole or not at all; a missing file is made. The file stays
 * untouched until the first piece comes. Later failures leave the pieces written so far: each ends
 * in a line end, so the next run continues there.
 * @param tail the end of the file as it was read; undefined for an empty or missing file
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

/** A file that only this process appends to. Its size shows when another program writes it. */
class GrowingFile {
  readonly #file: FileHandle;
  readonly #path: string;
  #size: number;

  private constructor(file: FileHandle, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#size = size;
  }

  /** Opens a file for appending, and cuts off a last line that a crash left incomplete. */
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
      // Remove the part of a piece that a full disk took.
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
    // By its path: Windows does not truncate a file that is open for appending.
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
