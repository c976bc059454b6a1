import type { Writable } from 'node:stream';
import { printableText } from '../domain/text.ts';
import { abortable } from '../io.ts';

/** Maximum number of characters that wait for the reader of the stream. */
const MAX_UNREAD = 256 * 1024;

/**
 * Prints text of other programs, without control characters, to a stream whose reader may be stuck.
 */
export interface Printer {
  /**
   * Prints a text, and waits while the reader lags behind (backpressure). If `signal` aborts during
   * the wait, the text is dropped.
   */
  print(text: string, signal: AbortSignal): Promise<void>;
  /** Whether `print` is waiting for the reader. */
  isStuck(): boolean;
}

/** @param stream a stream whose errors are ignored. A closed stream counts as fully read. */
export function createPrinter(stream: Writable): Printer {
  let flush: Promise<void> | undefined;
  /** Waits until the reader has read everything. */
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
