/** Characters that groff names in every output encoding. */
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
export function roff(text: string): string {
  const escaped = text.replace(/[\\\-'`^~"]|[^ -~]/gu, escapeCharacter);
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Columns for code in a window of 80, after indentation. */
const CODE_COLUMNS = 66;

const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g;

/** Wraps a command line before options, with the backslashes that a shell needs. */
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

/** Joins each option with the words after it. */
function joinOptions(words: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const word of words) {
    if (pieces.length === 0 || word.startsWith('-')) pieces.push(word);
    else pieces.push(`${pieces.pop()} ${word}`);
  }
  return pieces;
}
