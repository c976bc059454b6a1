import { EXIT } from '../errors.ts';
import {
  COLUMNS_TEXT,
  CONDITIONS_TEXT,
  ENVIRONMENT,
  EXIT_MEANINGS,
  FILES,
  FORMATS_TEXT,
  UNITS_TEXT,
} from './reference.ts';
import { allCommands, type CommandNode, type OptionNode } from './tree.ts';

/**
 * Writes the manual page in the macros of man(7).
 * @param version version of vane, for the foot of the page
 * @param notes further paragraphs of commands, by a command such as `vane watch`
 */
export function manualPage(
  root: CommandNode,
  version: string,
  notes: Readonly<Record<string, string>> = {},
): string {
  const commands = allCommands(root).filter((node) => node !== root && !isHelp(node));
  return [
    '.\\" Written by: vane man',
    `.TH VANE 1 "" ${argument(`vane ${version}`)} "User Commands"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `vane \\- ${roff(nameLine(root.description))}`,
    '.SH SYNOPSIS',
    ...commands.filter(({ commands: below }) => below.length === 0).flatMap(synopsis),
    '.SH DESCRIPTION',
    roff(root.description),
    ...prose(withoutExamples(root.epilogue)),
    '.SH COMMANDS',
    ...commands.flatMap((node) => commandSection(node, notes)),
    '.SH OPTIONS',
    'These options go with every command, before or after its name.',
    ...root.options.flatMap(optionEntry),
    '.SH UNITS',
    ...prose(UNITS_TEXT),
    '.SH COLUMNS',
    ...prose(COLUMNS_TEXT),
    '.SH FORMATS',
    ...formats(commands),
    ...prose(FORMATS_TEXT),
    '.SH CONDITIONS',
    ...prose(CONDITIONS_TEXT),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([names, meaning]) => entry(bold(names.join(', ')), unquoted(meaning))),
    '.SH FILES',
    ...FILES.flatMap(([path, meaning]) => entry(italic(path), meaning)),
    '.SH EXIT STATUS',
    ...exitStatus(),
    '.SH EXAMPLES',
    ...prose(examplesOf(root.epilogue)),
    '.SH SEE ALSO',
    ...SEE_ALSO,
    '',
  ].join('\n');
}

const SEE_ALSO = ['.BR curl (1),', '.BR jq (1),', '.BR crontab (5)'];

const isHelp = ({ path }: CommandNode): boolean => path.at(-1) === 'help';

const argument = (text: string): string => `"${roff(text)}"`;
const bold = (text: string): string => `\\fB${roff(text)}\\fR`;
const italic = (text: string): string => `\\fI${roff(text)}\\fR`;

/** A sentence in the form of NAME sections: no capital, no full stop. */
const nameLine = (text: string): string =>
  text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

const unquoted = (text: string): string => text.replaceAll('`', '');

function entry(head: string, text: string): string[] {
  return ['.TP', head, roff(text)];
}

function synopsis({ path, usage }: CommandNode): string[] {
  return ['.HP', `${bold(path.join(' '))} ${marked(usage)}`];
}

/** A usage line for roff, with placeholders in italics and all else in bold. */
function marked(text: string): string {
  return text
    .split(/([<[][^>\]]+[>\]])/)
    .map((piece, index) =>
      index % 2 === 1 ? place(piece) : piece.trim() === '' ? piece : bold(piece),
    )
    .join('');
}

function place(piece: string): string {
  const inner = roff(piece.slice(1, -1));
  return piece.startsWith('<') ? `\\fI${inner}\\fR` : `[\\fI${inner}\\fR]`;
}

function optionEntry({ term, description }: OptionNode): string[] {
  return ['.TP', marked(term), roff(description)];
}

function commandSection(node: CommandNode, notes: Readonly<Record<string, string>>): string[] {
  const name = node.path.join(' ');
  const positionals = node.positionals.flatMap(({ placeholder, description, isRepeatable }) =>
    entry(italic(isRepeatable ? `${placeholder}...` : placeholder), description),
  );
  return [
    `.SS ${argument([name, node.usage.replace('[options] ', '')].join(' '))}`,
    roff(node.description),
    ...positionals,
    ...node.options.flatMap(optionEntry),
    ...prose(notes[name] ?? ''),
    ...prose(node.epilogue),
  ];
}

/** Each value of --format, with the commands that write it. */
function formats(commands: readonly CommandNode[]): string[] {
  const writers = new Map<string, string[]>();
  for (const { path, options } of commands) {
    const format = options.find(({ names }) => names.includes('--format'));
    for (const word of format?.choices ?? [])
      writers.set(word, [...(writers.get(word) ?? []), path.join(' ')]);
  }
  return [...writers].flatMap(([word, names]) => entry(bold(word), names.join(', ')));
}

function exitStatus(): string[] {
  const codes = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return codes.flatMap((name) => entry(bold(String(EXIT[name])), EXIT_MEANINGS[name]));
}

const paragraphs = (text: string): string[] => text.split(/\n{2,}/).filter((part) => part !== '');

const withoutExamples = (text: string): string =>
  paragraphs(text)
    .filter((part) => !part.startsWith('Examples:'))
    .join('\n\n');

const examplesOf = (text: string): string =>
  paragraphs(text)
    .filter((part) => part.startsWith('Examples:'))
    .join('\n\n')
    .replace('Examples:\n', '');

/** Formats paragraphs of help. Indented lines are code or a list of terms. */
function prose(text: string): string[] {
  return paragraphs(text).flatMap((paragraph) =>
    runs(paragraph.split('\n')).flatMap((lines, index) => {
      if (!isIndented(lines[0])) return ['.PP', ...lines.map(proseLine)];
      const terms = lines.map((line) => TERM.exec(line));
      if (terms.every((term) => term !== null)) return terms.flatMap(termEntry);
      return [...(index === 0 ? ['.PP'] : []), ...codeBlock(lines)];
    }),
  );
}

/** A line of a help text with a term and its meaning: `  units    unit of speeds`. */
const TERM = /^ {2}(?!\$)(\S+(?: \S+)*) {2,}(\S.*)$/;

const termEntry = ([, term = '', meaning = '']: readonly string[]): string[] =>
  entry(bold(term), meaning);

const isIndented = (line: string | undefined): boolean => line?.startsWith('  ') ?? false;

/** Groups consecutive lines by whether they are indented. */
function runs(lines: readonly string[]): string[][] {
  const found: string[][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && isIndented(last[0]) === isIndented(line)) last.push(line);
    else found.push([line]);
  }
  return found;
}

