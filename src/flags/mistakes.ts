import type { Argument, Command, Option } from 'commander';
import { isRepeatableOption } from '../completions/tree.ts';
import { joinAlternatives } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import { wrongValueError } from './values.ts';

/** How to combine several values of an option, by its placeholder in the help. */
const JOINS: Readonly<Record<string, { readonly words: string; readonly by: string }>> = {
  condition: { words: 'join conditions with or, or with and', by: ' or ' },
  names: { words: 'join names with commas', by: ',' },
  keys: { words: 'join two keys with a comma', by: ',' },
  speeds: { words: 'join speeds with commas', by: ',' },
  list: { words: 'join the parts of the list with commas', by: ',' },
};

/** Refuses an option that is given twice. commander would silently drop the first value. */
export function refuseRepeatedOptions(command: Command): void {
  for (const option of command.options) {
    if (!option.required || isRepeatableOption(option)) continue;
    let first: string | undefined;
    command.on(`option:${option.name()}`, (value: string) => {
      if (first !== undefined) throw new UsageError(describeRepetition(option, first, value));
      first = value;
    });
  }
  for (const child of command.commands) refuseRepeatedOptions(child);
}

function describeRepetition({ long, flags }: Option, first: string, second: string): string {
  const placeholder = /<(\w+)>/.exec(flags)?.[1] ?? '';
  // Do not quote an address: that of a webhook is a secret.
  if (placeholder === 'address') return `${long} is given twice; it takes only one value.`;
  const join = JOINS[placeholder];
  if (join === undefined) {
    return `${long} is given twice, as “${first}” and “${second}”; it takes only one value.`;
  }
  return `${long} is given twice; ${join.words}: ${long} '${first}${join.by}${second}'.`;
}

/**
 * Rewords commander's message about a value that is none of the choices; undefined for other
 * messages.
 */
export function describeWrongChoice(message: string): string | undefined {
  const [about = '', choices] = message.split('. Allowed choices are ');
  const [place = '', fault] = about.split("' is invalid");
  if (choices === undefined || fault === undefined) return undefined;
  // The message contains “option '-f, --format <format>' argument 'xls'” or “command-argument value
  // 'bsah'”.
  const value = place.slice(place.lastIndexOf(" '") + 2);
  const option = /--[\w-]+/.exec(place)?.[0];
  const argument = fault.split("'")[1];
  const names = joinAlternatives(choices.replace(/\.$/, '').split(', '));
  return wrongValueError(option ?? `<${argument}>`, names, value).message;
}

/** Matches commander's messages about a missing argument, and about an option without its value. */
const MISSING = /^missing required argument '(.+)'$|^option '(.+)' argument missing$/;

/**
 * Rewords a message of {@link MISSING}; undefined for other messages.
 * @param words the words that select the command, such as `config set`
 */
export function describeMissingValue(
  message: string,
  command: Command,
  words: string,
): string | undefined {
  const [, argumentName, valueless] = MISSING.exec(message) ?? [];
  const argument = command.registeredArguments.find((one) => one.name() === argumentName);
  if (argument) return `${words} needs <${argumentName}>${formsOf(argument)}.`;
  const option = command.options.find(({ flags }) => flags === valueless);
  return option && `${option.long} needs a value${formsOf(option)}.`;
}

/** The possible values: the choices, else the example in the description, else the description. */
function formsOf({ argChoices, description }: Argument | Option): string {
  if (argChoices) return `: ${joinAlternatives(argChoices)}`;
  const [, example] = /\be\.g\. (.*?)(?: \(default: .*)?$/s.exec(description) ?? [];
  return example === undefined ? `: ${description}` : `, such as ${example}`;
}

/** Options of other programs, with the option of vane that does the same. */
const OPTION_SYNONYMS: Readonly<Record<string, string>> = {
  '--since': '--start',
  '--after': '--start',
  '--from': '--start',
  '--begin': '--start',
  '--to': '--stop',
  '--end': '--stop',
  '--before': '--stop',
  '--until': '--stop',
  '--interval': '--every',
  '--step': '--every',
  '--resample': '--every',
  '--group': '--by',
  '--group-by': '--by',
  '--days': '--last',
  '--unit': '--units',
  '--timezone': '--tz',
  '--zone': '--tz',
  '--out': '--output',
  '--file': '--output',
  '--search': '--name',
  '--place': '--near',
  '--location': '--near',
  '--top': '--limit',
  '--fields': '--columns',
  '--type': '--kind',
  '--condition': '--where',
  '--url': '--base-url',
  '--silent': '--quiet',
  '--debug': '--verbose',
};

/** Commands of other programs, with what to do in vane instead. */
const COMMAND_SYNONYMS: Readonly<Record<string, string>> = {
  list: '“vane live” lists the stations.',
  stations: '“vane live” lists the stations.',
  search: '“vane live --name <text>” searches by name, “vane live --near <lat,lon>” by place.',
  find: '“vane live --name <text>” searches by name, “vane live --near <lat,lon>” by place.',
  info: 'Did you mean meta?',
  history: 'Did you mean archive?',
  export: 'Did you mean archive?',
  now: 'Did you mean live?',
  alert: 'Did you mean watch?',
  forecast: 'vane has no forecasts; it shows measurements.',
};

/**
 * A hint for an unknown command or option: vane's word for another program's, the commands that
 * have the option, or the name without a typo.
 * @param fault the error message, which quotes the word
 * @param command the command that was given
 * @param program the program with all commands
 * @returns a sentence; undefined without a good guess
 */
export function suggestFix(fault: string, command: Command, program: Command): string | undefined {
  const [, kind, word = ''] = /^unknown (command|option) “([^”]*)”/.exec(fault) ?? [];
  if (kind === 'option') return hintAtOption(word.replace(/=.*/s, ''), command, program);
  if (kind !== 'command') return undefined;
  const synonym = command === program ? COMMAND_SYNONYMS[word.toLowerCase()] : undefined;
  const names = command.commands.map((each) => each.name());
  const meant = names.find((name) => isOneTypoAway(word, name));
  return synonym ?? (meant && `Did you mean ${meant}?`);
}

function hintAtOption(word: string, command: Command, program: Command): string | undefined {
  const namesOf = ({ options }: Command): string[] => options.flatMap(({ long }) => long ?? []);
  const known = [...namesOf(command), ...namesOf(program)];
  const synonym = OPTION_SYNONYMS[word];
  const isMeant = synonym !== undefined && known.includes(synonym);
  for (const name of isMeant ? [word] : [word, synonym ?? '']) {
    const owners = program.commands.filter((each) => namesOf(each).includes(name));
    if (owners.length === 0) continue;
    const elsewhere = `${name} is an option of ${joined(owners.map((owner) => owner.name()))}.`;
    return isMeant ? `Did you mean ${synonym}? ${elsewhere}` : elsewhere;
  }
  if (isMeant) return `Did you mean ${synonym}?`;
  const meant = known.find((name) => isOneTypoAway(word, name));
  return meant && `Did you mean ${meant}?`;
}

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * Whether two words differ by one letter that is missing, added, replaced, or swapped with its
 * neighbour.
 */
function isOneTypoAway(word: string, name: string): boolean {
  let from = 0;
  while (from < word.length && word[from] === name[from]) from++;
  const [rest, wanted] = [word.slice(from), name.slice(from)];
  const exchanged = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted.slice(1) ||
    exchanged === wanted
  );
}
