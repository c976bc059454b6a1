import { NO_PRESSURE, type Reading } from '../domain/reading.ts';
import { CALM_BELOW_KMH, convertSpeed } from '../domain/units.ts';
import { insertStation, UNIT_OF_LABEL } from './convert.ts';
import type { ArchiveChunk, ArchiveLayout } from './format.ts';
import { formatHeading, formatTime, NOTHING, percentOf } from './forPeople.ts';
import { cutText, fitColumns, GAP, padFraction, type Sized, type TableStyle } from './textTable.ts';

type Value = Reading[number];

interface ColumnStyle extends Sized {
  readonly head: string;
  /** Whether the column's head names the unit too: `avg km/h`. */
  readonly unitInHead?: boolean;
  readonly isText?: boolean;
  readonly write: (value: Value, isCalm: boolean) => string;
}

/** A column of the table, `index` its place in a row of the archive. */
interface Column extends ColumnStyle {
  readonly index: number;
}

const TIME_WIDTH = '2024-05-01 14:00:00'.length;
const OFFSET_WIDTH = ' +02:00'.length;

/** How a table shows the columns of an archive, and those that `--every` adds. */
const STYLES: Readonly<Record<string, ColumnStyle>> = {
  station: { head: 'station', width: 7, rank: 0, write: String },
  time: {
    head: 'time',
    unitInHead: true,
    width: TIME_WIDTH,
    rank: 0,
    // The head of the column names the zone: in a narrow window, the offset of times is left out
    // before the column of the lull is.
    room: { comfortable: TIME_WIDTH + OFFSET_WIDTH, tight: TIME_WIDTH },
    isText: true,
    write: (value) => formatTime(String(value)),
  },
  latitude: { head: 'latitude', width: 10, rank: 4, write: decimal(6) },
  longitude: { head: 'longitude', width: 11, rank: 4, write: decimal(6) },
  wind_speed_min: { head: 'lull', unitInHead: true, width: 6, rank: 3, write: decimal(2) },
  wind_speed_avg: { head: 'avg', unitInHead: true, width: 6, rank: 0, write: decimal(2) },
  wind_speed_max: { head: 'gust', unitInHead: true, width: 6, rank: 1, write: decimal(2) },
  wind_heading: { head: 'direction', width: 12, rank: 2, isText: true, write: writeHeading },
  pressure: { head: 'pressure', unitInHead: true, width: 10, rank: 5, write: decimal(2) },
  readings: { head: 'readings', width: 8, rank: 5, write: String },
  coverage: { head: 'coverage', width: 8, rank: 2, write: writeCoverage },
};

/** A coverage from 0 to 1 with two decimals, rounded down: only one without gaps is 1.00. */
function writeCoverage(value: Value): string {
  return typeof value === 'number' ? (percentOf(value) / 100).toFixed(2) : NOTHING;
}

function writeHeading(value: Value, isCalm: boolean): string {
  if (isCalm) return 'calm';
  if (typeof value !== 'number') return NOTHING;
  // With `--every`, a mean direction may have any number of decimals.
  const degrees = Math.round(value * 10) / 10;
  return formatHeading(degrees === 360 && value < 360 ? 0 : degrees);
}

function decimal(places: number): (value: Value) => string {
  return (value) =>
    padFraction(
      typeof value === 'number' ? String(Number(value.toFixed(places))) : NOTHING,
      places + 1,
    );
}

/**
 * Writes the rows of each chunk as soon as it arrives, since the widths of columns are fixed. A
 * table of one station has no columns for the position: a line `moved to …` tells of each move.
 */
export async function* renderArchive(
  chunks: AsyncIterable<ArchiveChunk>,
  { stationAt, isChosen = false }: ArchiveLayout,
  { columns: limit, paintHead, write: writeText }: TableStyle,
): AsyncGenerator<string> {
  const join = (cells: readonly string[]): string => cells.join(GAP).trimEnd();
  const writeCell = (column: Column, row: Reading, isCalm: boolean): string => {
    const text = writeText(column.write(row[column.index] ?? null, isCalm));
    // A time that does not fit is written without its offset.
    const isCut = column.room !== undefined && text.length > column.width;
    return pad(column, isCut ? text.slice(0, column.room.tight) : text);
  };
  let columns: Column[] | undefined;
  let position: string | undefined;
  for await (const chunk of chunks) {
    const { legend, units, rows } = insertStation(chunk, stationAt);
    const isPositionHidden = !isChosen && stationAt === undefined;
    if (columns === undefined) {
      const shown = showColumns({ legend, units, isChosen, isPositionHidden }, writeText);
      columns = fitColumns(shown, limit);
      const heads = columns.map((column) =>
        pad(column, cutText(column.head, column.width, writeText('…'))),
      );
      yield `${paintHead(join(heads))}\n`;
    }
    const shown = columns;
    const isCalmRow = calmReader(legend, units);
    const lines = rows.readings.flatMap((row) => {
      const isCalm = isCalmRow(row);
      const line = join(shown.map((column) => writeCell(column, row, isCalm)));
      const [, latitude, longitude] = row;
      if (!isPositionHidden || latitude === null || longitude === null) return line;
      const before = position;
      position = `${latitude}, ${longitude}`;
      return before === undefined || before === position ? line : [`moved to ${position}`, line];
    });
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

/** Makes a test for calm rows by mean speed; without a column of mean speeds no row is calm. */
function calmReader(legend: readonly string[], units: readonly string[]) {
  const place = legend.indexOf('wind_speed_avg');
  const unit = UNIT_OF_LABEL.get(units[place] ?? '');
  const lowest = unit === undefined ? null : convertSpeed(CALM_BELOW_KMH, unit);
  return (row: Reading): boolean => {
    const avg = row[place];
    return lowest !== null && typeof avg === 'number' && avg < lowest;
  };
}

interface Choice {
  readonly legend: readonly string[];
  readonly units: readonly string[];
  readonly isChosen: boolean;
  readonly isPositionHidden: boolean;
}

function showColumns(
  { legend, units, isChosen, isPositionHidden }: Choice,
  writeText: (text: string) => string,
): Column[] {
  return legend.flatMap((name, index) => {
    if (name === 'pressure' && !isChosen && units[index] === NO_PRESSURE) return [];
    if ((name === 'latitude' || name === 'longitude') && isPositionHidden) return [];
    const style = STYLES[name] as ColumnStyle;
    const unit = units[index] === 'utc' ? 'UTC' : (units[index] ?? '');
    const head = writeText(style.unitInHead ? `${style.head} ${unit}` : style.head);
    const offsetWidth = name === 'time' && units[index] !== 'utc' ? OFFSET_WIDTH : 0;
    const headingWidth = name === 'wind_heading' ? writeText(formatHeading(0)).length : 0;
    const headWidth = style.room ? 0 : head.length;
    const width = Math.max(style.width + offsetWidth, headingWidth, headWidth);
    return [{ ...style, index, head, width }];
  });
}

function pad({ isText, width }: Column, text: string): string {
  return isText ? text.padEnd(width) : text.padStart(width);
}
