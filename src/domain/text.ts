/**
 * Characters that may harm a terminal: C0 and C1 controls, DEL, line and paragraph separators, and
 * bidirectional controls.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/**
 * White space on one line: one space if it has a line break, otherwise a space for each tab. A
 * regular expression that looks for a line break within white space would take quadratic time.
 */
function joinLines(space: string): string {
  return /[\r\n]/.test(space) ? ' ' : space.replaceAll('\t', ' ');
}

/**
 * Text from a service on one line, safe for a terminal: line breaks and tabs become spaces, other
 * control characters become visible symbols (ESC is ␛). No character moves the cursor or
 * reorders the line.
 */
export function printable(text: string): string {
  return text.replace(/\s+/g, joinLines).replace(UNSAFE, visible);
}

/** The ends of lines that files have: CRLF of Windows, LF, and CR of old programs. */
const LINE_END = /\r\n?|\n/;

/** Splits a text into lines, whatever their ends; the last one is what follows the last line end. */
export const splitLines = (text: string): string[] => text.split(LINE_END);

/** A text with LF for each line end. */
export const withLfLineEnds = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

/** The lines of a text, each made safe by {@link printable}. */
export function printableLines(text: string): string[] {
  return splitLines(text).map(printable);
}

/** Like {@link printable}, but keeps LF, so text may come in pieces that are cut anywhere. */
export function printableText(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** A text on one line for programs to read: each character of {@link UNSAFE} becomes a space. */
export function replaceControlCharacters(text: string): string {
  return text.replace(UNSAFE, ' ');
}

/** Escapes text for XML and HTML: the text of an element, or an attribute in quotes. */
export function escapeXml(text: string): string {
  // XML allows neither U+FFFE and U+FFFF nor one half of a surrogate pair alone.
  return replaceControlCharacters(text)
    .replace(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g,
      '\ufffd',
    )
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** User and password of an address within a text: the part between `//` and the host. */
const USER_INFO = /(:\/\/)[^\s/]*@/g;

/** Text without the users and passwords of the addresses in it. */
export function hideCredentialsInText(text: string): string {
  return text.replace(USER_INFO, '$1…@');
}

/**
 * One address, well-formed or not, without its user and password. A password may contain / or @,
 * so everything before the last @ may belong to it.
 */
export function hideAddressCredentials(address: string): string {
  return address.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@');
}

/** The beginning of a text, for messages: on one line, safe for a terminal. */
export function firstCharacters(text: string, most: number): string {
  // A character has at most two code units; the rest of a long text is not taken apart.
  const characters = [...printable(text).slice(0, 2 * (most + 1))];
  const rest = characters.length > most ? '…' : '';
  return characters.slice(0, most).join('') + rest;
}

/** The beginning of a text like {@link firstCharacters}, in quotes. */
export function quoteExcerpt(text: string, most: number): string {
  return `“${firstCharacters(text, most)}”`;
}

/** A sentence with foreign text in it, safe for a terminal and without passwords. */
export function printableMessage(text: string): string {
  return printable(hideCredentialsInText(text));
}

const ASCII_SIGNS: Readonly<Record<string, string>> = {
  '–': '-',
  '−': '-',
  '·': '|',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '°': ' deg',
  '±': '+/-',
  '≥': '>=',
  // In ASCII every arrow takes two characters, so that columns of arrows stay in line.
  '↑': '^ ',
  '↗': '/^',
  '→': '->',
  '↘': '\\v',
  '↓': 'v ',
  '↙': 'v/',
  '←': '<-',
  '↖': '^\\',
};

/**
 * Text in ASCII: letters lose their accents, signs such as ° and ↑ become ASCII signs, and any
 * other character becomes `?`.
 */
export function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^ -~]/gu, (character) => ASCII_SIGNS[character] ?? '?');
}

/** Text in lower case without accents, for comparing names. */
export function foldForComparison(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A number with its noun: `1 reading`, `1,234 readings`. */
export function formatCount(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Alternatives as a sentence names them: `a`, `a or b`, `a, b or c`. */
export function joinAlternatives(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

/**
 * Highest number of columns that {@link showPlaceInText} shows, and lowest before the caret if the start
 * is cut.
 */
const MAX_WIDTH = 70;
const BEFORE_WIDTH = 40;

/**
 * Shows a place in a text: the text on one line, safe for a terminal, and a caret below the place.
 * A long text is cut to the 70 columns around the place.
 * @param at index into the text; an index outside the text means its beginning or its end
 */
export function showPlaceInText(text: string, at: number): string {
  const place = characterStart(text, Math.min(Math.max(0, at), text.length));
  // Make each side printable by itself: the caret moves left where `printable` shortens the text.
  const before = [...printable(text.slice(0, place))];
  const line = [...before, ...printable(text.slice(place))];
  const start = Math.max(0, Math.min(before.length - BEFORE_WIDTH, line.length - MAX_WIDTH));
  const shown = line.slice(start, start + MAX_WIDTH);
  if (start > 0) shown[0] = '…';
  if (start + MAX_WIDTH < line.length) shown[MAX_WIDTH - 1] = '…';
  return `${shown.join('')}\n${' '.repeat(before.length - start)}^`;
}

/** A place between the halves of a surrogate pair moves in front of the pair. */
function characterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The index of the first difference of two lists; -1 for equal lists. */
export function indexOfDifference(names: readonly string[], others: readonly string[]): number {
  const longer = names.length > others.length ? names : others;
  return longer.findIndex((_, index) => names[index] !== others[index]);
}
