import Table from 'cli-table3';
import stringWidth from 'string-width';

/** Blanks between two columns of a table. */
export const GAP = '  ';

/** Columns of this rank or a higher one are left out before text is cut below `comfortable`. */
const DISPENSABLE_RANK = 4;

/** Widths in cells that a column's text may be cut to, so that other columns are not left out. */
interface Room {
  /**
   * Least width of text, in cells, to keep columns ranked above {@link DISPENSABLE_RANK}; by
   * default `comfortable`.
   */
  readonly roomy?: number;
  /** Least width of text, in cells, to keep columns ranked {@link DISPENSABLE_RANK}. */
  readonly comfortable: number;
  /** Least width of text, in cells, to keep columns ranked below {@link DISPENSABLE_RANK}. */
  readonly tight: number;
}

export interface Sized {
  width: number;
  /** In a narrow window, the column of the highest rank is left out first; rank 0 always stays. */
  readonly rank: number;
  /** How far the column's text may be cut; without this it is never cut. */
  readonly room?: Room | undefined;
  /**
   * Width of the widest text below the column's name, which is cut where nothing else makes the
   * table fit; without this the name is never cut.
   */
  readonly bodyWidth?: number;
}

type Paint = (text: string) => string;

export interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

export interface TableColumn<T> extends Omit<Sized, 'width'> {
  readonly head: string;
  readonly cell: (item: T) => Cell;
  /** Whether the column holds numbers, to be aligned at their decimal points. */
  readonly isDecimal?: boolean;
}

/** How a table is written. */
export interface TableStyle {
  /** Width of the window in cells; undefined if nothing is cut or left out, as in a file. */
  readonly columns: number | undefined;
  /** Gives the names of columns their colour. */
  readonly paintHead: Paint;
  /** Replaces characters that the output cannot show. */
  readonly write: (text: string) => string;
}

/**
 * Writes items as a table. In a narrow window, text is cut and columns are left out until the table
 * fits.
 * @returns the line of column names and one line for each item; in a very narrow window they may
 *   still be too wide
 */
export function renderLines<T>(
  columns: readonly TableColumn<T>[],
  items: readonly T[],
  { columns: limit, paintHead, write }: TableStyle,
): string[] {
  const ellipsis = write('…');
  const filled = columns.map(({ head, cell, isDecimal, rank, room }) => {
    const body = items.map((item) => {
      const { text, paint } = cell(item);
      return { text: write(text), paint };
    });
    const cells = [
      { text: write(head), paint: paintHead },
      ...(isDecimal ? alignPoints(body) : body),
    ];
    const texts = cells.map(({ text }) => text);
    const [width, bodyWidth] = [widest(texts), widest(texts.slice(1))];
    return { cells, isDecimal, rank, room, width, bodyWidth };
  });
  const fitting = fitColumns(filled, limit);
  const rows = ['head', ...items].map((_, index) =>
    fitting.map(({ cells, width, isDecimal }) => {
      const { text, paint } = cells[index] as Cell;
      const cut = cutText(isDecimal ? text.padStart(width) : text, width, ellipsis);
      return paint ? paint(cut) : cut;
    }),
  );
  return drawTable(
    rows,
    fitting.map(({ width }) => width),
  );
}

/** Number of characters from a number's decimal point on: 3 for `12.25`, 0 for `12`. */
const fractionLength = (text: string): number => /\..*/.exec(text)?.[0].length ?? 0;

/**
 * A number followed by blanks, so that the decimal points of a column are aligned.
 * @param length of the column's longest fraction, with the decimal point
 */
export function padFraction(text: string, length: number): string {
  return text + ' '.repeat(Math.max(0, length - fractionLength(text)));
}

