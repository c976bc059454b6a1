/** C0 and C1 controls and DEL, and the marks that reorder or break lines of text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/** One space for white space that breaks lines. A pattern for it alone would take quadratic time. */
function joinLines(space: string): string {
  return /[\r\n]/.test(space) ? ' ' : space.replaceAll('\t', ' ');
}

/**
 * Text from a service on one line, safe for a terminal: line breaks and tabs become spaces,
 * other control characters become visible symbols (ESC is ␛), so nothing moves the cursor
 * or reorders the line.
 */
export function printable(text: string): string {
  return text.replace(/\s+/g, joinLines).replace(UNSAFE, visible);
}

/** Like {@link printable}, a line of text for each line break. */
export function printableLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map(printable);
}

/** Like {@link printable}, with its LF kept: text that comes in pieces may be cut anywhere. */
export function printableText(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Text on one line for programs: a blank for each character that {@link printable} takes away. */
export function blankControls(text: string): string {
  return text.replace(UNSAFE, ' ');
}

/** User and password of an address within a text: what stands between `//` and the host. */
const USER_INFO = /(:\/\/)[^\s/]*@/g;

/** A text without the users and passwords of the addresses in it. */
export function hideUsers(text: string): string {
  return text.replace(USER_INFO, '$1…@');
}

/**
 * One address without its user and password, be it well-formed or not: a password may hold what
 * ends it elsewhere, so that all before the last @ may belong to it.
 */
export function hideUser(address: string): string {
  return address.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@');
}

/** A sentence about what somebody else sent or set, as it may stand on a terminal. */
export function printableMessage(text: string): string {
  return printable(hideUsers(text));
}

/** Text for comparing names: lower case, without accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Alternatives as a sentence names them: `a`, `a or b`, `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1');
}
