import stringWidth from 'string-width';
import type { Io } from '../io.ts';

/** A line on the terminal that is overwritten. */
export interface Progress {
  /** @param writeLine called only when an update is due, so it may be slow */
  update(writeLine: () => string): void;
  /** Removes the line. */
  clear(): void;
}

/** Time between updates. */
const INTERVAL_MS = 100;

/** Shows progress on stderr where that is a terminal. */
export function createProgress(io: Io, isWanted: boolean): Progress {
  const { stderrTerminal, stderr } = io;
  if (!isWanted || stderrTerminal === undefined) return { update() {}, clear() {} };
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    update(writeLine) {
      if (io.now() - lastMs < INTERVAL_MS) return;
      lastMs = io.now();
      let line = writeLine();
      while (stringWidth(line) >= stderrTerminal.columns) line = line.slice(0, -1);
      stderr.write(`\r\u001b[K${line}`);
    },
    clear() {
      if (lastMs !== Number.NEGATIVE_INFINITY) stderr.write('\r\u001b[K');
    },
  };
}
