/** Characters that every output of groff has under a name, also where there is no UTF-8. */
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

/** A line of text for roff, which shows it as it is, whatever it begins with. */
export function roff(text: string): string {
  const escaped = text.replace(/[\\\-'`^~"]|[^ -~]/gu, escapeCharacter);
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Columns that a line of code has, of the 80 of a window: the rest is indentation. */
const CODE_COLUMNS = 66;

const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g;

/** A command line on as many lines as it takes, as a shell would take it: cut before options. */
export function wrapCommand(line: string): string[] {
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

/** Words, those after an option together with it. */
function joinOptions(words: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const word of words) {
    if (pieces.length === 0 || word.startsWith('-')) pieces.push(word);
    else pieces.push(`${pieces.pop()} ${word}`);
  }
  return pieces;
}
