import { cutText } from '../table/cut.ts';
import { renderLines } from '../table/render.ts';
import { rowOf, watchColumns } from './columns.ts';
import { type Layout, layOutLines } from './layout.ts';
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
 * Draws the screen of `vane watch`: at most as many lines as the window has rows, none wider than
 * its columns. Text from the service cannot move the cursor, and without Unicode every character
 * outside of colours is ASCII.
 * @returns lines without a line break after the last
 */
export function renderScreen(scene: Scene, window: Window): string {
  const style = styleFor(window);
  const keys = writeKeys(scene, style);
  const layout = layOutLines(window.rows, {
    hasCondition: scene.condition !== undefined,
    hasFailure: scene.failures !== undefined,
    stations: scene.stations.length,
    events: scene.events.length,
    hasKeys: keys !== '',
  });
  const blocks = [
    drawTop(scene, layout, style),
    drawStations(scene, layout, style),
    drawEvents(scene, layout, style),
    layout.withKeys ? [keys] : [],
  ].filter((block) => block.length > 0);
  return blocks.map((block) => block.join('\n')).join(layout.isAiry ? '\n\n' : '\n');
}

type Draw = (scene: Scene, layout: Layout, style: Style) => string[];

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
  // Hidden stations must not widen the columns.
  const rows = scene.stations
    .slice(0, layout.stations)
    .map((station) => rowOf(station, scene, style));
  const columns = watchColumns(scene, rows, style);
  const lines = renderLines(columns, rows, style, style.chalk.bold, style.ellipsis)
    .slice(layout.withHead ? 0 : 1)
    // A very narrow window is narrower than the columns that are never left out.
    .map((line) => cutText(line, style.columns, style.ellipsis));
  return layout.withMore
    ? [...lines, writeMore(scene.stations.slice(layout.stations), scene, style)]
    : lines;
};

const drawEvents: Draw = (scene, layout, style) =>
  scene.events
    .slice(scene.events.length - layout.events)
    .map((event) => writeEvent(event, scene, style));
