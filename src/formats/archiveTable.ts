import { formatDate } from '../domain/dates.ts';
import {
  DEPRECATED_PRESSURE_UNIT,
  type WrittenColumnName,
} from '../domain/readings/archiveColumns.ts';
import type { ChunkMetadata } from '../domain/readings/chunk.ts';
import { convertColumns, type ReadingColumns } from '../domain/readings/columns.ts';
import { CALM_BELOW_KMH, type SpeedUnit } from '../domain/units.ts';
import { columnValues, writtenColumns } from './archiveRows.ts';
import type { ArchiveLayout, StationChunk } from './format.ts';
import {
  formatHeading,
  formatSpeed,
  formatTime,
  MISSING_VALUE_SIGN,
  roundDownToPercent,
} from './humanReadable.ts';
import {
  COLUMN_GAP,
  drawTable,
  fitTable,
  padFraction,
  type TableColumn,
  type TableStyle,
} from './textTable.ts';

interface ColumnStyle extends Pick<TableColumn<never>, 'head' | 'rank' | 'room' | 'shorten'> {
  readonly width: number;
  /** Whether the column's header names the unit too: `avg km/h`. */
  readonly unitInHead?: boolean;
  readonly isText?: boolean;
  /** @param value NaN if missing; a time is in milliseconds since 1970 */
  readonly write: (value: number, isCalm: boolean, layout: ArchiveLayout) => string;
}

interface Row {
  readonly station: number;
  /** Columns with speeds in the table's unit. */
  readonly columns: ReadingColumns;
  readonly row: number;
  readonly isCalm: boolean;
}

const TIME_WIDTH = '2024-05-01 14:00:00'.length;
const OFFSET_WIDTH = ' +02:00'.length;

