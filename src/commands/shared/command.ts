import type { Command } from 'commander';
import type { Io } from '../../io.ts';

/** Carries a request out; a test replaces it to see the parsed request. */
export type Perform = <R>(request: R, run: (request: R, io: Io) => Promise<void>) => Promise<void>;

/** The parameters of a command's declaration. */
export interface CommandTools {
  /** The root of all commands. */
  readonly program: Command;
  readonly io: Io;
  readonly perform: Perform;
}

/** Gives a command its arguments, options, help and action. */
export type DeclareCommand = (command: Command, tools: CommandTools) => void;

/** Shows command lines below the usage, in the help and the manual page. Call it last. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const examples = lines.map((line) => `\n  $ ${line}`).join('');
  return command.usage(`${command.usage()}\n\nExamples:${examples}`);
}

/** Argument of the commands that take any number of stations, none of them for all. */
export const STATIONS_ARGUMENT = [
  '[stations...]',
  'ids, page addresses or favourites; none means all',
] as const;

/** Argument of the commands that read archives. */
export const HISTORY_ARGUMENT = [
  '[stations...]',
  'ids, printed ids, page addresses or favourites; all; - reads them from stdin',
] as const;
