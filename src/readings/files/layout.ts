import { INTERVAL_COLUMNS, SERVICE_COLUMNS } from '../../domain/readings/archiveColumns.ts';
import { joinAlternatives } from '../../domain/text.ts';
import { LINEAR_UNIT_NAMES, SPEED_UNITS, type SpeedUnit, speedInKmh } from '../../domain/units.ts';
import { describeFile, fileErrorAtLine, quoteFileValue } from './fault.ts';
import type { TableOptions } from './table.ts';

/** A column of a file with wind speeds, wind directions or positions. */
export interface ValueColumn {
  readonly name: string;
  /** The index of the column in the file. */
  readonly place: number;
  /** The index of the value among {@link SERVICE_COLUMNS}. */
  readonly into: number;
  readonly unit: SpeedUnit | undefined;
  /** Converts a value to km/h; undefined if the file is in km/h or degrees. */
  readonly convert: ((value: number) => number) | undefined;
}

/** The columns of a file by their indexes. */
export interface FileLayout {
  readonly timeAt: number;
  /** The index of the column `station`; undefined without one. */
  readonly stationAt: number | undefined;
  readonly sources: readonly ValueColumn[];
  /** The common unit of all speeds; undefined for km/h and for several units. */
  readonly writtenIn: SpeedUnit | undefined;
  /** The number of columns. */
  readonly cells: number;
}

/** The columns to read. The pressure is left out, since it is no longer measured. */
const VALUE_COLUMNS = SERVICE_COLUMNS.flatMap(({ name, unit }, into) =>
  name === 'time' || name === 'pressure' ? [] : [{ name, unit, into }],
);

const POSITION: readonly string[] = ['latitude', 'longitude'];

const LABELS = joinAlternatives(LINEAR_UNIT_NAMES.map((unit) => SPEED_UNITS[unit].label));

/**
 * Finds the columns of a file by their names. Prints a note if its rows combine intervals of
 * `--every`.
 * @param units the labels of the units by column; undefined if units are part of the names
 * @param line the line with the column names, for errors; undefined for Parquet
 * @throws UsageError that says what is wrong
 */
export function findFileLayout(
  written: readonly string[],
  units: readonly string[] | undefined,
  line: number | undefined,
  { path, hasPositions, note }: Pick<TableOptions, 'path' | 'hasPositions' | 'note'>,
): FileLayout {
  const names = written.map(fullColumnName);
  const timeAt = names.indexOf('time');
  if (timeAt === -1) {
    throw fileErrorAtLine(
      path,
      line,
      'there is no column “time”; --from reads what vane archive wrote.',
    );
  }
  const sources: ValueColumn[] = [];
  for (const { name, unit, into } of VALUE_COLUMNS) {
    if (!hasPositions && POSITION.includes(name)) continue;
    const found = unit === 'km/h' ? findSpeed(name, names, units) : findDegrees(name, names);
    if (typeof found === 'string') throw fileErrorAtLine(path, line, found);
    if (found) sources.push({ ...found, into });
  }
  if (!sources.some(({ name }) => name.startsWith('wind'))) {
    throw fileErrorAtLine(path, line, 'there is no wind column, such as wind_speed_avg.');
  }
  if (INTERVAL_COLUMNS.some(({ name }) => names.includes(name))) {
    note(
      `${describeFile(path)} was written with --every, so each row counts as one reading. Export without --every to use the readings themselves.`,
    );
  }
  const stationAt = names.indexOf('station');
  const [unit, ...others] = new Set(sources.flatMap((source) => source.unit ?? []));
  return {
    timeAt,
    stationAt: stationAt === -1 ? undefined : stationAt,
    sources,
    writtenIn: unit === 'kmh' || others.length > 0 ? undefined : unit,
    cells: names.length,
  };
}

/**
 * Expands a short column name, in upper or lower case, to the full one: `Avg_kn` becomes
 * `wind_speed_avg_kn`.
 */
export function fullColumnName(written: string): string {
  const name = written.trim().toLowerCase();
  const column = SERVICE_COLUMNS.find(
    ({ short }) => name === short || name.startsWith(`${short}_`),
  );
  return column ? column.name + name.slice(column.short.length) : name;
}

/** Finds a column in degrees. Its name never contains a unit. */
function findDegrees(
  name: string,
  names: readonly string[],
): Omit<ValueColumn, 'into'> | undefined {
  const place = names.indexOf(name);
  return place === -1 ? undefined : { name, place, unit: undefined, convert: undefined };
}

/**
 * Finds a column of speeds, whose name may end with a unit, as in `wind_speed_avg_kn`.
 * @returns undefined without such a column; a sentence that says why its unit is refused
 */
function findSpeed(
  column: string,
  names: readonly string[],
  units: readonly string[] | undefined,
): Omit<ValueColumn, 'into'> | string | undefined {
  for (const { suffix, label } of Object.values(SPEED_UNITS)) {
    const name = column + suffix;
    const place = names.indexOf(name);
    if (place === -1) continue;
    const written = units?.[place] ?? label;
    const unit = LINEAR_UNIT_NAMES.find((one) => SPEED_UNITS[one].label === written);
    if (unit === undefined) {
      const reason =
        written === SPEED_UNITS.bft.label ? ': a Beaufort force is a range of speeds' : '';
      return `${name} is in ${quoteFileValue(written)}${reason}. Write the file again in ${LABELS}.`;
    }
    return { name, place, unit, convert: unit === 'kmh' ? undefined : converter(unit) };
  }
  return undefined;
}

/** Maximum number of conversion results to remember. */
const MAX_REMEMBERED = 10_000;

/**
 * Creates a conversion of speeds to km/h. It remembers results, since speeds with two decimals
 * often repeat.
 */
function converter(unit: SpeedUnit): (speed: number) => number {
  const results = new Map<number, number>();
  return (speed) => {
    const known = results.get(speed);
    if (known !== undefined) return known;
    const speedKmh = speedInKmh(speed, unit) as number;
    if (results.size < MAX_REMEMBERED) results.set(speed, speedKmh);
    return speedKmh;
  };
}
