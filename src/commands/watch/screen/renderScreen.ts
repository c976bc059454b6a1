import { cutText } from '../../../formats/fitText.ts';
import { drawTable, fitTable } from '../../../formats/textTable.ts';
import {
  listKeys,
  writeCondition,
  writeEvent,
  writeFailure,
  writeHeader,
  writeHiddenCount,
  writeKeys,
  writeWhyEmpty,
} from './lines.ts';
import {
  CHOSEN_MARK,
  type Scene,
  type ScreenStyle,
  screenStyleFor,
  type TerminalWindow,
} from './scene.ts';
import { stationRowsOf, watchColumns } from './stationColumns.ts';
import { drawStation } from './stationView.ts';

/**
 * Draws the screen of `vane watch`: no more lines than the window has, and none wider than it. Text
 * from the service cannot move the cursor. Without Unicode, every character outside of colour codes
 * is ASCII.
 * @returns lines without a line break after the last
 */
export function renderScreen(all: Scene, window: TerminalWindow): string {
  const style = screenStyleFor(window);
  const scene = sceneOfOpened(all);
  const { opened } = scene;
  // Cut every line: some columns are never left out, and may be wider than a very narrow window.
  const join = (lines: readonly string[]): string =>
    lines.map((line) => cutText(line, style.columns, style.ellipsis)).join('\n');
  if (scene.showsKeys) {
    const list = listKeys(scene, style);
    const gap = window.rows < list.length + 2 ? [] : [''];
    return join([writeHeader(scene, style), ...gap, ...list].slice(0, window.rows));
  }
  const keys = writeKeys(scene, style);
  const layout = layOutLines(window.rows, scene, keys !== '');
  const blocks = [
    drawTop(scene, layout, style),
    drawStations(scene, layout, style),
    opened ? drawStation(opened, scene, { ...window, rows: layout.left }, style) : [],
    drawEvents(scene, layout, style),
    layout.withKeys ? [keys] : [],
  ].filter((block) => block.length > 0);
  return blocks.map(join).join(layout.isAiry && !opened ? '\n\n' : '\n');
}

/** The scene of the station that fills the screen, with its alerts; the whole scene without one. */
function sceneOfOpened(scene: Scene): Scene {
  const { opened } = scene;
  if (opened === undefined) return scene;
  const stations = scene.stations.filter(({ track }) => track.station.id === opened.id);
  return {
    ...scene,
    stations,
    condition: stations[0] ? stations[0].condition : scene.condition,
    events: scene.events.filter(({ id }) => id === opened.id),
    chosen: undefined,
  };
}

/** The place of the chosen station in the list; -1 without one. */
export const indexOfChosen = ({ stations, chosen }: Scene): number =>
  stations.findIndex(({ track }) => track.station.id === chosen);

/**
 * The index of the first station shown: it is kept in the list, so that the last page is full, and
 * moved so that the chosen station is shown.
 */
export function firstVisible(scene: Scene, page: number): number {
  const top = Math.max(0, Math.min(scene.top, scene.stations.length - page));
  const at = indexOfChosen(scene);
  return at === -1 || page === 0 ? top : Math.max(Math.min(top, at), at - page + 1);
}

/** The part of the list that a window shows: the number of its stations, and its columns. */
export function visibleList(scene: Scene, window: TerminalWindow) {
  const style = screenStyleFor(window);
  const page = layOutLines(window.rows, scene, writeKeys(scene, style) !== '').stations;
  return { page, heads: () => tableOf(scene, page, style).heads };
}

type Draw = (scene: Scene, layout: ScreenLayout, style: ScreenStyle) => string[];

const drawTop: Draw = (scene, layout, style) => [
  writeHeader(scene, style),
  ...(layout.withCondition ? [writeCondition(scene, style)] : []),
  ...(layout.withFailure ? [writeFailure(scene, style)] : []),
];

