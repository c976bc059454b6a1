import type { Writable } from 'node:stream';
import { printableText } from '../domain/text.ts';
import { abortable } from '../io.ts';

/** How many characters may wait for the reader of the stream. */
const MAX_UNREAD = 256 * 1024;

/** Prints text of other programs to a stream that may be stuck, without control characters. */
export interface Printer {
  /**
   * Prints a text, after a wait while the reader has too much unread: a caller that awaits this
   * reads its own input no faster than the reader (backpressure). The text is dropped if `signal`
   * aborts during the wait.
   */
  print(text: string, signal: AbortSignal): Promise<void>;
  /** Whether `print` waits for the reader. */
  isStuck(): boolean;
}

/**
 * @param stream a stream whose errors are ignored: a closed one counts as having read everything
 */
export function createPrinter(stream: Writable): Printer {
  let flush: Promise<void> | undefined;
  /** Waits until the reader has read all that was written. */
  const flushed = (): Promise<void> => {
    flush ??= new Promise((resolve) => {
      stream.write('', () => {
        flush = undefined;
        resolve();
      });
    });
    return flush;
  };
  const isStuck = (): boolean => stream.writableLength > MAX_UNREAD;
  return {
    async print(text, signal) {
      while (isStuck() && !signal.aborted) await abortable(flushed(), signal).catch(() => {});
      if (!isStuck()) stream.write(printableText(text));
    },
    isStuck,
  };
}
