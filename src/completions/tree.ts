import type { Argument, Command, Option } from 'commander';

/** All spellings of an option, the short one first: `-f`, `--format`. */
export const optionSpellings = ({ short, long }: Option): string[] =>
  [short, long].filter((name) => name !== undefined);

/** The words that select a command: its name and aliases. */
export const commandNames = (command: Command): string[] => [command.name(), ...command.aliases()];

/** The name of the value of an argument or option; undefined for an option without a value. */
export function valuePlaceholder(valued: Argument | Option): string | undefined {
  return 'flags' in valued ? /[<[]([^<>[\].]+)/.exec(valued.flags)?.[1] : valued.name();
}

/** Whether an option can be repeated to build a list of values. */
export const isRepeatableOption = ({ variadic, defaultValue }: Option): boolean =>
  variadic || Array.isArray(defaultValue);

/** An option's description without its default and example, for completions and long help. */
export function shortenDescription(description: string): string {
  return description
    .replace(/, e\.g\. .*$/s, '')
    .replace(/ \(default: .*$/s, '')
    .trim();
}
