import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** Runs a command with its parsed options. Tests replace this function to inspect the options. */
export type CommandRunner = <O>(
  options: O,
  run: (options: O, io: Io) => Promise<void>,
) => Promise<void>;

export interface CommandContext {
  readonly program: Command;
  readonly io: Io;
  readonly perform: CommandRunner;
}

/** Adds arguments, options, help and action to a command. */
export type DeclareCommand = (command: Command, tools: CommandContext) => void;

export interface CommandModule {
  readonly declareCommand: DeclareCommand;
}

/**
 * Adds examples to the help and the manual page. Call this last: the usage line lists the arguments
 * and subcommands added so far.
 */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const examples = lines.map((line) => `\n  $ ${line}`).join('');
  return command.usage(`${command.usage()}\n\nExamples:${examples}`);
}

export const STATIONS_ARGUMENT = [
  '[stations...]',
  'ids, page addresses or favourites (default: all stations)',
] as const;

export const HISTORY_ARGUMENT = [
  '[stations...]',
  'ids, page addresses or favourites; all for every station; - to read them from stdin',
] as const;
