import { CommanderError } from 'commander';
import { hideUsers, printableMessage, printableText } from './domain/text.ts';
import { EXIT, errorCode, InterruptedError, UsageError, VaneError } from './errors.ts';
import type { Io } from './io.ts';

/** Prints an error on stderr. @returns the exit code */
export function explainError(error: unknown, io: Io, isVerbose: boolean): number {
  // commander has already printed the message of its error, the help or the version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  // The reader of stdout has closed the pipe, as `head` does; that is no failure.
  if (errorCode(error) === 'EPIPE') return EXIT.done;
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof UsageError || error instanceof InterruptedError;
  const trace = isVerbose && !isExpected ? `${stackOf(error)}\n` : '';
  if (error instanceof VaneError) {
    const fault = error instanceof UsageError && error.excerpt;
    const excerpt = fault ? `${fault.replace(/^/gm, '  ')}\n` : '';
    io.stderr.write(`vane: ${printableMessage(message)}\n${excerpt}${trace}`);
    return error.exitCode;
  }
  io.stderr.write(
    `vane: Unexpected failure: ${printableMessage(message)}. This is probably a bug; please report it ` +
      `with the output of the same command with --verbose and of vane --version -v.\n${trace}`,
  );
  return EXIT.defect;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return printableMessage(String(error));
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return printableText(hideUsers(error.stack ?? error.message)) + cause;
}
