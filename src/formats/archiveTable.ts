import type { Json } from '../domain/json.ts';
import { COLUMNS, type Reading, STEP_COLUMNS } from '../domain/reading.ts';
import { printable } from '../domain/text.ts';
import { CALM_BELOW_KMH, convertSpeed } from '../domain/units.ts';
import { insertStation, UNIT_OF_LABEL } from './convert.ts';
import type { ArchiveChunk, ArchiveLayout } from './format.ts';
import { fitColumns, GAP, padFraction, type Sized, type TableStyle } from './textTable.ts';
import { formatHeading, formatTime, NOTHING } from './words.ts';

interface ColumnStyle extends Sized {
  readonly head: string;
  /** Whether the head names the unit after the column: `avg km/h`. */
  readonly unitInHead?: boolean;
  readonly isText?: boolean;
  readonly write: (value: Json, isCalm: boolean) => string;
}

/**
 * How a table shows the service's columns. Pressure, deprecated and always null, is shown only if
 * `--columns` names it.
 */
const STYLES: Readonly<Record<string, ColumnStyle>> = {
  station: { head: 'station', width: 7, rank: 0, write: String },
  time: {
    head: 'time',
    unitInHead: true,
    width: 19,
    rank: 0,
    isText: true,
    write: (value) => formatTime(String(value)),
  },
  latitude: { head: 'latitude', width: 10, rank: 3, write: decimal(6) },
  longitude: { head: 'longitude', width: 11, rank: 3, write: decimal(6) },
  wind_speed_min: { head: 'lull', unitInHead: true, width: 6, rank: 2, write: decimal(2) },
  wind_speed_avg: { head: 'avg', unitInHead: true, width: 6, rank: 0, write: decimal(2) },
  wind_speed_max: { head: 'gust', unitInHead: true, width: 6, rank: 0, write: decimal(2) },
  wind_heading: { head: 'direction', width: 12, rank: 1, isText: true, write: writeHeading },
};

/**
 * How a table shows the columns of `--every`, including vane's own `readings` and `coverage`. In
 * other archives, columns of these names would be additions of the service.
 */
const STEP_STYLES: typeof STYLES = {
  ...STYLES,
  readings: { head: 'readings', width: 8, rank: 4, write: String },
  coverage: { head: 'coverage', width: 8, rank: 1, write: writeShare },
};

/** A coverage from 0 to 1 with two decimals, rounded down: only one without gaps is 1.00. */
function writeShare(value: Json): string {
  return typeof value === 'number' ? (Math.floor(value * 100 + 1e-9) / 100).toFixed(2) : NOTHING;
}

function writeHeading(value: Json, isCalm: boolean): string {
  if (isCalm) return 'calm';
  if (typeof value !== 'number') return NOTHING;
  // With `--every`, a mean direction may have any number of decimals.
  const degrees = Math.round(value * 10) / 10;
  return formatHeading(degrees === 360 && value < 360 ? 0 : degrees);
}

function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}

function decimal(places: number): (value: Json) => string {
  return (value) =>
    padFraction(typeof value === 'number' ? String(round(value, places)) : NOTHING, places + 1);
}

/**
 * Writes the rows of each chunk as soon as it arrives, since the widths of columns are fixed. A
 * table of one station has no columns for the position: a line `moved to …` tells of each move.
 */
export async function* renderArchive(
  chunks: AsyncIterable<ArchiveChunk>,
  { stationAt }: ArchiveLayout,
  { columns: limit, paintHead, write: writeText }: TableStyle,
): AsyncGenerator<string> {
  const join = (cells: readonly string[]): string => cells.join(GAP).trimEnd();
  let columns: ReturnType<typeof chooseColumns> | undefined;
  let position: string | undefined;
  for await (const chunk of chunks) {
    const { legend, units, rows, isSteps } = insertStation(chunk, stationAt);
    // With `--columns`, every column is shown, since the user named it.
    const isWhole = legend.length >= COLUMNS.length + (isSteps ? STEP_COLUMNS.length : 0);
    const isPositionHidden = isWhole && stationAt === undefined;
    if (columns === undefined) {
      const chosen = chooseColumns(
        { legend, units, isWhole, isPositionHidden, styles: isSteps ? STEP_STYLES : STYLES },
        writeText,
      );
      columns = fitColumns(chosen, limit);
      yield `${paintHead(join(columns.map(({ head }) => head)))}\n`;
    }
    const shown = columns;
    const isCalmRow = calmReader(legend, units);
    const lines = rows.readings.flatMap((row) => {
      const isCalm = isCalmRow(row);
      const line = join(shown.map(({ index, write }) => write(row[index] ?? null, isCalm)));
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
  /** Whether the archive has all columns of the service, as it has without `--columns`. */
  readonly isWhole: boolean;
  readonly isPositionHidden: boolean;
  readonly styles: typeof STYLES;
}

function chooseColumns(
  { legend, units, isWhole, isPositionHidden, styles }: Choice,
  writeText: (text: string) => string,
) {
  return legend.flatMap((name, index) => {
    if (name === 'pressure' && isWhole) return [];
    if ((name === 'latitude' || name === 'longitude') && isPositionHidden) return [];
    const known = Object.hasOwn(styles, name) ? styles[name] : undefined;
    const style = known ?? styleOfUnknown(name);
    const unit = units[index] === 'utc' ? 'UTC' : (units[index] ?? '');
    const head = writeText(printable(style.unitInHead ? `${style.head} ${unit}` : style.head));
    const offsetWidth = name === 'time' && units[index] !== 'utc' ? ' +02:00'.length : 0;
    const headingWidth = name === 'wind_heading' ? writeText(formatHeading(0)).length : 0;
    const width = Math.max(style.width + offsetWidth, headingWidth, head.length);
    const pad = (text: string): string =>
      style.isText ? text.padEnd(width) : text.padStart(width);
    const write = (value: Json, isCalm: boolean): string =>
      pad(writeText(style.write(value, isCalm)));
    return [{ index, head: pad(head), width, rank: style.rank, write }];
  });
}

function styleOfUnknown(name: string): ColumnStyle {
  const write = (value: Json): string =>
    value === null ? NOTHING : printable(typeof value === 'string' ? value : JSON.stringify(value));
  return { head: name, unitInHead: true, width: 10, rank: 4, write };
}
