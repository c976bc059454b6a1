import { cutText } from '../../../formats/fitText.ts';
import { renderStationCard } from '../../../formats/table.ts';
import { writeCondition, writeEvent, writeHeader } from './lines.ts';
import type { Opened, Scene, Style, Watched, Window } from './scene.ts';

/** Least rows of the picture of the last 24 hours; with fewer the picture is left out. */
const LEAST_ROWS = 13;
const LEAST_COLUMNS = 30;
const MOST_EVENTS = 3;

/**
 * Draws the station that fills the screen: its row of the table, its card, its last 24 hours and
 * its alarms. In a low window the end of the card makes room for the picture.
 * @param row writes the lines of the table for the station
 */
export function drawStation(
  scene: Scene & { readonly opened: Opened },
  window: Window,
  style: Style,
  row: (station: Watched) => string[],
): string[] {
  const { opened, condition } = scene;
  const own = scene.stations.filter(({ track }) => track.station.id === opened.id);
  const alone = { ...scene, stations: own };
  const top = [
    writeHeader(alone, style),
    ...(condition === undefined ? [] : [writeCondition(alone, style)]),
    ...own.flatMap(row),
  ];
  const events = scene.events.filter(({ id }) => id === opened.id).slice(-MOST_EVENTS);
  const bottom = [
    ...events.map((event) => writeEvent(event, scene, style)),
    style.chalk.dim(style.cut('Esc returns · q quits')),
  ];
  const room = Math.max(0, window.rows - top.length - bottom.length);
  const station = opened.details?.station ?? own[0]?.track.station;
  const card = station
    ? renderStationCard(station, scene, {
        columns: style.columns,
        paintHead: style.chalk.bold,
        paintLabel: style.chalk.dim,
        write: style.write,
      })
    : '';
  const facts = card.split('\n').filter((line) => line !== '');
  const left = Math.max(room - facts.length, Math.min(room, LEAST_ROWS));
  const day = drawDetails(opened, scene, { ...window, rows: left }, style);
  return [...top, ...facts.slice(0, room - day.length), ...day, ...bottom].map((line) =>
    cutText(line, style.columns, style.ellipsis),
  );
}

function drawDetails(
  { details, trouble }: Opened,
  { unit }: Scene,
  window: Window,
  style: Style,
): string[] {
  if (details === undefined) {
    return window.rows > 0 ? [style.cut(trouble ?? 'loading the last 24 hours…')] : [];
  }
  const fits = window.rows >= LEAST_ROWS && window.columns >= LEAST_COLUMNS;
  return fits ? details.draw(unit, window).slice(0, window.rows) : [];
}
