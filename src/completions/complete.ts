import type { Argument, Command, Option } from 'commander';
import { CONDITION_FIELDS } from '../domain/condition/fields.ts';
import { DAYS_AGO_BY_WORD, TYPED_START_WORDS } from '../domain/period.ts';
import { COLUMN_MEANINGS, SERVICE_COLUMNS } from '../domain/readings/archiveColumns.ts';
import { SPEED_UNIT_NAMES } from '../domain/units.ts';
import { PUBLIC_BASE_URLS } from '../service/service.ts';
import { GROUP_KEY_MEANINGS } from '../statistics/groups.ts';
import { SUGGESTED_INTERVALS } from '../statistics/intervals.ts';
import {
  commandNames,
  isRepeatableOption,
  optionSpellings,
  shortenDescription,
  valuePlaceholder,
} from './tree.ts';

/** A word to offer at the cursor, and its meaning. */
export type CompletionCandidate = readonly [word: string, meaning?: string | undefined];

/**
 * The words to offer at the cursor. A word of the kind `open` may be continued, as in `avg,gust`,
 * so no blank follows it. File names are completed by the shell.
 */
export interface CompletionOffers {
  readonly kind: 'words' | 'open' | 'files';
  readonly candidates: readonly CompletionCandidate[];
}

/** Words to offer from the user's own cache and configuration. */
export interface UserWords {
  stations(): Promise<readonly CompletionCandidate[]>;
  favourites(): readonly CompletionCandidate[];
  keys(): readonly CompletionCandidate[];
}

/**
 * Splits a shell's command line into words, quotes included. The last word is the one being typed.
 */
