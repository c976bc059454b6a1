import { cutText } from '../../../formats/fitText.ts';
import { renderLines } from '../../../formats/textTable.ts';
import {
  listKeys,
  writeCondition,
  writeEvent,
  writeFailure,
  writeHeader,
  writeKeys,
  writeMore,
  writeNone,
} from './lines.ts';
import { type Scene, type Style, styleFor, type Window } from './scene.ts';
import { rowsOf, watchColumns } from './stationColumns.ts';

/**
 * Draws the screen of `vane watch`: no more lines than the window has, and none wider than it. Text
 * from the service cannot move the cursor. Without Unicode, every character outside of colour codes
 * is ASCII.
 * @returns lines without a line break after the last
 */
export function renderScreen(scene: Scene, window: Window): string {
  const style = styleFor(window);
  if (scene.showsKeys) {
    const lines = [writeHeader(scene, style), '', ...listKeys(scene, style)];
    return (window.rows < lines.length ? lines.filter((line) => line !== '') : lines)
      .slice(0, window.rows)
      .join('\n');
  }
  const keys = writeKeys(scene, style);
  const layout = layOutLines(window.rows, scene, keys !== '');
  const blocks = [
    drawTop(scene, layout, style),
    drawStations(scene, layout, style),
    drawEvents(scene, layout, style),
    layout.withKeys ? [keys] : [],
  ].filter((block) => block.length > 0);
  return blocks.map((block) => block.join('\n')).join(layout.isAiry ? '\n\n' : '\n');
}

/** For each key that scrolls: the index of the station shown first, not yet kept in the list. */
const MOVES: Readonly<Record<string, (top: number, page: number) => number>> = {
  up: (top) => top - 1,
  k: (top) => top - 1,
  down: (top) => top + 1,
  j: (top) => top + 1,
  pageup: (top, page) => top - page,
  pagedown: (top, page) => top + page,
  home: () => 0,
  end: () => Number.POSITIVE_INFINITY,
};

/** Index of the first station shown after a key press; undefined if the key does not scroll. */
export function scroll(key: string, scene: Scene, window: Window): number | undefined {
  const move = Object.hasOwn(MOVES, key) ? MOVES[key] : undefined;
  const hasKeys = writeKeys(scene, styleFor(window)) !== '';
  const { stations: page } = layOutLines(window.rows, scene, hasKeys);
  return move && topWithin(move(topWithin(scene.top, scene, page), page), scene, page);
}

/** Moves the index of the first station shown into the list, so that the last page is full. */
function topWithin(top: number, { stations }: Scene, page: number): number {
  return Math.max(0, Math.min(top, stations.length - page));
}

type Draw = (scene: Scene, layout: ReturnType<typeof layOutLines>, style: Style) => string[];

const drawTop: Draw = (scene, layout, style) => [
  writeHeader(scene, style),
  ...(layout.withCondition ? [writeCondition(scene, style)] : []),
  ...(layout.withFailure ? [writeFailure(scene, style)] : []),
];

const drawStations: Draw = (scene, layout, style) => {
  if (scene.stations.length === 0) {
    const none = layout.withHead ? writeNone(scene, style) : '';
    return none === '' ? [] : [none];
  }
  if (layout.stations === 0) return [];
  // Measure only the stations on the screen, so that hidden stations do not widen the columns.
  const top = topWithin(scene.top, scene, layout.stations);
  const end = top + layout.stations;
  const rows = rowsOf(scene.stations.slice(top, end), scene, style);
  const columns = watchColumns(scene, rows, style);
  const lines = renderLines(columns, rows, { ...style, paintHead: style.chalk.bold })
    .slice(layout.withHead ? 0 : 1)
    // Cut every line: some columns are never left out, and may be wider than a very narrow window.
    .map((line) => cutText(line, style.columns, style.ellipsis));
  return layout.withMore ? [...lines, writeMore(top, end, scene, style)] : lines;
};

const drawEvents: Draw = (scene, layout, style) =>
  scene.events
    .slice(scene.events.length - layout.events)
    .map((event) => writeEvent(event, scene, style));

const MOST_EVENTS = 3;

/** In a low window, this many stations get a line before any event gets one. */
const LEAST_STATIONS = 3;

/**
 * Divides the lines of a window among the parts of the screen. If there are too few, lines go to
 * the first station, then to the failed polls, the alarm's condition, two more stations, the
 * events, the other stations, and last to the keys.
 */
function layOutLines(rows: number, scene: Scene, hasKeys: boolean) {
  const stations = scene.stations.length;
  let left = Math.max(0, rows - 1);
  const take = (isWanted: boolean, spare: number): boolean => {
    const isTaken = isWanted && left > spare;
    if (isTaken) left--;
    return isTaken;
  };
  const spare = stations === 0 ? 0 : 2;
  const withFailure = take(scene.failures !== undefined, spare);
  const withCondition = take(scene.condition !== undefined, spare);
  // The first of these lines is the head of the table or, without stations, the reason for that. If
  // only one line is left, a station tells more than the head.
  const withHead = take(true, stations === 0 ? 0 : 1);
  const least = stations > LEAST_STATIONS ? LEAST_STATIONS + 1 : stations;
  const events = Math.max(0, Math.min(scene.events.length, MOST_EVENTS, left - least));
  left -= events;
  const shown = stations <= left ? stations : Math.max(Math.min(1, left), left - 1);
  left -= shown;
  const withMore = take(shown < stations, 0);
  // If stations are hidden, no line is left for the keys; the line about hidden stations has them.
  const withKeys = take(hasKeys, 0);
  // Blank lines separate the parts of the screen if there is room for all of these lines.
  const isAiry = left >= 1 + Number(events > 0) + Number(withKeys);
  return {
    withCondition,
    withFailure,
    withHead,
    stations: shown,
    withMore,
    events,
    withKeys,
    isAiry,
  };
}
