import { printableMessage } from '../domain/text.ts';
import type { Io } from '../io.ts';

/** What a command says beside its data, a line each on stderr. */
export interface Reporter {
  /** Something worth knowing; silent with `--quiet`. */
  note(line: string): void;
  /** What happens underneath; only with `--verbose`. */
  detail(line: string): void;
}

/** Speaks on stderr as loudly as `--quiet` and `--verbose` say. */
export function createReporter(
  io: Pick<Io, 'stderr' | 'stderrTerminal'>,
  { isQuiet, isVerbose }: { readonly isQuiet: boolean; readonly isVerbose: boolean },
): Reporter {
  // A line of progress may stand there.
  const freshLine = io.stderrTerminal ? '\r\u001b[K' : '';
  const say = (line: string): void => {
    io.stderr.write(`${freshLine}${printableMessage(line)}\n`);
  };
  return {
    note: isQuiet ? () => {} : say,
    detail: isVerbose ? say : () => {},
  };
}
