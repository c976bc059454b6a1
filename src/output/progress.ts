import stringWidth from 'string-width';
import type { Io } from '../io.ts';

/** The shortest time between two updates of the line that shows progress. */
const INTERVAL_MS = 100;

/** Shows progress on stderr, where that is a terminal, as a line that is overwritten. */
export function createProgress(io: Io, isWanted: boolean) {
  const { stderr } = io;
  const terminal = isWanted ? io.stderrTerminal : undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Overwrites the line that shows progress, if an update is due.
     * @param writeLine called only for an update, so it may be slow
     */
    update(writeLine: () => string): void {
      if (terminal === undefined || io.now() - lastMs < INTERVAL_MS) return;
      lastMs = io.now();
      let line = writeLine();
      while (stringWidth(line) >= terminal.columns) line = line.slice(0, -1);
      stderr.write(`\r\u001b[K${line}`);
    },
    clear(): void {
      if (lastMs !== Number.NEGATIVE_INFINITY) stderr.write('\r\u001b[K');
    },
  };
}
