import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { MinimumTextWidths } from '../domain/document.ts';
import { cutText } from './fitText.ts';

/** Blanks between two columns of a table. */
export const COLUMN_GAP = '  ';

/** Columns of this rank or above are dropped before any text is cut below `comfortable`. */
const DISPENSABLE_RANK = 4;

interface Sized {
  width: number;
  /** In a narrow window, columns of high rank are dropped first. Rank 0 always stays. */
  readonly rank: number;
  /** How far the text may be cut; undefined if it must not be cut. */
  readonly room?: MinimumTextWidths | undefined;
  /**
   * Width of the widest text below the column's name. The name may be cut to this width as a last
   * resort; undefined if it must not be cut.
   */
  readonly bodyWidth?: number;
}

type Paint = (text: string) => string;

export interface TableCell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

export interface TableColumn<T> extends Pick<Sized, 'rank' | 'room'> {
  readonly head: string;
  readonly cell: (item: T) => TableCell;
  /** Whether to align the column's numbers at their decimal points. */
  readonly isDecimal?: boolean;
  /** Shortens a text to a width; by default its end is cut off. */
  readonly shorten?: (text: string, width: number) => string;
  /** Minimum width in cells, for a table whose header is written before its rows are known. */
  readonly width?: number;
  /** A narrower form of the column, used before any column is dropped. */
  readonly brief?: { readonly head: string; readonly text?: (text: string) => string };
}

/** The look of a table. */
export interface TableStyle {
  /** Width of the window in cells; undefined for a file, where nothing is cut or dropped. */
  readonly columns: number | undefined;
  /** Colours the column names. */
  readonly paintHead: Paint;
  /** Replaces characters that the output cannot show. */
  readonly write: (text: string) => string;
}

/**
 * Lays out a table. In a narrow window, texts are cut and columns dropped until the table fits.
 * @param items the rows that determine column widths; if there are other rows, columns need `width`
 * @returns `heads` contains the names of the columns that fit. `cells` formats an item; cells with
 *   numbers are padded to the width of their columns.
 */
export function fitTable<T>(
  columns: readonly TableColumn<T>[],
  items: readonly T[],
  { columns: limit, paintHead, write }: TableStyle,
) {
  const measure = (column: TableColumn<T>) => {
    const texts = items.map((item) => write(column.cell(item).text));
    const fraction = column.isDecimal ? most(texts.map(fractionLength)) : 0;
    const body = texts.map((text) => padFraction(text, fraction));
    const bodyWidth = Math.max(column.width ?? 0, widest(body));
    const head = write(column.head);
    const width = Math.max(bodyWidth, stringWidth(head));
    return { ...column, head, fraction, bodyWidth, width };
  };
  const whole = columns.map(measure);
  const isRoomy = totalWidth(minWidths(whole, 'roomy')) <= (limit ?? Infinity);
  const sized = isRoomy ? whole : columns.map((column) => measure(briefOf(column)));
  const fitted = fitColumns(sized, limit);
  const ellipsis = write('…');
  return {
    widths: fitted.map(({ width }) => width),
    heads: fitted.map(({ head }) => head),
    head: fitted.map(({ head, isDecimal, width }) =>
      paintHead(cutText(isDecimal ? head.padStart(width) : head, width, ellipsis)),
    ),
    cells: (item: T): string[] =>
      fitted.map((column) => {
        const { cell, isDecimal, fraction, room, shorten = cutText, width } = column;
        const { text, paint } = cell(item);
        const written = write(text);
        const aligned = isDecimal ? padFraction(written, fraction).padStart(width) : written;
        const cut = room ? shorten(aligned, width, ellipsis) : aligned;
        return paint ? paint(cut) : cut;
      }),
  };
}

function briefOf<T>(column: TableColumn<T>): TableColumn<T> {
  const { brief } = column;
  if (brief === undefined) return column;
  const { head, text: shorten = (text: string) => text } = brief;
  const cell = (item: T): TableCell => {
    const { text, paint } = column.cell(item);
    return { text: shorten(text), paint };
  };
  return { ...column, head, cell };
}

/**
 * Writes items as a table that fits a window, as {@link fitTable} does.
 * @returns the line of column names and a line for each item. In a very narrow window they can
 *   still be too wide.
 */
export function renderLines<T>(
  columns: readonly TableColumn<T>[],
  items: readonly T[],
  style: TableStyle,
): string[] {
  const { head, cells, widths } = fitTable(columns, items, style);
  return drawTable([head, ...items.map(cells)], widths);
}

/** Number of characters from the decimal point on: 3 for `12.25`, 0 for `12`. */
const fractionLength = (text: string): number => /\..*/.exec(text)?.[0].length ?? 0;

/**
 * Appends blanks to a number so that decimal points are aligned.
 * @param length length of the longest fraction in the column, including the decimal point
 */
export function padFraction(text: string, length: number): string {
  return text + ' '.repeat(Math.max(0, length - fractionLength(text)));
}

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left right';
const chars = {
  ...Object.fromEntries(BORDERS.split(' ').map((name) => [name, ''])),
  middle: COLUMN_GAP,
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** Maximum number of rows per call of cli-table3, whose time grows with the square of the rows. */
const ROWS_AT_ONCE = 50;

/**
 * Draws a table without borders, with two blanks between columns.
 * @param rows cells of one line each, which may have colours; the first row has the column names
 * @param widths width of each column in terminal cells; by default that of its widest text
 * @returns one line for each row
 */
export function drawTable(
  rows: readonly (readonly string[])[],
  widths: readonly number[] = rows[0]?.map((_, column) =>
    widest(rows.map((row) => row[column] ?? '')),
  ) ?? [],
): string[] {
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const table = new Table({ chars, style, colWidths: [...widths] });
    table.push(...rows.slice(start, start + ROWS_AT_ONCE).map((row) => [...row]));
    for (const line of table.toString().split('\n')) lines.push(line.trimEnd());
  }
  return lines;
}

/** Cuts texts and drops columns until a table fits the window. */
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
 * Drops columns, highest rank first, down to `lowestRank`, until the rest fits if its texts are cut
 * to the widths `room`.
 */
function dropColumns<C extends Sized>(
  columns: readonly C[],
  limit: number,
  room: keyof MinimumTextWidths,
  lowestRank: number,
): readonly C[] {
  const highest = Math.max(...columns.map(({ rank }) => rank));
  if (totalWidth(minWidths(columns, room)) <= limit || highest < lowestRank) return columns;
  const kept = columns.filter(({ rank }) => rank < highest);
  return dropColumns(kept, limit, room, lowestRank);
}

function minWidths(columns: readonly Sized[], room: keyof MinimumTextWidths): number[] {
  return columns.map(({ width, room: given }) =>
    Math.min(width, given?.[room] ?? given?.comfortable ?? Infinity),
  );
}

/** Width of a table in terminal cells: its columns and the gaps between them. */
function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP.length, -COLUMN_GAP.length);
}

/** Width of the widest text in terminal cells, not counting colour codes. */
function widest(texts: readonly string[]): number {
  return most(texts.map((text) => stringWidth(text)));
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((highest, number) => Math.max(highest, number), 0);
}
