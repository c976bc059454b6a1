import stringWidth from 'string-width';
import type { Provenance } from '../domain/envelope.ts';
import { printableMessage } from '../domain/text.ts';
import type { Io, Terminal } from '../io.ts';

/** Writes messages of a command to stderr, each on a line. */
export interface Reporter {
  /** Writes a message, unless `--quiet` is given. */
  note(line: string): void;
  /** Writes a message only with `--verbose`. */
  detail(line: string): void;
}

export function createReporter(
  io: Pick<Io, 'stderr' | 'stderrTerminal'>,
  { isQuiet, isVerbose }: { readonly isQuiet: boolean; readonly isVerbose: boolean },
): Reporter {
  // On a terminal, a message overwrites the line that shows progress.
  const freshLine = io.stderrTerminal ? '\r\u001b[K' : '';
  const writeLine = (line: string): void => {
    io.stderr.write(`${freshLine}${printableMessage(line)}\n`);
  };
  return {
    note: isQuiet ? () => {} : writeLine,
    detail: isVerbose ? writeLine : () => {},
  };
}

/**
 * Prints attribution and license on stderr, for output that does not contain them: the license
 * requires it. On a terminal that is too narrow for one line, both are shortened, and the license
 * gets a line of its own.
 */
export function noteProvenance(
  { note }: Pick<Reporter, 'note'>,
  { attribution, license }: Partial<Provenance>,
  terminal: Terminal | undefined,
): void {
  // Files may lack them.
  if (attribution === undefined || license === undefined) return;
  const full = `Data: ${attribution}. License: ${license}`;
  const holder = attribution
    .trimEnd()
    .replace(/<[^<>]*>$/, '')
    .trimEnd();
  const address = license.replace(/^https?:\/\//, '').replace(/\/$/, '');
  const short = `Data: ${holder}. License: ${address}`;
  const fits = ({ length }: string): boolean => length <= (terminal?.columns ?? length);
  const line = [full, short].find(fits);
  for (const part of line ? [line] : [`Data: ${holder}`, `License: ${address}`]) note(part);
}

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
