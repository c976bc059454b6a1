import { DEFAULT_BASE_URL } from '../defaults.ts';
import { DAYS_AGO, RELATIVE_WORDS } from '../domain/period.ts';
import { COLUMNS } from '../domain/reading.ts';
import { SPEED_UNIT_NAMES } from '../domain/units.ts';
import {
  COLUMN_MEANINGS,
  CONDITION_FIELDS,
  KEY_MEANINGS,
  STEP_COLUMN_MEANINGS,
} from './meanings.ts';
import { type CommandNode, type OptionNode, wordsFor } from './tree.ts';

/** A word that may stand at the cursor of a command line, and what the word means. */
export type Candidate = readonly [word: string, meaning?: string | undefined];

/**
 * The words that may stand at the cursor. Candidates of the kind `open` may go on, as in
 * `avg,gust`, so no blank follows them; names of files and folders come from the shell.
 */
export interface Offers {
  readonly kind: 'words' | 'open' | 'files' | 'folders';
  readonly candidates: readonly Candidate[];
}

/** Words that completion takes from the user's own cache and configuration. */
export interface Known {
  stations(): Promise<readonly Candidate[]>;
  favourites(): readonly Candidate[];
  keys(): readonly Candidate[];
}

/** Splits a line of a shell into words with their quotes; the last one is being typed. */
export function splitLine(line: string): string[] {
  const words = line.match(/(?:\\(?:.|$)|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s\\"'])+/gs) ?? [];
  return line.endsWith(words.at(-1) ?? ' ') ? words : [...words, ''];
}

/** Removes the shell's quotes from a word; the last quote may be open. */
const unquote = (word: string): string =>
  word.replace(
    /"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
  );

/**
 * Finds the words that may stand at the end of a command line.
 * @param typed the words after `vane`; the last one, maybe empty, is completed
 */
export async function complete(
  root: CommandNode,
  typed: readonly string[],
  known: Known,
): Promise<Offers> {
  const words = typed.map(unquote);
  const current = words.pop() ?? '';
  const place = readPlace(root, words);
  const { node, operands, expected, isOver } = place;
  if (expected) return matching(current, await valuesOf(expected, current, place, known));
  const [, joined, name = '', value = ''] = /^((--[^=]+)=)(.*)$/s.exec(isOver ? '' : current) ?? [];
  if (joined !== undefined) {
    const option = place.options.find(({ names }) => names.includes(name));
    const offers = option ? await valuesOf(option, value, place, known) : NOTHING;
    const candidates = offers.candidates.map(
      ([word, meaning]) => [joined + word, meaning] as const,
    );
    return matching(current, { ...offers, candidates });
  }
  if (!isOver && current.startsWith('-')) return matching(current, wordsOf(optionsOf(place)));
  const positional =
    node.positionals[operands.length] ?? node.positionals.find((one) => one.isRepeatable);
  const offers = positional ? await valuesOf(positional, current, place, known) : NOTHING;
  const below = operands.length === 0 && !isOver ? commandsOf(node) : [];
  return matching(current, { ...offers, candidates: [...below, ...offers.candidates] });
}

/** The meaning of the words before the cursor. */
interface Place {
  readonly node: CommandNode;
  /** The parent of the command `node`; the root is its own parent. */
  readonly above: CommandNode;
  readonly options: readonly OptionNode[];
  readonly given: readonly string[];
  readonly operands: readonly string[];
  /** The option whose value stands at the cursor; undefined where no value is expected. */
  readonly expected: OptionNode | undefined;
  /** Whether a `--` before the cursor has ended the options. */
  readonly isOver: boolean;
}

function readPlace(root: CommandNode, words: readonly string[]): Place {
  let [node, above] = [root, root];
  let expected: OptionNode | undefined;
  let isOver = false;
  const given: string[] = [];
  const operands: string[] = [];
  const options = () => (node === root ? root.options : [...node.options, ...root.options]);
  for (const word of words) {
    if (expected) expected = undefined;
    else if (!isOver && word === '--') isOver = true;
    else if (!isOver && /^-./.test(word)) {
      const { names, last } = readOptions(word, options());
      given.push(...names);
      expected = last;
    } else {
      const child =
        operands.length === 0 && node.commands.find((one) => wordsFor(one).includes(word));
      if (child) [node, above] = [child, node];
      else operands.push(word);
    }
  }
  return { node, above, options: options(), given, operands, expected, isOver };
}

/** The names of the options in a word, and the last one if the next word is its value. */
function readOptions(word: string, options: readonly OptionNode[]) {
  const find = (name: string) => options.find(({ names }) => names.includes(name));
  const valued = (name: string) => find(name)?.placeholder !== undefined;
  const [name = ''] = word.split('=');
  if (word.startsWith('--')) {
    return { names: [name], last: name === word && valued(name) ? find(name) : undefined };
  }
  const letters = [...word.slice(1)].map((letter) => `-${letter}`);
  const index = letters.findIndex(valued);
  const isLast = index >= 0 && index === letters.length - 1;
  const names = index < 0 ? letters : letters.slice(0, index + 1);
  return { names, last: isLast ? find(letters[index] ?? '') : undefined };
}

const optionsOf = ({ options, given }: Place): Candidate[] =>
  options
    .filter(
      ({ rivals, isRepeatable }) => isRepeatable || !rivals.some((name) => given.includes(name)),
    )
    .flatMap(({ names, summary }) => names.map((name) => [name, summary] as const));

const commandsOf = ({ commands }: CommandNode): Candidate[] =>
  commands.flatMap((node) => wordsFor(node).map((word) => [word, node.summary] as const));

const wordsOf = (candidates: readonly Candidate[]): Offers => ({ kind: 'words', candidates });
const plain = (words: readonly string[]): Offers => wordsOf(words.map((word) => [word]));
const NOTHING = wordsOf([]);

/** The offered words that begin with the typed text; capitals make no difference. */
function matching(current: string, { kind, candidates }: Offers): Offers {
  const begun = current.toLowerCase();
  const left = candidates.filter(([word]) => word.toLowerCase().startsWith(begun));
  const goesOn = left.length > 0 && left.every(([word]) => word.endsWith('.'));
  return { kind: goesOn ? 'open' : kind, candidates: left };
}

/** An option or a positional argument, of which a word can be the value. */
interface Argument {
  readonly names?: readonly string[];
  readonly placeholder: string | undefined;
  readonly choices: readonly string[] | undefined;
}

/** The placeholder of each configuration key's value in help texts, such as `zone` for `tz`. */
const KEY_PLACEHOLDERS: Readonly<Record<string, string>> = {
  units: 'unit',
  tz: 'zone',
  base_url: 'url',
};

/** The values of an argument: its choices, or the values that its placeholder stands for. */
async function valuesOf(
  argument: Argument,
  current: string,
  place: Place,
  known: Known,
): Promise<Offers> {
  const { choices, placeholder, names } = argument;
  if (choices) return plain(choices);
  switch (placeholder) {
    case 'file':
    case 'files':
      return { kind: 'files', candidates: [] };
    case 'folder':
      return { kind: 'folders', candidates: [] };
    case 'stations': {
      const all = [...known.favourites(), ...(await known.stations())];
      return wordsOf(all.filter(([word]) => !place.operands.includes(word)));
    }
    case 'unit':
      return plain(SPEED_UNIT_NAMES);
    case 'zone':
      return plain(['utc', 'local', ...Intl.supportedValuesOf('timeZone')]);
    case 'date':
      return plain([
        ...DAYS_AGO.keys(),
        ...(names?.includes('--start') ? RELATIVE_WORDS : ['now']),
      ]);
    case 'names':
      return listOf(current, columnWords());
    case 'keys':
      return current.split(',').length > 2 ? NOTHING : listOf(current, KEY_MEANINGS);
    case 'condition':
      return fieldsOf(current);
    case 'command':
      return wordsOf(commandsOf(place.above).filter(([word]) => word !== 'help'));
    case 'key':
      return wordsOf(keysOf(place, known));
    case 'url':
      return plain([DEFAULT_BASE_URL]);
    case 'value': {
      const [key = ''] = place.operands;
      if (key.startsWith('favourites.')) return wordsOf(await known.stations());
      const taken = KEY_PLACEHOLDERS[key];
      return valuesOf({ placeholder: taken, choices: undefined }, current, place, known);
    }
    default:
      return NOTHING;
  }
}

/** Completes the last word of a comma-separated list such as `avg,gu`, with words not yet in it. */
function listOf(current: string, meanings: Readonly<Record<string, string>>): Offers {
  const listed = current.split(',').slice(0, -1);
  const before = listed.map((word) => `${word},`).join('');
  const left = Object.entries(meanings).filter(([word]) => !listed.includes(word));
  return { kind: 'open', candidates: left.map(([word, meaning]) => [before + word, meaning]) };
}

/** The words of `--columns`: vane's short names, then the service's names where they differ. */
function columnWords(): Readonly<Record<string, string>> {
  const short = COLUMNS.map(({ name, short }) => [short, COLUMN_MEANINGS[name]]);
  return {
    ...Object.fromEntries(short),
    station: 'id of the station',
    ...COLUMN_MEANINGS,
    ...STEP_COLUMN_MEANINGS,
  };
}

/** Offers the fields of a condition, at its start and where another comparison begins. */
function fieldsOf(current: string): Offers {
  const [, before] =
    /^((?:.*(?:\b(?:and|or|not)\s+|&&\s*|\|\|\s*|[(!]\s*))?)\w*$/is.exec(current) ?? [];
  if (before === undefined) return NOTHING;
  const fields = Object.entries(CONDITION_FIELDS);
  return { kind: 'open', candidates: fields.map(([word, meaning]) => [before + word, meaning]) };
}

/** Offers keys of the configuration; where a key gets a value, also a new favourite. */
function keysOf({ node }: Place, known: Known): readonly Candidate[] {
  const isSet = node.positionals.some(({ placeholder }) => placeholder === 'value');
  return isSet
    ? [...known.keys(), ['favourites.', 'a name of your own for a station']]
    : known.keys();
}
