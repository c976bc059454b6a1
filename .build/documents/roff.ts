/** Characters that roff changes or that a terminal without UTF-8 lacks, each with its escape. */
const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
  '…': '...',
};

/** Escapes a line of text for roff. */
export function roff(text: string): string {
  const escaped = text.replace(/[\\\-'`^~"]|[^ -~]/gu, escapeCharacter);
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** A text as one argument of a macro. */
export const argument = (text: string): string => `"${roff(text)}"`;
export const bold = (text: string): string => `\\fB${roff(text)}\\fR`;
export const italic = (text: string): string => `\\fI${roff(text)}\\fR`;

/** An entry of a list of terms. @param head the term, as roff @param body its meaning, as roff */
export const entry = (head: string, body: string): string[] => ['.TP', head, body];

/** A usage line with placeholders in italics and all else in bold. */
export const usage = (text: string): string =>
  text.replace(/([<[])([^<>[\]]+)[>\]]|[^<[]+/g, (piece, bracket?: string, inner = '') => {
    if (bracket === undefined) return piece.trim() === '' ? piece : bold(piece);
    return bracket === '<' ? italic(inner) : `[${italic(inner)}]`;
  });

/** Columns of the page that a line of code may take: 80 less the margins of text and of code. */
export const CODE_COLUMNS = 71;

/**
 * Lines that man leaves as they are. A longer line goes on in the next one.
 * @param isShell whether every line is a command; otherwise those after `$ ` are
 */
export const code = (lines: readonly string[], isShell = false): string[] => [
  '.PP',
  '.RS 2',
  '.nf',
  ...lines.flatMap((line) => fold(line, isShell || line.startsWith('$ '))).map(roff),
  '.fi',
  '.RE',
];

/**
 * Breaks a long line: a shell command before an option, with a backslash so that it is still one
 * command, and other lines at a space or after a comma.
 */
function fold(line: string, isCommand: boolean): string[] {
  if (line.length <= CODE_COLUMNS) return [line];
  const place = isCommand ? /^.*\S(?= --?\w)/ : /^.*\S(?= )|^.*,(?=\S)/;
  const [start] = place.exec(line.slice(0, CODE_COLUMNS - 1)) ?? [];
  if (start === undefined) return [line];
  const rest = fold(`    ${line.slice(start.length).trimStart()}`, isCommand);
  return [start + (isCommand ? ' \\' : ''), ...rest];
}
