import type { Archive, ArchiveHead } from '../domain/envelope.ts';
import type { Json } from '../domain/json.ts';
import { describePeriod, type Period } from '../domain/period.ts';
import { COLUMNS, type Reading } from '../domain/reading.ts';
import { Rows } from '../domain/rows.ts';
import { NotInterfaceError } from '../errors.ts';
import {
  array,
  decodeEnvelope,
  type Field,
  isWireDate,
  member,
  mismatch,
  string,
} from './check.ts';
import { NO_ROW, scanRows } from './scanRows.ts';

/** The `legend` and `units` of an archive without extra columns. */
export const LEGEND: readonly string[] = COLUMNS.map(({ name }) => name);
export const UNITS: readonly string[] = COLUMNS.map(({ unit }) => unit);

const PRESSURE = LEGEND.indexOf('pressure');

/**
 * Reads the JSON answer of `/archive/{id}`. Columns are found by their names in `legend`. The rows
 * have the eight columns of the interface first, then those that the service added.
 * @param period the period that was asked for, for messages
 * @throws NotInterfaceError that names the column, the row and the station
 */
export function decodeArchive(body: Buffer, id: number, period?: Period): Archive {
  const span = period === undefined ? '' : ` ${describePeriod(period)}`;
  const subject = `the archive of station ${id}${span}`;
  return scanArchive(body, subject) ?? arrangeArchive(decodeEnvelope(subject, body.toString()));
}

/** Writes the JSON answer of `/archive/{id}`. */
export function encodeArchive({ rows, ...head }: Archive): string {
  const inside = rows.lines.slice(0, -1).replaceAll('\n', '],[');
  return `${JSON.stringify(head).slice(0, -1)},"data":[${rows.count === 0 ? '' : `[${inside}]`}]}`;
}

/**
 * Reads an ordinary archive without parsing its rows, since an export as CSV writes their text
 * unchanged. To request CSV would save 3 % of the bytes, but CSV lacks `doc`, which an export as
 * JSON needs.
 * @returns undefined for an answer that {@link scanRows} or the checks here refuse
 */
function scanArchive(body: Buffer, subject: string): Archive | undefined {
  const scanned = scanRows(body);
  if (scanned === undefined) return undefined;
  try {
    const answer = decodeEnvelope(subject, scanned.frame);
    const data = array(member(answer, 'data'));
    const isTaken = data.length === 1 && data[0] === NO_ROW;
    const isInOrder =
      String(member(answer, 'legend').value) === String(LEGEND) &&
      String(member(answer, 'units').value) === String(UNITS);
    return isTaken && isInOrder ? { ...arrangeArchive(answer, []), rows: scanned.rows } : undefined;
  } catch {
    // Report no error here: the full decoder fails on this answer too, and its error names the
    // fault.
    return undefined;
  }
}

function arrangeArchive(answer: Field, rows = array(member(answer, 'data'))): Archive {
  const arranged = arrangeRows(
    answer.subject,
    strings(member(answer, 'legend')),
    strings(member(answer, 'units')),
    rows,
  );
  const { data: _, ...envelope } = answer.value as ArchiveHead & { data: unknown };
  return { ...envelope, ...arranged };
}

function strings(field: Field): readonly string[] {
  return array(field).map((value, index) => {
    string({ ...field, path: `${field.path}[${index}]`, value });
    return value as string;
  });
}

/**
 * Puts an archive's columns into the interface's order and checks every value.
 * @throws NotInterfaceError for a missing column, a wrong unit or a value of the wrong type
 */
export function arrangeRows(
  subject: string,
  legend: readonly string[],
  units: readonly string[],
  rows: readonly Json[],
): Pick<Archive, 'legend' | 'units' | 'rows'> {
  const order = columnOrder(subject, legend, units);
  const inOrder = order.every((from, to) => from === to) && legend.length >= LEGEND.length;
  const extra = order.slice(LEGEND.length);
  const readings = rows.map((row, index) => {
    if (!Array.isArray(row) || row.length !== legend.length) {
      const field = { subject, path: `data[${index}]`, value: row };
      throw mismatch(field, `a row of ${legend.length} values`);
    }
    const arranged = inOrder ? row : order.map((from) => (from === -1 ? null : row[from]));
    checkReading(subject, index, arranged);
    return arranged as unknown as Reading;
  });
  return {
    legend: [...LEGEND, ...extra.map((from) => legend[from] as string)],
    units: [...UNITS, ...extra.map((from) => units[from] as string)],
    rows: Rows.ofReadings(readings),
  };
}

/**
 * Most columns that an answer may have; the interface has eight. To compare all columns with each
 * other takes time that grows with the square of their number.
 */
const MOST_COLUMNS = 1000;

/**
 * The place in `legend` of each column of the interface, then the places of all other columns. The
 * pressure has −1 where its column is missing, or has another unit and so is another quantity.
 */
function columnOrder(
  subject: string,
  legend: readonly string[],
  units: readonly string[],
): readonly number[] {
  const fault = (legendFault: string): NotInterfaceError =>
    new NotInterfaceError(`In the answer for ${subject}, legend ${legendFault}.`);
  const count = legend.length;
  if (units.length !== count) throw fault(`names ${count} columns but units ${units.length}`);
  if (count > MOST_COLUMNS) throw fault(`names ${count} columns, more than ${MOST_COLUMNS}`);
  const known = COLUMNS.map(({ name, unit }) => {
    const place = legend.indexOf(name);
    const isDeprecated = name === 'pressure';
    if (place === -1 && !isDeprecated) throw fault(`has no column ${name}`);
    if (!isDeprecated && units[place] !== unit) {
      throw mismatch({ subject, path: `the unit of ${name}`, value: units[place] }, `“${unit}”`);
    }
    return place;
  });
  const others = [...legend.keys()].filter((place) => !known.includes(place));
  const isPressure = units[known[PRESSURE] as number] === UNITS[PRESSURE];
  return [...known.with(PRESSURE, isPressure ? (known[PRESSURE] as number) : -1), ...others];
}

function checkReading(subject: string, index: number, row: readonly Json[]): void {
  if (!isWireDate(row[0])) {
    const field = { subject, path: `time of row ${index + 1}`, value: row[0] };
    throw mismatch(field, 'a date such as 2024-05-01T12:00:00.000Z');
  }
  for (let column = 1; column <= PRESSURE; column++) {
    const value = row[column];
    if (value !== null && !Number.isFinite(value)) {
      const field = { subject, path: `${LEGEND[column]} of row ${index + 1} (${row[0]})`, value };
      throw mismatch(field, 'a number or null');
    }
  }
}
