import type { Writable } from 'node:stream';
import { abortable, type Io } from '../io.ts';
import { explain, type Piece, type Target } from './target.ts';

/**
 * Finds out before any request whether a file could be written.
 * @throws UsageError for a missing folder, a path that is one, want of permission, or a link that
 *   another user may have laid
 */
export async function checkTarget({ path }: Target, io: Pick<Io, 'runtime'>): Promise<void> {
  if (path !== undefined) await (await import('./file.ts')).checkFile(path, io);
}

/** Makes the stream that {@link writeOutput} would make: it takes its time, and may do so earlier. */
export function openOutput({ path }: Target, io: Io): void {
  if (path === undefined) void io.stdout;
}

/**
 * Writes text to its target. A file appears whole, in one rename, or stays as it was: the text
 * goes to a temporary file beside it first. Devices and pipes are written as they are.
 * @throws OutputError when it cannot be written; whatever `pieces` throws
 */
export async function writeOutput(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  target: Target,
  io: Io,
): Promise<void> {
  // What files take is loaded for them alone.
  if (target.path !== undefined) return (await import('./file.ts')).writeFile(pieces, target, io);
  for await (const piece of pieces) {
    io.signal.throwIfAborted();
    // A signal ends the command even while a stuck reader blocks the write.
    await abortable(writeNow(io.stdout, piece), io.signal);
  }
}

/**
 * Writes text to a stream that goes on, and waits until it is taken.
 * @throws OutputError when it cannot be written; an EPIPE when nobody reads any more
 */
export async function writeNow(stream: Writable, text: Piece): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw explain(error, 'to stdout', '');
  }
}
