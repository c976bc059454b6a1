import type { Argument, Command, Help, Option } from 'commander';

export interface OptionNode {
  /** Every spelling of the option, the short one first: `-f`, `--format`. */
  readonly names: readonly string[];
  /** Names of this option and of others that set the same value, such as its negation. */
  readonly rivals: readonly string[];
  /** The option as help shows it: `-f, --format <format>`. */
  readonly term: string;
  /** The text of the option in help, with choices and default. */
  readonly description: string;
  /** The option's text in help, without its default and examples. */
  readonly summary: string;
  /** The name of the option's value; undefined for an option without one. */
  readonly placeholder: string | undefined;
  /** The choices of the value; undefined where not all values are known. */
  readonly choices: readonly string[] | undefined;
  readonly isRepeatable: boolean;
}

interface PositionalNode {
  readonly placeholder: string;
  readonly description: string;
  readonly choices: readonly string[] | undefined;
  readonly isRepeatable: boolean;
}

export interface CommandNode {
  /** The words of the command: `vane`, `cache`, `clear`. */
  readonly path: readonly string[];
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** The usage after the words of the command: `[options] [stations...]`. */
  readonly usage: string;
  /** The text below the help of the command, such as its examples. */
  readonly epilogue: string;
  readonly positionals: readonly PositionalNode[];
  /** Options of the command itself; those of the root go with every command. */
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

/** Reads the commands of a commander program, for completions and the manual. */
export function readTree(program: Command): CommandNode {
  return readCommand(program, [], program.createHelp());
}

/** A command and all its subcommands, parents first. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** The words that select a command: its name and aliases. */
export function wordsFor({ path, aliases }: CommandNode): string[] {
  return [path.at(-1) ?? '', ...aliases];
}

function readCommand(command: Command, above: readonly string[], help: Help): CommandNode {
  const path = [...above, command.name()];
  const children = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const [usage = '', examples = ''] = command.usage().split('\n\n');
  const isHelp = command.name() === 'help' && command.parent === null;
  return {
    path,
    aliases: command.aliases(),
    summary: command.summary() || command.description(),
    description: command.description(),
    usage,
    epilogue: `${epilogueOf(command)}\n\n${examples}`.trim(),
    positionals: command.registeredArguments.map((argument) => readPositional(argument, help)),
    options: options.map((option) => readOption(option, options, help)),
    commands: isHelp ? [] : children.map((child) => readCommand(child, path, help)),
  };
}

function readPositional(argument: Argument, help: Help): PositionalNode {
  return {
    placeholder: argument.name(),
    description: help.argumentDescription(argument),
    choices: argument.argChoices,
    isRepeatable: argument.variadic,
  };
}

const namesOf = (option: Option): string[] =>
  [option.short, option.long].filter((name) => name !== undefined);

function readOption(option: Option, all: readonly Option[], help: Help): OptionNode {
  const placeholder = /[<[](.+?)(?:\.\.\.)?[\]>]/.exec(option.flags)?.[1];
  const same = all.filter((other) => other.attributeName() === option.attributeName());
  return {
    names: namesOf(option),
    rivals: same.flatMap(namesOf),
    term: help.optionTerm(option),
    description: help.optionDescription(option),
    summary: shorten(option.description),
    placeholder,
    choices: option.argChoices,
    isRepeatable: isRepeatable(option),
  };
}

/** Whether an option may be given more than once, for a list of values. */
export const isRepeatable = ({ variadic, defaultValue }: Option): boolean =>
  variadic || Array.isArray(defaultValue);

/** An option's description without default and example, for completions and a long help. */
export function shorten(description: string): string {
  return description
    .replace(/, e\.g\. .*$/s, '')
    .replace(/ \(default: .*\)$/s, '')
    .trim();
}

/** The text below a command's help; commander has no other access to it than its help event. */
function epilogueOf(command: Command): string {
  const parts: string[] = [];
  const event = { error: false, command, write: (text: string) => parts.push(text) };
  (command as unknown as NodeJS.EventEmitter).emit('afterHelp', event);
  return parts.join('').trim();
}
