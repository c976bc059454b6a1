import type { Argument, Command, Help, Option } from 'commander';

/** What may stand in a place of a command line, as far as a shell can know it. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'stations' | 'text' };

export interface OptionNode {
  /** Every way to write it, the short one first: `-f`, `--format`. */
  readonly names: readonly string[];
  /** Names of this and of the others that say the same thing or its contrary. */
  readonly rivals: readonly string[];
  /** As help shows it: `-f, --format <format>`. */
  readonly term: string;
  /** As help shows it, with choices and default. */
  readonly description: string;
  /** What it does, in few words. */
  readonly summary: string;
  /** The name of its value; undefined for one that takes none. */
  readonly placeholder: string | undefined;
  readonly values: Values;
  readonly isRepeatable: boolean;
}

export interface PositionalNode {
  readonly name: string;
  readonly description: string;
  readonly values: Values;
  readonly isRepeatable: boolean;
}

export interface CommandNode {
  /** What is typed to reach it: `vane`, `cache`, `clear`. */
  readonly path: readonly string[];
  /** Other names for the last word of its path. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** What follows its path: `[options] [stations...]`. */
  readonly usage: string;
  /** The text below its help. */
  readonly epilogue: string;
  readonly positionals: readonly PositionalNode[];
  /** Its own; those of the root hold for every command. */
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

/** Reads a program of commander into what completions and the manual are made from. */
export function readTree(program: Command): CommandNode {
  return readCommand(program, [], program.createHelp());
}

/** A command and all below it, each after the one that it belongs to. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

function readCommand(command: Command, above: readonly string[], help: Help): CommandNode {
  const path = [...above, command.name()];
  const children = help.visibleCommands(command);
  // Every command has its own option for help; with those of the root it holds for all.
  const options = help
    .visibleOptions(command)
    .filter((option) => above.length === 0 || option.attributeName() !== 'help');
  const isHelp = command.name() === 'help' && command.parent === null;
  return {
    path,
    aliases: command.aliases(),
    summary: command.summary() || command.description(),
    description: command.description(),
    usage: command.usage(),
    epilogue: epilogueOf(command),
    positionals: command.registeredArguments.map((argument) => readPositional(argument, help)),
    options: options.map((option) => readOption(option, options, help)),
    commands: isHelp ? [] : children.map((child) => readCommand(child, path, help)).map(withTopics),
  };
}

/** What `help` explains are the commands beside it, which commander does not say. */
function withTopics(node: CommandNode, _: number, beside: readonly CommandNode[]): CommandNode {
  const isHelp = node.path.at(-1) === 'help' && node.positionals[0]?.name === 'command';
  if (!isHelp) return node;
  const words = beside.filter((other) => other !== node).map(({ path }) => path.at(-1) ?? '');
  const positionals = node.positionals.map((positional) => ({
    ...positional,
    values: { kind: 'words', words } as const,
  }));
  return { ...node, positionals };
}

function readPositional(argument: Argument, help: Help): PositionalNode {
  return {
    name: argument.name(),
    description: help.argumentDescription(argument),
    values: valuesOf(argument.name(), argument.argChoices),
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
    values: valuesOf(placeholder ?? '', option.argChoices),
    isRepeatable: option.variadic,
  };
}

/** The name of a place says what goes there; where it says nothing, that is for a person to know. */
function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  if (choices) return { kind: 'words', words: choices };
  if (/^files?$/.test(name)) return { kind: 'files' };
  if (/^(?:folder|directory)$/.test(name)) return { kind: 'folders' };
  if (/^stations?$/.test(name)) return { kind: 'stations' };
  return { kind: 'text' };
}

/** A list on a screen has no place for defaults and examples. */
function shorten(description: string): string {
  return description
    .replace(/, e\.g\. .*$/s, '')
    .replace(/ \(default: .*\)$/s, '')
    .trim();
}

/** Commander keeps this text in a listener alone. */
function epilogueOf(command: Command): string {
  const parts: string[] = [];
  const event = { error: false, command, write: (text: string) => parts.push(text) };
  (command as unknown as NodeJS.EventEmitter).emit('afterHelp', event);
  return parts.join('').trim();
}
