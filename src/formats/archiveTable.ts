import { NO_PRESSURE, type Reading } from '../domain/reading.ts';
import { CALM_BELOW_KMH, convertSpeed } from '../domain/units.ts';
import { insertStation, UNIT_OF_LABEL } from './convert.ts';
import type { ArchiveChunk, ArchiveLayout } from './format.ts';
import { formatHeading, formatSpeed, formatTime, NOTHING, percentOf } from './forPeople.ts';
import {
  drawTable,
  fitTable,
  GAP,
  padFraction,
  type TableColumn,
  type TableStyle,
} from './textTable.ts';

type Value = Reading[number];

interface ColumnStyle extends Pick<TableColumn<never>, 'head' | 'rank' | 'room' | 'shorten'> {
  readonly width: number;
  /** Whether the column's head names the unit too: `avg km/h`. */
  readonly unitInHead?: boolean;
  readonly isText?: boolean;
  readonly write: (value: Value, isCalm: boolean, unit: string) => string;
}

interface Row {
  readonly reading: Reading;
  readonly isCalm: boolean;
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
    shorten: (text, width) => (text.length > width ? text.slice(0, TIME_WIDTH) : text),
    write: (value) => formatTime(String(value)),
  },
  latitude: { head: 'latitude', width: 10, rank: 4, write: decimal(6) },
  longitude: { head: 'longitude', width: 11, rank: 4, write: decimal(6) },
  wind_speed_min: { head: 'lull', unitInHead: true, width: 6, rank: 3, write: writeSpeed },
  wind_speed_avg: { head: 'avg', unitInHead: true, width: 6, rank: 0, write: writeSpeed },
  wind_speed_max: { head: 'gust', unitInHead: true, width: 6, rank: 1, write: writeSpeed },
  wind_heading: { head: 'direction', width: 12, rank: 2, isText: true, write: writeHeading },
  pressure: { head: 'pressure', unitInHead: true, width: 10, rank: 5, write: decimal(2) },
  readings: { head: 'readings', width: 8, rank: 5, write: String },
  coverage: { head: 'coverage', width: 8, rank: 2, write: writeCoverage },
  flag: { head: 'flag', width: 4, rank: 0, write: String },
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

function writeSpeed(value: Value, _isCalm: boolean, label: string): string {
  return formatSpeed(typeof value === 'number' ? value : null, UNIT_OF_LABEL.get(label) ?? 'kmh');
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
 * @param maxLines most lines; the last of them says that rows are left out, and no further chunk is
 *   requested
 */
export async function* renderArchive(
  chunks: AsyncIterable<ArchiveChunk>,
  { stationAt, isChosen = false }: ArchiveLayout,
  style: TableStyle,
  maxLines = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  let table: ReturnType<typeof fitTable<Row>> | undefined;
  let position: string | undefined;
  // The head is a line, and so is the sentence about rows that are left out.
  let left = maxLines - 2;
  let shownLast = '';
  for await (const chunk of chunks) {
    const { legend, units, rows } = insertStation(chunk, stationAt);
    const isPositionHidden = !isChosen && stationAt === undefined;
    if (table === undefined) {
      const shown = showColumns({ legend, units, isChosen, isPositionHidden }, style.write);
      table = fitTable(shown, [], style);
      yield `${drawTable([table.head], table.widths).join('\n')}\n`;
    }
    const { cells, widths } = table;
    const isCalmRow = calmReader(legend, units);
    const lines: string[] = [];
    for (const reading of rows.readings) {
      const [, latitude, longitude] = reading;
      if (isPositionHidden && latitude !== null && longitude !== null) {
        const before = position;
        position = `${latitude}, ${longitude}`;
        if (before !== undefined && before !== position) lines.push(`moved to ${position}`);
      }
      if (lines.length >= left) {
        const text = style.write(
          `… rows${shownLast} not shown: -f table shows all, -o FILE writes them`,
        );
        yield [...lines.slice(0, left), text, ''].join('\n');
        return;
      }
      // Pad cells here: cli-table3 takes a hundred times as long, and an archive may have a million
      // rows.
      const padded = cells({ reading, isCalm: isCalmRow(reading) }).map((text, place) =>
        text.padEnd(widths[place] ?? 0),
      );
      lines.push(padded.join(GAP).trimEnd());
      shownLast = describePlace(reading[legend.indexOf('time')], chunk.station, stationAt);
    }
    left -= lines.length;
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

/** The place of a row, for the sentence about those after it; empty without a column of times. */
function describePlace(
  time: Value | undefined,
  station: number,
  stationAt: number | undefined,
): string {
  if (typeof time !== 'string') return '';
  const minute = formatTime(time).slice(0, '2024-05-01 14:00'.length);
  return ` after ${minute}${stationAt === undefined ? '' : ` of station ${station}`}`;
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
): TableColumn<Row>[] {
  return legend.flatMap((name, index) => {
    if (name === 'pressure' && !isChosen && units[index] === NO_PRESSURE) return [];
    if ((name === 'latitude' || name === 'longitude') && isPositionHidden) return [];
    const { head, unitInHead, isText, width, write, ...style } = STYLES[name] as ColumnStyle;
    const unit = units[index] === 'utc' ? 'UTC' : (units[index] ?? '');
    const offsetWidth = name === 'time' && units[index] !== 'utc' ? OFFSET_WIDTH : 0;
    const headingWidth = name === 'wind_heading' ? writeText(formatHeading(0)).length : 0;
    return {
      ...style,
      head: unitInHead ? `${head} ${unit}` : head,
      isDecimal: !isText,
      width: Math.max(width + offsetWidth, headingWidth),
      cell: ({ reading, isCalm }) => ({
        text: write(reading[index] ?? null, isCalm, units[index] ?? ''),
      }),
    };
  });
}
