/** What stands between two columns of a table. */
export const GAP = '  ';

/** Columns of this rank and over are left out before text is cut to less than it is comfortable with. */
const DISPENSABLE_RANK = 4;

export interface Room {
  /** Width that text may be cut down to for the sake of any other column. */
  readonly comfortable: number;
  /** Width that it may be cut down to for the sake of a column people cannot do without. */
  readonly tight: number;
}

interface Sized {
  readonly width: number;
  /** Columns of the highest rank are left out first in a narrow window; 0 never is. */
  readonly rank: number;
  /** For text that may be cut. */
  readonly room?: Room | undefined;
}

/** Makes columns fit a window, by cutting text and leaving whole columns out. */
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
  const cut = (column: Sized): number =>
    Math.min(column.width, column.room?.[room] ?? column.width);
  let kept = [...columns];
  while (excess(kept, limit, cut) > 0) {
    const highest = Math.max(...kept.map(({ rank }) => rank));
    if (highest < lowestRank) break;
    kept = kept.filter(({ rank }) => rank < highest);
  }
  return kept;
}

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
