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

/** Text for comparing names: lower case, without accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
