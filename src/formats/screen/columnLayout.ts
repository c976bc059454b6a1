/** What there is to be shown below the header. */
export interface Wanted {
  readonly hasCondition: boolean;
  readonly hasFailure: boolean;
  readonly stations: number;
  readonly events: number;
  readonly hasKeys: boolean;
}

/** What a window has room for. */
export interface ColumnLayout {
  readonly withCondition: boolean;
  readonly withFailure: boolean;
  /** Whether the table's heads, or what stands in its place where there is no station. */
  readonly withHead: boolean;
  readonly stations: number;
  /** Whether there is a line that counts the stations that are not shown. */
  readonly withMore: boolean;
  readonly events: number;
  readonly withKeys: boolean;
  /** Whether blank lines stand between what belongs together. */
  readonly isAiry: boolean;
}

const MOST_EVENTS = 3;

/** Events leave this many stations their lines. */
const LEAST_STATIONS = 3;

/**
 * Shares the lines of a window out. In a low one a station comes first, then that polls failed,
 * the condition, two stations more, events, the other stations, and the keys last.
 */
export function layOutLines(rows: number, wanted: Wanted): ColumnLayout {
  const { stations } = wanted;
  let left = Math.max(0, rows - 1);
  const take = (isWanted: boolean): boolean => {
    const isTaken = isWanted && left > (stations === 0 ? 0 : 2);
    if (isTaken) left--;
    return isTaken;
  };
  const withFailure = take(wanted.hasFailure);
  const withCondition = take(wanted.hasCondition);
  // In a single line a station says more than heads do.
  const withHead = left >= (stations === 0 ? 1 : 2);
  if (withHead) left--;
  const least = stations > LEAST_STATIONS ? LEAST_STATIONS + 1 : stations;
  const events = Math.max(0, Math.min(wanted.events, MOST_EVENTS, left - least));
  left -= events;
  const shown = stations <= left ? stations : Math.max(Math.min(1, left), left - 1);
  left -= shown;
  const withMore = shown < stations && left > 0;
  if (withMore) left--;
  // Where stations are hidden, the line that says so has the keys beside it.
  const withKeys = wanted.hasKeys && left > 0;
  if (withKeys) left--;
  const gaps = 1 + Number(events > 0) + Number(withKeys);
  return {
    withCondition,
    withFailure,
    withHead,
    stations: shown,
    withMore,
    events,
    withKeys,
    isAiry: left >= gaps,
  };
}
