/** Blanks between two columns of a table. */
export const GAP = '  ';

/** Columns of this rank and over are left out before text is cut below its comfortable width. */
const DISPENSABLE_RANK = 4;

/** Widths that the text of a column may be cut to. */
export interface Room {
  /** To keep any other column. */
  readonly comfortable: number;
  /** To keep a column of a rank below {@link DISPENSABLE_RANK}. */
  readonly tight: number;
}

export interface Sized {
  readonly width: number;
  /** Columns of the highest rank are left out first in a narrow window; those of rank 0 stay. */
  readonly rank: number;
  /** For text; a column without it is never cut. */
  readonly room?: Room | undefined;
}

/** Makes columns fit a window: cuts text and leaves whole columns out. */
export function fitColumns<C extends Sized>(
  columns: readonly C[],
  limit = Number.POSITIVE_INFINITY,
): C[] {
  const comfortable = dropColumns(columns, limit, 'comfortable', DISPENSABLE_RANK);
  const kept = dropColumns(comfortable, limit, 'tight', 1);
  for (let over = excess(kept, limit, ({ width }) => width); over > 0; over--) {
    const place = widestText(kept);
    const column = kept[place];
    if (column === undefined) break;
    kept[place] = { ...column, width: column.width - 1 };
  }
  return kept;
}

/** Leaves out ranks from the highest to `lowestRank` until the rest fits with its text cut. */
function dropColumns<C extends Sized>(
  columns: readonly C[],
  limit: number,
  room: keyof Room,
  lowestRank: number,
): C[] {
  const leastWidth = (column: Sized): number =>
    Math.min(column.width, column.room?.[room] ?? column.width);
  let kept = [...columns];
  while (excess(kept, limit, leastWidth) > 0) {
    const highest = Math.max(...kept.map(({ rank }) => rank));
    if (highest < lowestRank) break;
    kept = kept.filter(({ rank }) => rank < highest);
  }
  return kept;
}

/** Cells of a terminal by which columns are wider than a window, gaps included. */
function excess(
  columns: readonly Sized[],
  limit: number,
  widthOf: (column: Sized) => number,
): number {
  const total = columns.reduce((sum, column) => sum + widthOf(column) + GAP.length, -GAP.length);
  return total - limit;
}

/** Index of the widest column that can still be cut, or −1. */
function widestText(columns: readonly Sized[]): number {
  let widest = -1;
  for (const [index, { width, room }] of columns.entries()) {
    if (room && width > room.tight && width > (columns[widest]?.width ?? 0)) widest = index;
  }
  return widest;
}
