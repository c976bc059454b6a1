import type { Look } from '../format.ts';
import { cutText, widthOf } from './cut.ts';
import { fitColumns, GAP, type Room } from './fit.ts';

export type Paint = (text: string) => string;

export interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

export interface TableColumn<T> {
  readonly head: string;
  readonly cell: (item: T) => Cell;
  /** `decimal` lines numbers up by their points. */
  readonly align?: 'left' | 'decimal';
  /** For text that may be cut where a window is narrow. */
  readonly room?: Room;
  /** Columns of the highest rank are left out first in a narrow window; 0 never is. */
  readonly rank: number;
}

/** What stands for a value that is not there. */
export const NOTHING = '–';

interface Filled {
  readonly head: string;
  readonly cells: readonly Cell[];
  readonly room: Room | undefined;
  readonly rank: number;
  readonly width: number;
}

/**
 * Lays items out in columns. Where there is a window's width to fit, text is cut and then whole
 * columns are left out; elsewhere everything stays.
 * @param paintHead how the line of heads is painted
 */
export function renderTable<T>(
  columns: readonly TableColumn<T>[],
  items: readonly T[],
  look: Look,
  paintHead: Paint,
): string {
  return `${renderLines(columns, items, look, paintHead, '…').join('\n')}\n`;
}

/**
 * Lays items out like {@link renderTable}, in lines.
 *
 * Not by cli-table3: it takes as long to load as the service to answer, 20 ms for 50 rows and a
 * time that grows with the square of them, and `vane watch` draws each second.
 * @param ellipsis what ends a text that was cut
 * @returns the line of heads and one for each item, which may still be wider than the window
 */
export function renderLines<T>(
  columns: readonly TableColumn<T>[],
  items: readonly T[],
  look: Look,
  paintHead: Paint,
  ellipsis: string,
): string[] {
  const filled = fitColumns(
    columns.map((column) => fill(column, items)),
    look.columns,
  );
  const line = (cellOf: (column: Filled) => Cell): string =>
    filled
      .map((column) => {
        const { text, paint } = cellOf(column);
        const cut = cutText(text, column.width, ellipsis);
        return (paint ? paint(cut) : cut) + ' '.repeat(column.width - widthOf(cut));
      })
      .join(GAP)
      .replace(/ +$/, '');
  return [
    line(({ head }) => ({ text: head, paint: paintHead })),
    ...items.map((_, index) => line(({ cells }) => cells[index] as Cell)),
  ];
}

function fill<T>(column: TableColumn<T>, items: readonly T[]): Filled {
  const raw = items.map(column.cell);
  const cells = column.align === 'decimal' ? alignDecimals(raw) : raw;
  const textWidth = cells.reduce((widest, { text }) => Math.max(widest, widthOf(text)), 0);
  const width = Math.max(textWidth, widthOf(column.head));
  const head = column.align === 'decimal' ? column.head.padStart(width) : column.head;
  const aligned =
    column.align === 'decimal'
      ? cells.map((cell) => ({ ...cell, text: cell.text.padStart(width) }))
      : cells;
  return { head, cells: aligned, room: column.room, rank: column.rank, width };
}

function alignDecimals(cells: readonly Cell[]): Cell[] {
  const tail = (text: string): number => {
    const point = text.indexOf('.');
    return point === -1 ? 0 : text.length - point;
  };
  const longest = cells.reduce((most, { text }) => Math.max(most, tail(text)), 0);
  return cells.map((cell) => ({
    ...cell,
    text: cell.text + ' '.repeat(longest - tail(cell.text)),
  }));
}