/** How a table formats each column of an archive, including those of `--every`. */
const STYLES: Readonly<Record<WrittenColumnName, ColumnStyle>> = {
  station: { head: 'station', width: 7, rank: 0, write: String },
  time: {
    head: 'time',
    unitInHead: true,
    width: TIME_WIDTH,
    rank: 0,
    // The column's header already names the zone, so a narrow window drops the offset of times
    // before the column of the lull.
    room: { comfortable: TIME_WIDTH + OFFSET_WIDTH, tight: TIME_WIDTH },
    isText: true,
    shorten: (text, width) => (text.length > width ? text.slice(0, TIME_WIDTH) : text),
    write: (ms, _, { writeDate }) => formatTime(writeDate(formatDate(ms))),
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

/**
 * Formats a coverage from 0 to 1 with two decimals. It is rounded down, so that 1.00 means no gaps.
 */
function writeCoverage(value: number): string {
  return Number.isNaN(value) ? MISSING_VALUE_SIGN : (roundDownToPercent(value) / 100).toFixed(2);
}

function writeHeading(value: number, isCalm: boolean): string {
  if (isCalm) return 'calm';
  if (Number.isNaN(value)) return MISSING_VALUE_SIGN;
  // Round to one decimal: with `--every`, a mean direction can have any number of decimals.
  const degrees = Math.round(value * 10) / 10;
  return formatHeading(degrees === 360 && value < 360 ? 0 : degrees);
}

function writeSpeed(value: number, _: boolean, { unit }: { readonly unit: SpeedUnit }): string {
  return formatSpeed(Number.isNaN(value) ? null : value, unit);
}

function decimal(places: number): (value: number) => string {
  return (value) =>
    padFraction(
      Number.isNaN(value) ? MISSING_VALUE_SIGN : String(Number(value.toFixed(places))),
      places + 1,
    );
}

/**
 * Writes the rows of each chunk as soon as it arrives, in columns of fixed width. A table of one
 * station has no columns for its position; a line `moved to …` reports each move.
 * @param maxLines maximum number of lines. The last one says that rows are left out; no further
 *   chunk is requested then.
 */
export async function* renderArchive(
  chunks: AsyncIterable<StationChunk>,
  layout: ArchiveLayout,
  style: TableStyle,
  maxLines = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  let table: ReturnType<typeof fitTable<Row>> | undefined;
  let position: string | undefined;
  // Reserve a line for the header, and one for the sentence about rows left out.
  let left = maxLines - 2;
  let shownLast = '';
  const isShared = layout.columns.includes('station');
  // Without the column of averages, nobody would see why “calm” replaces a direction.
  const hasAverage = layout.columns.includes('wind_speed_avg');
  const isPositionHidden = !layout.isChosen && !isShared;
  for await (const { station, chunk } of chunks) {
    if (table === undefined) {
      table = fitTable(showColumns(layout, chunk.head, isPositionHidden, style.write), [], style);
      yield `${drawTable([table.head], table.widths).join('\n')}\n`;
    }
    const { cells, widths } = table;
    const { windSpeedAvg, latitude, longitude, time } = chunk.columns;
    const columns = convertColumns(chunk.columns, layout.unit);
    const lines: string[] = [];
    for (let row = 0; row < chunk.count; row++) {
      if (
        isPositionHidden &&
        !Number.isNaN((latitude[row] as number) + (longitude[row] as number))
      ) {
        const before = position;
        position = `${latitude[row]}, ${longitude[row]}`;
        if (before !== undefined && before !== position) lines.push(`moved to ${position}`);
      }
      if (lines.length >= left) {
        const text = style.write(
          `… rows${shownLast} not shown: -f table shows all, -o FILE writes them`,
        );
        yield [...lines.slice(0, left), text, ''].join('\n');
        return;
      }
      const isCalm = hasAverage && (windSpeedAvg[row] as number) < CALM_BELOW_KMH;
      // Pad cells here: cli-table3 takes a hundred times as long, and an archive can have a million
      // rows.
      const padded = cells({ station, columns, row, isCalm }).map((text, place) =>
        text.padEnd(widths[place] ?? 0),
      );
      lines.push(padded.join(COLUMN_GAP).trimEnd());
      shownLast = describePlace(time[row] as number, station, isShared, layout);
    }
    left -= lines.length;
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

/**
 * Describes the time of a row, for the sentence about the rows after it; empty without a column of
 * times.
 */
function describePlace(
  ms: number,
  station: number,
  isShared: boolean,
  { columns, writeDate }: ArchiveLayout,
): string {
  if (!columns.includes('time')) return '';
  const minute = formatTime(writeDate(formatDate(ms))).slice(0, '2024-05-01 14:00'.length);
  return ` after ${minute}${isShared ? ` of station ${station}` : ''}`;
}

function showColumns(
  layout: ArchiveLayout,
  head: ChunkMetadata,
  isPositionHidden: boolean,
  writeText: (text: string) => string,
): TableColumn<Row>[] {
  return writtenColumns(layout, head).flatMap(({ name, unit }) => {
    if (name === 'pressure' && !layout.isChosen && unit === DEPRECATED_PRESSURE_UNIT) return [];
    if ((name === 'latitude' || name === 'longitude') && isPositionHidden) return [];
    const { head: title, unitInHead, isText, width, write, ...style } = STYLES[name];
    const offsetWidth = name === 'time' && unit !== 'utc' ? OFFSET_WIDTH : 0;
    const headingWidth = name === 'wind_heading' ? writeText(formatHeading(0)).length : 0;
    const read = ({ station, columns, row }: Row): number =>
      name === 'station' ? station : (columnValues(columns, name)[row] as number);
    return {
      ...style,
      head: unitInHead ? `${title} ${unit === 'utc' ? 'UTC' : unit}` : title,
      isDecimal: !isText,
      width: Math.max(width + offsetWidth, headingWidth),
      cell: (row) => ({ text: write(read(row), row.isCalm, layout) }),
    };
  });
}
