import type { Argument, Command, Option } from 'commander';

/** Every spelling of an option, the short one first: `-f`, `--format`. */
export const optionSpellings = ({ short, long }: Option): string[] =>
  [short, long].filter((name) => name !== undefined);

/** The words that select a command: its name and aliases. */
export const commandNames = (command: Command): string[] => [command.name(), ...command.aliases()];

/** The name of the value of an argument or an option; undefined for an option without one. */
export function valuePlaceholder(valued: Argument | Option): string | undefined {
  return 'flags' in valued ? /[<[]([^<>[\].]+)/.exec(valued.flags)?.[1] : valued.name();
}

/** Whether an option may be given more than once, for a list of values. */
export const isRepeatableOption = ({ variadic, defaultValue }: Option): boolean =>
  variadic || Array.isArray(defaultValue);

/** An option's description without default and example, for completions and a long help. */
export function shortenDescription(description: string): string {
  return description
    .replace(/, e\.g\. .*$/s, '')
    .replace(/ \(default: .*$/s, '')
    .trim();
}