const drawStations: Draw = (scene, layout, style) => {
  if (scene.stations.length === 0) {
    const none = layout.withHead ? writeWhyEmpty(scene, style) : '';
    return none === '' ? [] : [none];
  }
  if (layout.stations === 0) return [];
  const top = firstVisible(scene, layout.stations);
  const end = top + layout.stations;
  const lines = tableOf(scene, layout.stations, style).lines.slice(layout.withHead ? 0 : 1);
  return layout.withMore ? [...lines, writeHiddenCount(top, end, scene, style)] : lines;
};

/** The table of the stations on the screen, whose hidden stations do not widen its columns. */
function tableOf(scene: Scene, page: number, style: ScreenStyle) {
  const top = firstVisible(scene, page);
  const rows = stationRowsOf(scene.stations.slice(top, top + page), scene, style);
  const columns = watchColumns(scene, rows, style);
  const table = fitTable(columns, rows, { ...style, paintHead: style.chalk.bold });
  const lines = drawTable([table.head, ...rows.map(table.cells)], table.widths);
  // The first line has the names of the columns.
  const at = 1 + rows.findIndex(({ station }) => station.id === scene.chosen);
  if (at > 0) lines[at] = markChosen(lines[at] ?? '');
  return { lines, heads: table.heads };
}

/** Puts a mark into the gap after the id, so that no column moves. A colour code may end the id. */
const markChosen = (line: string): string =>
  line.replace(/(\d(?:[^ \d]+\d+m)?) /, `$1${CHOSEN_MARK}`);

const drawEvents: Draw = (scene, layout, style) =>
  scene.events
    .slice(scene.events.length - layout.events)
    .map((event) => writeEvent(event, scene, style));

const MAX_EVENT_LINES = 3;

/** In a low window, this many stations get a line before any event gets one. */
const MIN_STATIONS = 3;

/** How many lines each part of the screen gets. */
interface ScreenLayout {
  /** Number of stations, and of events, that are shown. */
  readonly stations: number;
  readonly events: number;
  /** Whether blank lines separate the parts. */
  readonly isAiry: boolean;
  /** Lines that stay empty. */
  readonly left: number;
  readonly withCondition: boolean;
  readonly withFailure: boolean;
  readonly withHead: boolean;
  /** Whether a line counts the stations that are not shown. */
  readonly withMore: boolean;
  readonly withKeys: boolean;
}

/**
 * Divides the lines of a window among the parts of the screen. If there are too few, lines go to
 * the first station, then to the failed polls, the alert's condition, two more stations, the
 * events, the other stations, and last to the keys.
 */
function layOutLines(rows: number, scene: Scene, hasKeys: boolean): ScreenLayout {
  const stations = scene.stations.length;
  let left = Math.max(0, rows - 1);
  const useLine = (isWanted: boolean, spare: number): boolean => {
    const isTaken = isWanted && left > spare;
    if (isTaken) left--;
    return isTaken;
  };
  const spare = stations === 0 ? 0 : 2;
  const withFailure = useLine(scene.failures !== undefined, spare);
  const withCondition = useLine(scene.condition !== undefined, spare);
  // The first of these lines is the head of the table or, without stations, the reason for that. If
  // only one line is left, a station says more than the head.
  const withHead = useLine(true, stations === 0 ? 0 : 1);
  const least = stations > MIN_STATIONS ? MIN_STATIONS + 1 : stations;
  const events = Math.max(0, Math.min(scene.events.length, MAX_EVENT_LINES, left - least));
  left -= events;
  const shown = stations <= left ? stations : Math.max(Math.min(1, left), left - 1);
  left -= shown;
  const withMore = useLine(shown < stations, 0);
  // If stations are hidden, no line is left for the keys; the line about hidden stations has them.
  const withKeys = useLine(hasKeys, 0);
  // Blank lines separate the parts of the screen if there is room for all of these lines.
  const isAiry = left >= 1 + Number(events > 0) + Number(withKeys);
  const lines = { withCondition, withFailure, withHead, withMore, withKeys };
  return { ...lines, stations: shown, events, isAiry, left };
}
