/**
 * Matches characters that may harm a terminal: C0 and C1 controls, DEL, line and paragraph
 * separators, and bidirectional controls.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/**
 * Replaces white space on one line: by one space if it contains a line break, otherwise by a space
 * for each tab. A single regular expression for this would take quadratic time.
 */
function joinLines(space: string): string {
  return /[\r\n]/.test(space) ? ' ' : space.replaceAll('\t', ' ');
}

/**
 * Makes text from a service safe for one line of a terminal. Line breaks and tabs become spaces;
 * other control characters become visible symbols (ESC becomes ␛). No character can move the cursor
 * or reorder the line.
 */
export function printable(text: string): string {
  return text.replace(/\s+/g, joinLines).replace(UNSAFE, visible);
}

/** Matches line ends: CRLF of Windows, LF, and CR of old programs. */
const LINE_END = /\r\n?|\n/;

/**
 * Splits a text into lines at LF, CRLF or CR. The last element is the text after the last line end.
 */
export const splitLines = (text: string): string[] => text.split(LINE_END);

/** Replaces all line ends by LF. */
export const withLfLineEnds = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

/** Splits a text into lines and makes each safe by {@link printable}. */
export function printableLines(text: string): string[] {
  return splitLines(text).map(printable);
}

/** Like {@link printable}, but keeps LF. The text may come in pieces that are cut anywhere. */
export function printableText(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Puts a text for programs on one line: each character of {@link UNSAFE} becomes a space. */
export function replaceControlCharacters(text: string): string {
  return text.replace(UNSAFE, ' ');
}

/** Escapes text for an element or a quoted attribute in XML and HTML. */
export function escapeXml(text: string): string {
  // XML forbids U+FFFE, U+FFFF and unpaired surrogates.
  return replaceControlCharacters(text)
    .replace(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g,
      '\ufffd',
    )
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Matches the user and password in addresses: the part between `//` and the host. */
const USER_INFO = /(:\/\/)[^\s/]*@/g;

/** Removes users and passwords from the addresses in a text. */
export function hideCredentialsInText(text: string): string {
  return text.replace(USER_INFO, '$1…@');
}

/**
 * Removes user and password from an address, even a malformed one. A password may contain / or @,
 * so everything before the last @ may be part of it.
 */
export function hideAddressCredentials(address: string): string {
  return address.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@');
}

/** The beginning of a text for messages, on one line and safe for a terminal. */
export function firstCharacters(text: string, most: number): string {
  // A character has at most two code units, so do not split the rest of a long text.
  const characters = [...printable(text).slice(0, 2 * (most + 1))];
  const rest = characters.length > most ? '…' : '';
  return characters.slice(0, most).join('') + rest;
}

/** The beginning of a text in quotes, as {@link firstCharacters} returns it. */
export function quoteExcerpt(text: string, most: number): string {
  return `“${firstCharacters(text, most)}”`;
}

/** Makes a message with foreign text safe for a terminal, and removes passwords. */
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
  // Each arrow becomes two ASCII characters, so that columns of arrows stay aligned.
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
 * Converts text to ASCII: letters lose their accents, signs such as ° and ↑ become ASCII signs, and
 * other characters become `?`.
 */
export function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^ -~]/gu, (character) => ASCII_SIGNS[character] ?? '?');
}

/** Converts text to lower case without accents, to compare names. */
export function foldForComparison(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Formats a number with its noun: `1 reading`, `1,234 readings`. */
export function formatCount(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Joins words for a sentence: `a`, `a or b`, `a, b or c`. */
export function joinAlternatives(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

/**
 * Maximum width that {@link showPlaceInText} prints, and minimum width before the caret if the
 * start is cut.
 */
const MAX_WIDTH = 70;
const BEFORE_WIDTH = 40;

/**
 * Shows a place in a text: the text on one line, safe for a terminal, and a caret below the place.
 * Of a long text, only the 70 columns around the place are shown.
 * @param at index into the text; an index outside of it means its beginning or end
 */
export function showPlaceInText(text: string, at: number): string {
  const place = characterStart(text, Math.min(Math.max(0, at), text.length));
  // Apply `printable` to each side separately, so that the caret stays in place if it shortens the
  // text.
  const before = [...printable(text.slice(0, place))];
  const line = [...before, ...printable(text.slice(place))];
  const start = Math.max(0, Math.min(before.length - BEFORE_WIDTH, line.length - MAX_WIDTH));
  const shown = line.slice(start, start + MAX_WIDTH);
  if (start > 0) shown[0] = '…';
  if (start + MAX_WIDTH < line.length) shown[MAX_WIDTH - 1] = '…';
  return `${shown.join('')}\n${' '.repeat(before.length - start)}^`;
}

/** Moves a place between the halves of a surrogate pair to the start of the pair. */
function characterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The index of the first difference between two lists; -1 if they are equal. */
export function indexOfDifference(names: readonly string[], others: readonly string[]): number {
  const longer = names.length > others.length ? names : others;
  return longer.findIndex((_, index) => names[index] !== others[index]);
}
