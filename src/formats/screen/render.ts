import { cutText } from '../table/cut.ts';
import { renderLines } from '../table/render.ts';
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
import { type Pen, penFor } from './pen.ts';
import type { Scene, Window } from './screen.ts';
import { type Share, shareLines } from './share.ts';

/**
 * Draws what `vane watch` shows to people: at most as many lines as the window has rows, none
 * wider than its columns. Text from the service cannot move the cursor, and without Unicode every
 * character but the colours' escape sequences is ASCII.
 * @returns lines without a line break after the last
 */
export function renderScreen(scene: Scene, window: Window): string {
  const pen = penFor(window);
  const keys = writeKeys(scene, window.columns, pen);
  const share = shareLines(window.rows, {
    hasCondition: scene.condition !== undefined,
    hasFailure: scene.failures !== undefined,
    stations: scene.stations.length,
    events: scene.events.length,
    hasKeys: keys !== '',
  });
  const blocks = [
    drawTop(scene, share, window, pen),
    drawStations(scene, share, window, pen),
    drawEvents(scene, share, window, pen),
    share.withKeys ? [keys] : [],
  ].filter((block) => block.length > 0);
  return blocks.map((block) => block.join('\n')).join(share.isAiry ? '\n\n' : '\n');
}

type Draw = (scene: Scene, share: Share, window: Window, pen: Pen) => string[];

const drawTop: Draw = (scene, share, { columns }, pen) => [
  writeHeader(scene, columns, pen),
  ...(share.withCondition ? [writeCondition(scene, columns, pen)] : []),
  ...(share.withFailure ? [writeFailure(scene, columns, pen)] : []),
];

const drawStations: Draw = (scene, share, window, pen) => {
  const { columns } = window;
  if (scene.stations.length === 0) {
    const none = share.withHead ? writeNone(scene, columns, pen) : '';
    return none === '' ? [] : [none];
  }
  // What is hidden takes no part in the widths of columns, nor any time.
  const rows = scene.stations.slice(0, share.stations).map((station) => rowOf(station, scene, pen));
  if (rows.length === 0) return [];
  const [head = '', ...lines] = renderLines(
    watchColumns(scene, rows, pen, window),
    rows,
    window,
    pen.chalk.bold,
    pen.ellipsis,
  );
  const shown = [...(share.withHead ? [head] : []), ...lines].map((line) =>
    // The least that a table can be is wider than a very narrow window.
    cutText(line, columns, pen.ellipsis),
  );
  return share.withMore
    ? [...shown, writeMore(scene.stations.slice(share.stations), scene, columns, pen)]
    : shown;
};

const drawEvents: Draw = (scene, share, { columns }, pen) =>
  scene.events
    .slice(scene.events.length - share.events)
    .map((event) => writeEvent(event, scene, columns, pen));
