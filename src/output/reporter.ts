import { printableMessage } from '../domain/text.ts';
import type { Io } from '../io.ts';

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
