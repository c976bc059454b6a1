import type { Look } from '../format.ts';
import { cutText, widest } from './cut.ts';
import { drawTable } from './draw.ts';
import { fitColumns, type Sized } from './fit.ts';
import { fractionLength, padFraction } from './words.ts';

export type Paint = (text: string) => string;

export interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

export interface TableColumn<T> extends Omit<Sized, 'width'> {
  readonly head: string;
  readonly cell: (item: T) => Cell;
  /** Lines numbers up by their decimal points. */
  readonly isDecimal?: boolean;
}

/**
 * Lays items out in columns. In a window, text is cut and then whole columns are left out until
 * the table fits; elsewhere everything stays.
 * @param paintHead paints the names of the columns
 * @param ellipsis ends a text that was cut
 * @returns the line of column names and one line for each item, which may still be wider than a
 *   very narrow window
 */
export function renderLines<T>(
  columns: readonly TableColumn<T>[],
  items: readonly T[],
  look: Pick<Look, 'columns'>,
  paintHead: Paint,
  ellipsis = '…',
): string[] {
  const filled = columns.map((column) => fillColumn(column, items, paintHead));
  const fitting = fitColumns(filled, look.columns);
  const rows = ['head', ...items].map((_, index) =>
    fitting.map(({ cells, width }) => {
      const { text, paint } = cells[index] as Cell;
      const cut = cutText(text, width, ellipsis);
      return paint ? paint(cut) : cut;
    }),
  );
  return drawTable(
    rows,
    fitting.map(({ width }) => width),
  );
}

function fillColumn<T>(
  { head, cell, isDecimal = false, rank, room }: TableColumn<T>,
  items: readonly T[],
  paintHead: Paint,
): Sized & { readonly cells: readonly Cell[] } {
  const body = items.map(cell);
  const cells = [{ text: head, paint: paintHead }, ...(isDecimal ? alignPoints(body) : body)];
  const width = widest(cells.map(({ text }) => text));
  const aligned = isDecimal
    ? cells.map((each) => ({ ...each, text: each.text.padStart(width) }))
    : cells;
  return { cells: aligned, width, rank, room };
}

function alignPoints(cells: readonly Cell[]): Cell[] {
  const places = cells.reduce((most, { text }) => Math.max(most, fractionLength(text)), 0);
  return cells.map((cell) => ({ ...cell, text: padFraction(cell.text, places) }));
}
