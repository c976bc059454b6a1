import { wrapText } from '../../../formats/fitText.ts';
import { renderStationCard } from '../../../formats/stationsTable.ts';
import type { OpenedStation, Scene, ScreenStyle, TerminalWindow } from './scene.ts';

/** Least rows and columns of the picture of the last 24 hours; with fewer there is none. */
const LEAST = { rows: 13, columns: 30 };

/** Rows of the picture that the end of the card makes room for. */
const GOOD_ROWS = 16;

/**
 * Draws the card of the station that fills the screen, and its last 24 hours. In a low window the
 * end of the card makes room for the picture.
 * @param room the lines that the other parts of the screen leave
 */
export function drawStation(
  { details, trouble }: OpenedStation,
  scene: Scene,
  room: TerminalWindow,
  style: ScreenStyle,
): string[] {
  const { columns, chalk, write } = style;
  const listed = scene.stations[0]?.track.station;
  const station = listed ?? details?.station;
  if (station === undefined) return [];
  // The measurements of the latest poll, and the description, which only the details have.
  const { meta } = details?.station ?? station;
  // The row above the card names the station.
  const isNamed = listed === undefined;
  const look = { columns, paintHead: chalk.bold, paintLabel: chalk.dim, write, isNamed };
  const card = renderStationCard({ ...station, meta }, scene, look);
  const facts = card.split('\n').filter((line) => line !== '');
  const rows = Math.max(room.rows - facts.length, Math.min(room.rows, GOOD_ROWS));
  const hasPicture = rows >= LEAST.rows && columns >= LEAST.columns;
  const day = details
    ? hasPicture
      ? details.draw(scene.unit, { ...room, rows })
      : []
    : wrapText(write(trouble ?? 'loading the last 24 hours…'), columns);
  const end = day.slice(0, room.rows);
  return [...facts.slice(0, room.rows - end.length), ...end];
}
