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

/** An entry of a list of terms. @param head the term, as roff */
export const entry = (head: string, text: string): string[] => ['.TP', head, roff(text)];

/** A usage line with placeholders in italics and all else in bold. */
export const usage = (text: string): string =>
  text.replace(/([<[])([^<>[\]]+)[>\]]|[^<[]+/g, (piece, bracket?: string, inner = '') => {
    if (bracket === undefined) return piece.trim() === '' ? piece : bold(piece);
    return bracket === '<' ? italic(inner) : `[${italic(inner)}]`;
  });

export const paragraphs = (text: string): string[] =>
  text.split(/\n{2,}/).filter((part) => part !== '');

/** A line of a help text with a term and its meaning: `  units    unit of speeds`. */
const TERM = /^ {2}(?!\$)(\S+(?: \S+)*) {2,}(\S.*)$/;

/** Formats paragraphs of help. Indented lines are code, or a list of terms with their meanings. */
export function prose(text: string): string[] {
  return paragraphs(text).flatMap((paragraph) => {
    const pieces = paragraph.match(/(?: {2}[^\n]+(?:\n|$))+|(?:(?! {2})[^\n]+(?:\n|$))+/g) ?? [];
    return pieces.flatMap((piece, index) => {
      const lines = piece.trimEnd().split('\n');
      if (!piece.startsWith('  ')) return ['.PP', ...lines.map(proseLine)];
      const terms = lines.map((line) => TERM.exec(line));
      if (terms.every((term) => term !== null)) {
        return terms.flatMap(([, term = '', meaning = '']) => entry(bold(term), meaning));
      }
      const code = lines.map((line) => roff(line.slice(2)));
      return [...(index === 0 ? ['.PP'] : []), '.RS 2', '.nf', ...code, '.fi', '.RE'];
    });
  });
}

const proseLine = (line: string): string => (line === 'Examples:' ? bold(line) : roff(line));
