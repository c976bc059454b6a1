import { parseStationId } from '../domain/station.ts';
import { UsageError } from '../errors.ts';
import type { Batches, Values } from './batches.ts';
import { excerpt, faultAt, fileName } from './fault.ts';
import { type Layout, readNumber, readTime } from './fileLayout.ts';

export interface RowContext {
  readonly path: string;
  /** The station of a file without a column `station`; undefined if nothing names one. */
  readonly station: number | undefined;
  /** The time zone of dates that are written without an offset from UTC. */
  readonly zone: string;
  readonly batches: Batches;
}

/**
 * Reads one row, and adds its reading to those of its station.
 * @param line the line of the row, counted from 1
 * @throws UsageError that names the file, the line and the column
 */
export function takeRow(
  cells: readonly unknown[],
  { timeAt, stationAt, sources }: Layout,
  line: number,
  { path, station, zone, batches }: RowContext,
): void {
  const refuse = (name: string, expected: string, value: unknown): UsageError => {
    const found = value === undefined ? 'nothing' : excerpt(value);
    return faultAt(path, line, `${name}: expected ${expected}, not ${found}.`);
  };
  const written = stationAt === undefined ? station : parseStationId(String(cells[stationAt]));
  if (written === undefined) {
    if (stationAt !== undefined) throw refuse('station', 'an id such as 110', cells[stationAt]);
    throw new UsageError(
      `${fileName(path)} does not tell its station; name the station, as in 110 --from ${path}.`,
    );
  }
  const time = readTime(cells[timeAt], zone);
  if (Number.isNaN(time)) {
    throw refuse('time', 'a date such as 2024-05-01T12:00:00.000Z', cells[timeAt]);
  }
  const unknown = { windSpeedMin: NaN, windSpeedAvg: NaN, windSpeedMax: NaN, windHeading: NaN };
  const values: Values = { time, ...unknown };
  for (const { name, place, into, convert } of sources) {
    const number = readNumber(cells[place]);
    if (number === undefined) throw refuse(name, 'a number', cells[place]);
    values[into] = convert(number);
  }
  batches.add(written, values);
}