export function splitShellLine(line: string): string[] {
  const words = line.match(/(?:\\(?:.|$)|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s\\"'])+/gs) ?? [];
  return line.endsWith(words.at(-1) ?? ' ') ? words : [...words, ''];
}

/** Removes the shell's quotes from a word, even if the last quote is not closed. */
const unquote = (word: string): string =>
  word.replace(
    /"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
  );

/**
 * Finds the words to offer at the end of a command line.
 * @param typed the words after `vane`; the last one, which may be empty, is to be completed
 */
export async function completeWords(
  program: Command,
  typed: readonly string[],
  known: UserWords,
): Promise<CompletionOffers> {
  const words = typed.map(unquote);
  const current = words.pop() ?? '';
  const place = readPlace(program, words);
  const { command, operands, expected, isOver } = place;
  const offersOf = async (valued: Argument | Option | undefined, text: string) =>
    valued ? await valuesOf({ valued, text, place, known }) : NOTHING;
  if (expected) return matching(current, await offersOf(expected, current));
  const [, joined, name, value = ''] = /^((--[^=]+)=)(.*)$/s.exec(isOver ? '' : current) ?? [];
  if (joined !== undefined) {
    const option = place.options.find(({ long }) => long === name);
    const { kind, candidates } = await offersOf(option, value);
    return matching(current, { kind, candidates: after(joined, candidates) });
  }
  if (!isOver && current.startsWith('-')) return matching(current, wordsOf(optionsLeft(place)));
  const positionals = command.registeredArguments;
  const positional = positionals[operands.length] ?? positionals.find(({ variadic }) => variadic);
  const offers = await offersOf(positional, current);
  const below = operands.length === 0 && !isOver ? commandsOf(command) : [];
  return matching(current, { ...offers, candidates: [...below, ...offers.candidates] });
}

/** What the words before the cursor say about the word at the cursor. */
interface Place {
  readonly command: Command;
  /** The command above `command`; the program is its own parent. */
  readonly parent: Command;
  /** The options that are valid here: those of the command and of vane itself. */
  readonly options: readonly Option[];
  /** The names of the options whose values come before the cursor. */
  readonly given: ReadonlySet<string>;
  readonly operands: readonly string[];
  /** The option whose value is at the cursor; undefined if the word is no option's value. */
  readonly expected: Option | undefined;
  /** Whether `--` before the cursor ended the options. */
  readonly isOver: boolean;
}

function readPlace(program: Command, words: readonly string[]): Place {
  const help = program.createHelp();
  let [command, parent] = [program, program];
  let expected: Option | undefined;
  let isOver = false;
  const given = new Set<string>();
  const operands: string[] = [];
  const options = () => [...new Set([command, program])].flatMap((one) => help.visibleOptions(one));
  for (const word of words) {
    if (expected) expected = undefined;
    else if (!isOver && word === '--') isOver = true;
    else if (!isOver && /^-./.test(word)) {
      const { found, isOpen } = readOptions(word, options());
      for (const option of found) given.add(option.attributeName());
      expected = isOpen ? found.at(-1) : undefined;
    } else {
      const below = operands.length === 0 ? help.visibleCommands(command) : [];
      const child = below.find((one) => commandNames(one).includes(word));
      if (child) [command, parent] = [child, command];
      else operands.push(word);
    }
  }
  return { command, parent, options: options(), given, operands, expected, isOver };
}

/**
 * Finds the options in a word such as `-vf`, and whether the next word is the value of the last
 * one.
 */
function readOptions(word: string, options: readonly Option[]) {
  const find = (name: string) => options.filter((option) => optionSpellings(option).includes(name));
  const isValued = (found: readonly Option[]) =>
    found.some((option) => option.required || option.optional);
  if (word.startsWith('--')) {
    const [name = ''] = word.split('=');
    const found = find(name);
    return { found, isOpen: name === word && isValued(found) };
  }
  // In `-fcsv`, the text after a letter with a value is that value.
  const letters = [...word.slice(1)].map((letter) => find(`-${letter}`));
  const valued = letters.findIndex(isValued);
  const found = letters.slice(0, valued < 0 ? undefined : valued + 1).flat();
  return { found, isOpen: valued >= 0 && valued === letters.length - 1 };
}

const optionsLeft = ({ options, given }: Place): CompletionCandidate[] =>
  options
    .filter((option) => isRepeatableOption(option) || !given.has(option.attributeName()))
    .flatMap((option) =>
      optionSpellings(option).map((name) => [name, shortenDescription(option.description)]),
    );

function commandsOf(command: Command): CompletionCandidate[] {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .flatMap((one) => commandNames(one).map((word) => [word, help.subcommandDescription(one)]));
}

const wordsOf = (candidates: readonly CompletionCandidate[]): CompletionOffers => ({
  kind: 'words',
  candidates,
});
const plain = (words: Iterable<string>): CompletionOffers =>
  wordsOf(Array.from(words, (word) => [word]));
const NOTHING = wordsOf([]);

/** Puts the part of the word that is already typed before each candidate. */
const after = (text: string, candidates: readonly CompletionCandidate[]): CompletionCandidate[] =>
  candidates.map(([word, meaning]) => [text + word, meaning]);

/** Keeps the words that begin with the typed text, ignoring case. */
function matching(current: string, { kind, candidates }: CompletionOffers): CompletionOffers {
  const begun = current.toLowerCase();
  const left = candidates.filter(([word]) => word.toLowerCase().startsWith(begun));
  const goesOn = left.length > 0 && left.every(([word]) => word.endsWith('.'));
  return { kind: goesOn ? 'open' : kind, candidates: left };
}

/** A value that stands at the cursor. */
interface ValueAtCursor {
  readonly valued: Argument | Option;
  /** The typed part of the value. */
  readonly text: string;
  readonly place: Place;
  readonly known: UserWords;
}

/** Finds the values of an option or argument: its choices, or values for its placeholder. */
function valuesOf(cursor: ValueAtCursor): CompletionOffers | Promise<CompletionOffers> {
  const { argChoices } = cursor.valued;
  if (argChoices) return plain(argChoices);
  return VALUES[valuePlaceholder(cursor.valued) ?? '']?.(cursor) ?? NOTHING;
}

/** For each placeholder in the help, a function that finds possible values. */
const VALUES: Readonly<
  Record<string, (cursor: ValueAtCursor) => CompletionOffers | Promise<CompletionOffers>>
> = {
  file: () => ({ kind: 'files', candidates: [] }),
  files: () => ({ kind: 'files', candidates: [] }),
  async stations({ place, known }) {
    const own = known.favourites();
    const every: CompletionCandidate[] =
      own.length > 1 ? [['favourites', 'all of your favourites']] : [];
    const all = [...own, ...every, ...(await known.stations())];
    return wordsOf(all.filter(([word]) => !place.operands.includes(word)));
  },
  unit: () => plain(SPEED_UNIT_NAMES),
  zone: () => plain(['utc', 'local', ...Intl.supportedValuesOf('timeZone')]),
  date: ({ valued }) =>
    plain([
      ...DAYS_AGO_BY_WORD.keys(),
      ...(valued.name() === 'start' ? TYPED_START_WORDS : ['now']),
    ]),
  // vane's short names first, then the service's names if they differ.
  names({ text }) {
    const short = SERVICE_COLUMNS.map(({ name, short }) => [short, COLUMN_MEANINGS[name]]);
    const station = { station: 'id of the station' };
    return listOf(text, { ...Object.fromEntries(short), ...station, ...COLUMN_MEANINGS });
  },
  keys: ({ text }) => (text.split(',').length > 2 ? NOTHING : listOf(text, GROUP_KEY_MEANINGS)),
  step: () => plain(SUGGESTED_INTERVALS),
  condition: ({ text }) => fieldsOf(text),
  // The commands for `vane help`. The shell completes the command of --exec.
  command({ valued, place }) {
    if ('flags' in valued) return NOTHING;
    const named = place.operands.reduce<Command | undefined>(
      (command, name) => command?.commands.find((one) => commandNames(one).includes(name)),
      place.parent,
    );
    return named ? wordsOf(commandsOf(named).filter(([word]) => word !== 'help')) : NOTHING;
  },
  key({ place, known }) {
    // `config set` also accepts a new favourite, or the first condition of a favourite.
    const isSet = place.command.registeredArguments.some((one) => one.name() === 'value');
    const keys = known.keys();
    if (!isSet) return wordsOf(keys);
    const conditions = known
      .favourites()
      .map(
        ([name]): CompletionCandidate => [
          `favourites.${name}.when`,
          'when the wind is right there',
        ],
      )
      .filter(([key]) => !keys.some(([word]) => word === key));
    return wordsOf([...keys, ...conditions, ['favourites.', 'your name for a station']]);
  },
  url: () => plain(PUBLIC_BASE_URLS),
  async value(cursor) {
    const [key = ''] = cursor.place.operands;
    if (/^favou?rites\.[^.]+\.when$/.test(key)) return fieldsOf(cursor.text);
    if (/^favou?rites\./.test(key)) return wordsOf(await cursor.known.stations());
    return VALUES[KEY_PLACEHOLDERS[key] ?? '']?.(cursor) ?? NOTHING;
  },
};

/** The placeholder for the value of each configuration key, such as `zone` for `tz`. */
const KEY_PLACEHOLDERS: Readonly<Record<string, string>> = {
  units: 'unit',
  tz: 'zone',
  base_url: 'url',
};

/**
 * Completes the last word of a comma-separated list such as `avg,gu`. Words already in the list are
 * not offered.
 */
function listOf(text: string, meanings: Readonly<Record<string, string>>): CompletionOffers {
  const listed = text.split(',').slice(0, -1);
  const left = Object.entries(meanings).filter(([word]) => !listed.includes(word));
  return { kind: 'open', candidates: after(listed.map((word) => `${word},`).join(''), left) };
}

/** Offers the fields of a condition where a comparison begins. */
function fieldsOf(text: string): CompletionOffers {
  const [, before] =
    /^((?:.*(?:\b(?:and|or|not)\s+|&&\s*|\|\|\s*|[(!]\s*))?)\w*$/is.exec(text) ?? [];
  if (before === undefined) return NOTHING;
  const fields = Object.entries(CONDITION_FIELDS).map(
    ([field, { meaning }]) => [field, meaning] as const,
  );
  return { kind: 'open', candidates: after(before, fields) };
}
