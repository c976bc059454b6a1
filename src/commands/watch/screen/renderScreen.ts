import { cutText } from '../../../formats/fitText.ts';
import { drawTable, fitTable } from '../../../formats/textTable.ts';
import {
  listKeyHelp,
  writeCondition,
  writeEmptyReason,
  writeEvent,
  writeFailure,
  writeHeader,
  writeHiddenCount,
  writeKeys,
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
 * Draws the screen of `vane watch`. It never exceeds the window, and text from the service cannot
 * move the cursor. Without Unicode, all characters are ASCII, apart from colour codes.
 * @returns lines without a line break at the end
 */
export function renderScreen(all: Scene, window: TerminalWindow): string {
  const style = screenStyleFor(window);
  const scene = sceneOfOpened(all);
  const { opened } = scene;
  // Cut every line: some columns are never dropped, and may be too wide for a very narrow window.
  const join = (lines: readonly string[]): string =>
    lines.map((line) => cutText(line, style.columns, style.ellipsis)).join('\n');
  if (scene.showsKeys) {
    const list = listKeyHelp(scene, style);
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

/** Reduces the scene to the station that fills the screen, if there is one, and its alerts. */
function sceneOfOpened(scene: Scene): Scene {
  const { opened } = scene;
  if (opened === undefined) return scene;
  const stations = scene.stations.filter(({ recent }) => recent.station.id === opened.id);
  return {
    ...scene,
    stations,
    condition: stations[0] ? stations[0].condition : scene.condition,
    events: scene.events.filter(({ id }) => id === opened.id),
    chosen: undefined,
  };
}

/** The index of the chosen station in the list; -1 without one. */
export const indexOfChosen = ({ stations, chosen }: Scene): number =>
  stations.findIndex(({ recent }) => recent.station.id === chosen);

/**
 * The index of the first visible station. It is adjusted so that the last page is full and the
 * chosen station is visible.
 */
export function firstVisibleIndex(scene: Scene, page: number): number {
  const top = Math.max(0, Math.min(scene.top, scene.stations.length - page));
  const at = indexOfChosen(scene);
  return at === -1 || page === 0 ? top : Math.max(Math.min(top, at), at - page + 1);
}

/** The visible part of the list: the number of stations, and the columns. */
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
    const none = layout.withHead ? writeEmptyReason(scene, style) : '';
    return none === '' ? [] : [none];
  }
  if (layout.stations === 0) return [];
  const top = firstVisibleIndex(scene, layout.stations);
  const end = top + layout.stations;
  const lines = tableOf(scene, layout.stations, style).lines.slice(layout.withHead ? 0 : 1);
  return layout.withMore ? [...lines, writeHiddenCount(top, end, scene, style)] : lines;
};

/** The table of the visible stations. Hidden ones do not affect its column widths. */
function tableOf(scene: Scene, page: number, style: ScreenStyle) {
  const top = firstVisibleIndex(scene, page);
  const rows = stationRowsOf(scene.stations.slice(top, top + page), scene, style);
  const columns = watchColumns(scene, rows, style);
  const table = fitTable(columns, rows, { ...style, paintHead: style.chalk.bold });
  const lines = drawTable([table.head, ...rows.map(table.cells)], table.widths);
  // Add one for the line with the column names.
  const at = 1 + rows.findIndex(({ station }) => station.id === scene.chosen);
  if (at > 0) lines[at] = markChosen(lines[at] ?? '');
  return { lines, heads: table.heads };
}

/**
 * Puts a mark into the gap after the id, which a colour code may follow, so that columns stay in
 * place.
 */
const markChosen = (line: string): string =>
  line.replace(/(\d(?:[^ \d]+\d+m)?) /, `$1${CHOSEN_MARK}`);

const drawEvents: Draw = (scene, layout, style) =>
  scene.events
    .slice(scene.events.length - layout.events)
    .map((event) => writeEvent(event, scene, style));

const MAX_EVENT_LINES = 3;

/** In a low window, events only get lines after this many stations. */
const MIN_STATIONS = 3;

/** How many lines each part of the screen gets. */
interface ScreenLayout {
  /** Number of visible stations, and of visible events. */
  readonly stations: number;
  readonly events: number;
  /** Whether blank lines separate the parts. */
  readonly isAiry: boolean;
  /** Number of unused lines. */
  readonly left: number;
  readonly withCondition: boolean;
  readonly withFailure: boolean;
  readonly withHead: boolean;
  /** Whether a line counts the hidden stations. */
  readonly withMore: boolean;
  readonly withKeys: boolean;
}

/**
 * Divides the window's lines among the parts of the screen. If there are too few, the order of
 * priority is: the first station, failed polls, the alert's condition, two more stations, the
 * events, the other stations, the keys.
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
  // The header of the table or, without stations, the reason why there are none. If a single line
  // is left, use it for a station instead of the header.
  const withHead = useLine(true, stations === 0 ? 0 : 1);
  const least = stations > MIN_STATIONS ? MIN_STATIONS + 1 : stations;
  const events = Math.max(0, Math.min(scene.events.length, MAX_EVENT_LINES, left - least));
  left -= events;
  const shown = stations <= left ? stations : Math.max(Math.min(1, left), left - 1);
  left -= shown;
  const withMore = useLine(shown < stations, 0);
  // If stations are hidden, the line about them contains the keys.
  const withKeys = useLine(hasKeys, 0);
  // Separate the parts by blank lines if there are enough lines for all of them.
  const isAiry = left >= 1 + Number(events > 0) + Number(withKeys);
  const lines = { withCondition, withFailure, withHead, withMore, withKeys };
  return { ...lines, stations: shown, events, isAiry, left };
}