function alignPoints(cells: readonly Cell[]): Cell[] {
  const length = cells.reduce((most, { text }) => Math.max(most, fractionLength(text)), 0);
  return cells.map((cell) => ({ ...cell, text: padFraction(cell.text, length) }));
}

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left right';
const chars = {
  ...Object.fromEntries(BORDERS.split(' ').map((name) => [name, ''])),
  middle: GAP,
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** Most rows for one call of cli-table3, a library whose time grows with the square of the rows. */
const ROWS_AT_ONCE = 50;

/**
 * Draws a table without borders, with two blanks between its columns.
 * @param rows cells of one line each, which may have colours; the first row has the column names
 * @param widths width of each column in cells of a terminal, by default that of its widest text
 * @returns one line for each row
 */
export function drawTable(
  rows: readonly (readonly string[])[],
  widths = rows[0]?.map((_, column) => widest(rows.map((row) => row[column] ?? ''))) ?? [],
): string[] {
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const table = new Table({ chars, style, colWidths: widths });
    table.push(...rows.slice(start, start + ROWS_AT_ONCE).map((row) => [...row]));
    for (const line of table.toString().split('\n')) lines.push(line.trimEnd());
  }
  return lines;
}

/** Cuts the text of columns and leaves whole columns out until the table fits a window. */
export function fitColumns<C extends Sized>(
  columns: readonly C[],
  limit = Number.POSITIVE_INFINITY,
): C[] {
  const roomy = dropColumns(columns, limit, 'roomy', DISPENSABLE_RANK + 1);
  const comfortable = dropColumns(roomy, limit, 'comfortable', DISPENSABLE_RANK);
  const fitted = dropColumns(comfortable, limit, 'tight', 1).map((column) => ({ ...column }));
  for (let over = totalWidth(fitted.map(({ width }) => width)) - limit; over > 0; over--) {
    const texts = fitted.filter(({ width, room }) => room && width > room.tight);
    const heads = fitted.filter(({ width, bodyWidth = width }) => width > bodyWidth);
    const [widestText] = (texts.length > 0 ? texts : heads).sort((a, b) => b.width - a.width);
    if (widestText === undefined) break;
    widestText.width--;
  }
  return fitted;
}

/**
 * Leaves out the columns of the highest rank, then of the next, down to `lowestRank`, until the
 * rest fits with its text cut to the width `room`.
 */
function dropColumns<C extends Sized>(
  columns: readonly C[],
  limit: number,
  room: keyof Room,
  lowestRank: number,
): readonly C[] {
  const least = columns.map(({ width, room: given }) =>
    Math.min(width, given?.[room] ?? given?.comfortable ?? Infinity),
  );
  const highest = Math.max(...columns.map(({ rank }) => rank));
  if (totalWidth(least) <= limit || highest < lowestRank) return columns;
  const kept = columns.filter(({ rank }) => rank < highest);
  return dropColumns(kept, limit, room, lowestRank);
}

/** Width of a table in cells of a terminal: its columns and the gaps between them. */
function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

/** Width of the widest text in cells of a terminal, in which colour codes take no room. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

// An escape sequence of chalk, which sets a colour. Text from the service holds none, since
// printable() removes ESC.
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with ESC
const COLOUR = /(\u001b\[[\d;]*m)/;

/**
 * A text cut to at most `width` cells of a terminal. A character that people see as one is never
 * cut, and a colour that was begun is ended.
 * @param ellipsis ends a text that was cut; is itself cut if it alone is too wide
 */
export function cutText(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const mark = ellipsis.slice(0, Math.max(0, width));
  let room = width - stringWidth(mark);
  let isCut = false;
  // The pattern captures the colour codes, so `split` returns them too, at odd indexes.
  const kept = text.split(COLOUR).map((piece, place) => {
    if (place % 2 === 1) return piece;
    if (isCut) return '';
    const start = startThatFits(piece, room);
    room -= stringWidth(start);
    if (start === piece) return piece;
    isCut = true;
    return start + mark;
  });
  return kept.join('');
}

function startThatFits(text: string, room: number): string {
  if (stringWidth(text) <= room) return text;
  let start = '';
  // The first Intl.Segmenter takes 25 ms to make, so none is made until a text must be cut.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(start + segment) > room) break;
    start += segment;
  }
  return start;
}

/**
 * The lines of a text that is wrapped at blanks to at most `width` cells. A longer word stays whole,
 * so that an address can be copied.
 */
export function wrapText(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line === undefined || stringWidth(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
