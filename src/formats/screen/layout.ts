/** The parts of a screen below its header, as far as the scene has them. */
export interface Wanted {
  readonly hasCondition: boolean;
  readonly hasFailure: boolean;
  readonly stations: number;
  readonly events: number;
  readonly hasKeys: boolean;
}

/** The parts of a screen that the window has lines for. */
export interface Layout {
  readonly withCondition: boolean;
  readonly withFailure: boolean;
  /** Whether the table's head has a line, or, without stations, the text in place of the table. */
  readonly withHead: boolean;
  readonly stations: number;
  /** Whether a line counts the stations that are not shown. */
  readonly withMore: boolean;
  readonly events: number;
  readonly withKeys: boolean;
  /** Whether blank lines separate the parts. */
  readonly isAiry: boolean;
}

const MOST_EVENTS = 3;

/** Stations that keep their lines before any event has one. */
const LEAST_STATIONS = 3;

/**
 * Shares out the lines of a window. In a low one the first station comes first, then the failure,
 * the condition, two more stations, the events, the other stations, and the keys last.
 */
export function layOutLines(rows: number, wanted: Wanted): Layout {
  const { stations } = wanted;
  let left = Math.max(0, rows - 1);
  const take = (isWanted: boolean, spare: number): boolean => {
    const isTaken = isWanted && left > spare;
    if (isTaken) left--;
    return isTaken;
  };
  const spare = stations === 0 ? 0 : 2;
  const withFailure = take(wanted.hasFailure, spare);
  const withCondition = take(wanted.hasCondition, spare);
  // A station alone on the last line says more than the head would.
  const withHead = take(true, stations === 0 ? 0 : 1);
  const least = stations > LEAST_STATIONS ? LEAST_STATIONS + 1 : stations;
  const events = Math.max(0, Math.min(wanted.events, MOST_EVENTS, left - least));
  left -= events;
  const shown = stations <= left ? stations : Math.max(Math.min(1, left), left - 1);
  left -= shown;
  const withMore = take(shown < stations, 0);
  // The line that counts hidden stations shows the keys too.
  const withKeys = take(wanted.hasKeys, 0);
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
