import { cutText } from '../table/cut.ts';
import { renderLines } from '../table/render.ts';
import { type ColumnLayout, layOutLines } from './columnLayout.ts';
import { rowOf, watchColumns } from './columns.ts';
import {
  writeCondition,
  writeEvent,
  writeFailure,
  writeHeader,
  writeKeys,
  writeMore,
  writeNone,
} from './lines.ts';
import type { Scene, Window } from './screen.ts';
import { type Style, styleFor } from './style.ts';

/**
 * Draws what `vane watch` shows to people: at most as many lines as the window has rows, none
 * wider than its columns. Text from the service cannot move the cursor, and without Unicode every
 * character but the colours' escape sequences is ASCII.
 * @returns lines without a line break after the last
 */
export function renderScreen(scene: Scene, window: Window): string {
  const style = styleFor(window);
  const keys = writeKeys(scene, window.columns, style);
  const layout = layOutLines(window.rows, {
    hasCondition: scene.condition !== undefined,
    hasFailure: scene.failures !== undefined,
    stations: scene.stations.length,
    events: scene.events.length,
    hasKeys: keys !== '',
  });
  const blocks = [
    drawTop(scene, layout, window, style),
    drawStations(scene, layout, window, style),
    drawEvents(scene, layout, window, style),
    layout.withKeys ? [keys] : [],
  ].filter((block) => block.length > 0);
  return blocks.map((block) => block.join('\n')).join(layout.isAiry ? '\n\n' : '\n');
}

type Draw = (scene: Scene, layout: ColumnLayout, window: Window, style: Style) => string[];

const drawTop: Draw = (scene, layout, { columns }, style) => [
  writeHeader(scene, columns, style),
  ...(layout.withCondition ? [writeCondition(scene, columns, style)] : []),
  ...(layout.withFailure ? [writeFailure(scene, columns, style)] : []),
];

const drawStations: Draw = (scene, layout, window, style) => {
  const { columns } = window;
  if (scene.stations.length === 0) {
    const none = layout.withHead ? writeNone(scene, columns, style) : '';
    return none === '' ? [] : [none];
  }
  // What is hidden takes no part in the widths of columns, nor any time.
  const rows = scene.stations
    .slice(0, layout.stations)
    .map((station) => rowOf(station, scene, style));
  if (rows.length === 0) return [];
  const [head = '', ...lines] = renderLines(
    watchColumns(scene, rows, style, window),
    rows,
    window,
    style.chalk.bold,
    style.ellipsis,
  );
  const shown = [...(layout.withHead ? [head] : []), ...lines].map((line) =>
    // The least that a table can be is wider than a very narrow window.
    cutText(line, columns, style.ellipsis),
  );
  return layout.withMore
    ? [...shown, writeMore(scene.stations.slice(layout.stations), scene, columns, style)]
    : shown;
};

const drawEvents: Draw = (scene, layout, { columns }, style) =>
  scene.events
    .slice(scene.events.length - layout.events)
    .map((event) => writeEvent(event, scene, columns, style));
