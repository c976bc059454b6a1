import stringWidth from 'string-width';
import type { Provenance } from '../domain/envelope.ts';
import { printableMessage } from '../domain/text.ts';
import type { Io, Terminal } from '../io.ts';

/** Writes messages of a command to stderr, one per line. */
export interface Reporter {
  /** Prints a message, except with `--quiet`. */
  note(line: string): void;
  /** Prints a message only with `--verbose`. */
  detail(line: string): void;
}

export function createReporter(
  io: Pick<Io, 'stderr' | 'stderrTerminal'>,
  { isQuiet, isVerbose }: { readonly isQuiet: boolean; readonly isVerbose: boolean },
): Reporter {
  // On a terminal, overwrite the progress line.
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
 * Prints attribution and license on stderr, which the license requires if the output does not
 * contain them. On a narrow terminal both are shortened, and the license gets its own line.
 */
export function noteProvenance(
  { note }: Pick<Reporter, 'note'>,
  { attribution, license }: Partial<Provenance>,
  terminal: Terminal | undefined,
): void {
  // Files may lack license and attribution.
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

/** Minimum time between two updates of the progress line. */
const INTERVAL_MS = 100;

/** Creates a progress line on stderr if that is a terminal. Each update overwrites the line. */
export function createProgress(io: Io, isWanted: boolean) {
  const { stderr } = io;
  const terminal = isWanted ? io.stderrTerminal : undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Updates the progress line, but not too often.
     * @param writeLine only called for an actual update, so it may be slow
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
