import { wrapText } from '../../../formats/fitText.ts';
import { renderStationCard } from '../../../formats/stationsTable.ts';
import type { OpenedStation, Scene, ScreenStyle, TerminalWindow } from './scene.ts';

/**
 * Minimum rows and columns of the picture of the last 24 hours. It is left out if there are fewer.
 */
const LEAST = { rows: 13, columns: 30 };

/** The card is shortened so that the picture gets this many rows. */
const GOOD_ROWS = 16;

/**
 * Draws the station that fills the screen: its card, and its last 24 hours. In a low window, the
 * end of the card is left out in favour of the picture.
 * @param room the lines that are left by other parts of the screen
 */
export function drawStation(
  { details, trouble }: OpenedStation,
  scene: Scene,
  room: TerminalWindow,
  style: ScreenStyle,
): string[] {
  const { columns, chalk, write } = style;
  const listed = scene.stations[0]?.recent.station;
  const station = listed ?? details?.station;
  if (station === undefined) return [];
  // Combine the measurements of the latest poll with the metadata, which only the details contain.
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
