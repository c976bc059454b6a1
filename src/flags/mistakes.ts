import { type Argument, type Command, Option } from 'commander';
import { isRepeatable } from '../completions/tree.ts';
import { alternatives } from '../domain/text.ts';
import { UsageError } from '../errors.ts';

/** How several values of an option become one, by its placeholder in the help. */
const JOINS: Readonly<Record<string, { readonly words: string; readonly by: string }>> = {
  condition: { words: 'join conditions with or, or with and', by: ' or ' },
  names: { words: 'join names with commas', by: ',' },
  keys: { words: 'join two keys with a comma', by: ',' },
  speeds: { words: 'join speeds with commas', by: ',' },
  list: { words: 'join the parts of the list with commas', by: ',' },
};

/** Refuses an option that is given twice: commander would drop the first value without a word. */
export function refuseRepetitions(command: Command): void {
  for (const option of command.options) {
    if (!option.required || isRepeatable(option)) continue;
    let first: string | undefined;
    command.on(`option:${option.name()}`, (value: string) => {
      if (first !== undefined) throw new UsageError(describeRepetition(option, first, value));
      first = value;
    });
  }
  for (const child of command.commands) refuseRepetitions(child);
}

function describeRepetition({ long, flags }: Option, first: string, second: string): string {
  const placeholder = /<(\w+)>/.exec(flags)?.[1] ?? '';
  // Do not quote an address, which may hold a secret, as a webhook's does.
  if (placeholder === 'address') return `${long} is given twice; it takes one value.`;
  const join = JOINS[placeholder];
  if (join === undefined) {
    return `${long} is given twice, as “${first}” and “${second}”; it takes one value.`;
  }
  return `${long} is given twice; ${join.words}: ${long} '${first}${join.by}${second}'.`;
}

/** Ends each error of commander with what to do next, and names the forms of a missing value. */
export function addAdvice(command: Command, path = command.name()): void {
  const isGroup = command.createHelp().visibleCommands(command).length > 0;
  const list = isGroup ? 'commands and options' : 'options';
  command.showHelpAfterError(`Run “${path} --help” to see the ${list}.`).configureOutput({
    outputError(text, write) {
      const message = text.replace(/^error: /, '');
      write(`vane: ${describeMissing(message, command, path.replace(/^vane /, '')) ?? message}`);
    },
  });
  for (const child of command.commands) addAdvice(child, `${path} ${child.name()}`);
}

/** Commander's messages for a missing argument, a missing option, and an option without its value. */
const MISSING =
  /^missing required argument '(.+)'\n|^required option '(.+)' not specified\n|^option '(.+)' argument missing\n/;

/**
 * Words in place of a message of {@link MISSING}; undefined for another message.
 * @param words the words that select the command, such as `config set`
 */
function describeMissing(message: string, command: Command, words: string): string | undefined {
  const [, argumentName, needed, valueless] = MISSING.exec(message) ?? [];
  const argument = command.registeredArguments.find((one) => one.name() === argumentName);
  if (argument) return `${words} needs <${argumentName}>${formsOf(argument)}.\n`;
  const option = command.options.find(({ flags }) => flags === (needed ?? valueless));
  if (option === undefined) return undefined;
  return needed
    ? `${words} needs ${option.long}${formsOf(option, `${option.long} `)}.\n`
    : `${option.long} needs a value${formsOf(option)}.\n`;
}

/**
 * The choices of a value, or the example in its explanation, or else the explanation itself.
 * @param before stands before the example
 */
function formsOf({ argChoices, description }: Argument | Option, before = ''): string {
  if (argChoices) return `: ${alternatives(argChoices)}`;
  const [, example] = /\be\.g\. (.*?)(?: \(default: .*)?$/s.exec(description) ?? [];
  return example === undefined ? `: ${description}` : `, such as ${before}${example}`;
}

/**
 * Adds hints for option names of other programs: `--since` fails with “Did you mean --start?”.
 * @param hints for each option of the command, its names in other programs
 */
export function addHints(command: Command, hints: Readonly<Record<string, readonly string[]>>) {
  for (const [option, names] of Object.entries(hints)) {
    for (const name of names) {
      const foreign = new Option(`${name} [value]`).hideHelp();
      command.addOption(foreign).on(`option:${foreign.name()}`, () => {
        command.error(`error: unknown option '${name}'\n(Did you mean ${option}?)`);
      });
    }
  }
  return command;
}
