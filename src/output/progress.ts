import stringWidth from 'string-width';
import type { Io } from '../io.ts';

/** One line on the terminal that is written over and over. */
export interface Progress {
  /** @param describe asked only when a line is due, so it may take its time */
  update(describe: () => string): void;
  /** Takes the line away. */
  clear(): void;
}

/** Often enough to look alive. */
const EVERY_MS = 100;

const NONE: Progress = { update() {}, clear() {} };

/** Progress on stderr, where that is a terminal; elsewhere nothing is ever shown. */
export function createProgress(io: Io, isWanted: boolean): Progress {
  const { stderrTerminal, stderr } = io;
  if (!isWanted || stderrTerminal === undefined) return NONE;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    update(describe) {
      if (io.now() - lastMs < EVERY_MS) return;
      lastMs = io.now();
      let line = describe();
      while (stringWidth(line) >= stderrTerminal.columns) line = line.slice(0, -1);
      stderr.write(`\r\u001b[K${line}`);
    },
    clear() {
      if (lastMs !== Number.NEGATIVE_INFINITY) stderr.write('\r\u001b[K');
    },
  };
}
