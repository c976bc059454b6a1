import Table from 'cli-table3';
import { marked, type Token, type Tokens } from 'marked';
import stringWidth from 'string-width';
import { argument, bold, CODE_COLUMNS, code, entry, italic, roff } from './roff.ts';

/**
 * Writes a Markdown page as a section of the manual page, in the macros of man(7).
 * @throws for a construct of Markdown that it cannot write, so that no text is lost
 */
export const sectionOf = (markdown: string): string[] => marked.lexer(markdown).flatMap(block);

function block(token: Token): string[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return heading(token as Tokens.Heading);
    case 'paragraph':
      // A terminal shows no pictures.
      if (token.tokens?.every((part) => part.type === 'image')) return [];
      return ['.PP', inline(token.tokens)];
    case 'code':
      return code(token.text.split('\n'), token.lang === 'sh');
    case 'table':
      return table(token as Tokens.Table);
    case 'list':
      return (token as Tokens.List).items.flatMap((item, index) => [
        token.ordered ? `.IP ${index + 1}. 3` : '.IP \\(bu 2',
        ...item.tokens.flatMap((part) =>
          part.type === 'text' ? inline(part.tokens) : block(part),
        ),
      ]);
    case 'blockquote':
      return ['.RS 4', ...(token.tokens ?? []).flatMap(block), '.RE'];
    default:
      throw new Error(`The manual page has no form for ${token.type}: ${token.raw}`);
  }
}

function heading({ depth, tokens }: Tokens.Heading): string[] {
  const text = plain(tokens);
  if (depth === 1) return [`.SH ${argument(text.toUpperCase())}`];
  return depth === 2 ? [`.SS ${argument(text)}`] : ['.PP', bold(text)];
}

/** A line of text with its code in bold, as roff. */
function inline(tokens: readonly Token[] = []): string {
  const line = tokens.map(piece).join('');
  return line.startsWith('.') ? `\\&${line}` : line;
}

function piece(token: Token): string {
  switch (token.type) {
    case 'text':
    case 'escape':
      return roff(oneLine(token.text)).replace(/^\\&/, '');
    case 'codespan':
    case 'strong':
      return bold(oneLine(plain([token])));
    case 'em':
      return italic(oneLine(plain([token])));
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      const isPage = href.includes('://') && href !== plain(tokens);
      return inline(tokens) + (isPage ? roff(` (${href})`) : '');
    }
    default:
      throw new Error(`The manual page has no form for ${token.type}: ${token.raw}`);
  }
}

/** A text without its markup. */
const plain = (tokens: readonly Token[] = []): string =>
  tokens
    .map((token) => ('tokens' in token ? plain(token.tokens) : 'text' in token ? token.text : ''))
    .join('');

const oneLine = (text: string): string => text.replaceAll('\n', ' ');

/** A table of two columns as a list of terms, a wider one as columns of text. */
function table({ header, rows }: Tokens.Table): string[] {
  if (header.length === 2) {
    // .PP sets the indent of terms back, which a list before changes.
    const entries = rows.flatMap(([term, meaning]) =>
      entry(inline(term?.tokens), inline(meaning?.tokens)),
    );
    return ['.PP', ...entries];
  }
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => plain(tokens)));
  const [head = '', ...lines] = columns(cells);
  return ['.PP', '.RS 2', '.nf', bold(head), ...lines.map(roff), '.fi', '.RE'];
}

const GAP = 2;

/** The lines of a table. Where it is too wide, the cells of its widest columns are wrapped. */
function columns(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
  );
  const total = () => widths.reduce((sum, width) => sum + width + GAP, -GAP);
  while (total() > CODE_COLUMNS) {
    const widest = Math.max(...widths);
    widths[widths.indexOf(widest)] = widest - 1;
  }
  const lines = new Table({
    chars: Object.fromEntries(BORDERS.map((name) => [name, ''])),
    style: { 'padding-left': 0, 'padding-right': GAP },
    colWidths: widths.map((width) => width + GAP),
    wordWrap: true,
  });
  lines.push(...cells.map((row) => [...row]));
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
].concat(['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle']);