const proseLine = (line: string): string => (line === 'Examples:' ? bold(line) : roff(line));

function codeBlock(lines: readonly string[]): string[] {
  const shown = lines.flatMap((line) => wrapCommand(line.slice(2)));
  return ['.RS 4', '.nf', ...shown.map(roff), '.fi', '.RE'];
}

/** Characters that roff changes in some output encodings, each with the escape that keeps it. */
const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
  '–': '\\(en',
  '—': '\\(em',
  '’': '\\(cq',
  '‘': '\\(oq',
  '“': '\\(lq',
  '”': '\\(rq',
  '…': '...',
  '≤': '\\(<=',
  '≥': '\\(>=',
  '→': '\\(->',
  '°': '\\(de',
  '×': '\\(mu',
};

/** Escapes a line of text for roff. */
function roff(text: string): string {
  const escaped = text.replace(/[\\\-'`^~"]|[^ -~]/gu, escapeCharacter);
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Width of a code example in characters: it fits a window of 80 columns with its indentation. */
const CODE_COLUMNS = 66;

const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g;

/** Breaks a long command line before options, and ends each line but the last with a backslash. */
function wrapCommand(line: string): string[] {
  if (line.length <= CODE_COLUMNS) return [line];
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const piece of joinOptions(line.match(WORD) ?? [])) {
    const extended = current === '' ? indent + piece : `${current} ${piece}`;
    if (current !== '' && piece.startsWith('-') && extended.length + 2 > CODE_COLUMNS) {
      lines.push(`${current} \\`);
      current = `${indent}      ${piece}`;
    } else current = extended;
  }
  return [...lines, current];
}

/** Joins each option with its value and other words after it, so that no line break parts them. */
function joinOptions(words: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const word of words) {
    if (pieces.length === 0 || word.startsWith('-')) pieces.push(word);
    else pieces.push(`${pieces.pop()} ${word}`);
  }
  return pieces;
}
