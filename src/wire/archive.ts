import type { Archive, ArchiveHead } from '../domain/envelope.ts';
import type { Json } from '../domain/json.ts';
import { describePeriod, type Period } from '../domain/period.ts';
import { SERVICE_COLUMNS } from '../domain/readings/archiveColumns.ts';
import { ArchiveLines } from '../domain/readings/lines.ts';
import { firstCharacters, quoteExcerpt } from '../domain/text.ts';
import { UnexpectedResponseError } from '../errors.ts';
import {
  checkArray,
  checkString,
  decodeEnvelope,
  isWireDate,
  memberField,
  mismatchError,
  type ResponseField,
} from './check.ts';
import { ROWS_PLACEHOLDER, scanRows } from './scanRows.ts';

/** The column names in responses. In `ARCHIVE_UNITS`, only the unit of the pressure may differ. */
export const ARCHIVE_LEGEND: readonly string[] = SERVICE_COLUMNS.map(({ name }) => name);
export const ARCHIVE_UNITS: readonly string[] = SERVICE_COLUMNS.map(({ unit }) => unit);

/** A row of an archive in JSON: eight values in the order of {@link ARCHIVE_LEGEND}. */
export type ArchiveRow = readonly [
  /** Time of the reading as `yyyy-MM-ddTHH:mm:ss.SSSZ`. */
  time: string,
  latitude: number | null,
  longitude: number | null,
  /** Lowest, mean and highest wind speed (lull, average and gust), km/h. */
  windSpeedMin: number | null,
  windSpeedAvg: number | null,
  windSpeedMax: number | null,
  /** Direction the wind comes from, degrees. */
  windHeading: number | null,
  pressure: number | null,
];

const PRESSURE = ARCHIVE_LEGEND.indexOf('pressure');

/** Called with the columns of a response that are not in the interface, such as `“rain” (mm)`. */
export type OnUnknownColumns = (columns: readonly string[]) => void;

/**
 * Decodes the JSON response of `/archive/{id}`. Columns are found by their names in `legend`. The
 * result has the eight columns of the interface: other columns are dropped, and a missing pressure
 * is null. The pressure keeps the unit of the response.
 * @param period the requested period, for errors
 * @param onUnknown called if columns are dropped
 * @throws UnexpectedResponseError that names the column, the row and the station
 */
export function decodeArchive(
  body: Buffer,
  id: number,
  period?: Period,
  onUnknown?: OnUnknownColumns,
): Archive {
  const span = period === undefined ? '' : ` ${describePeriod(period)}`;
  const subject = `the archive of station ${id}${span}`;
  const scanned = scanArchive(body, subject);
  return scanned ?? arrangeArchive(decodeEnvelope(subject, body.toString()), onUnknown);
}

/** Encodes the JSON response of `/archive/{id}`. */
export function encodeArchive({ rows, ...head }: Archive): string {
  const inside = rows.text.slice(0, -1).replaceAll('\n', '],[');
  return `${JSON.stringify(head).slice(0, -1)},"data":[${rows.count === 0 ? '' : `[${inside}]`}]}`;
}

/**
 * Decodes an ordinary archive without parsing its rows, since an export to CSV writes their text
 * unchanged. (A request for CSV would save only 3 % of the bytes, and CSV lacks `doc`, which an
 * export to JSON needs.)
 * @returns undefined for a response that {@link scanRows} or the checks here do not accept
 */
function scanArchive(body: Buffer, subject: string): Archive | undefined {
  const scanned = scanRows(body);
  if (scanned === undefined) return undefined;
  try {
    const response = decodeEnvelope(subject, scanned.frame);
    const data = checkArray(memberField(response, 'data'));
    const isTaken = data.length === 1 && data[0] === ROWS_PLACEHOLDER;
    const isInOrder = String(memberField(response, 'legend').value) === String(ARCHIVE_LEGEND);
    if (!isTaken || !isInOrder) return undefined;
    return { ...arrangeArchive(response, undefined, []), rows: scanned.rows };
  } catch {
    // Report no error here: the full decoder also fails on this response, and its error names the
    // fault.
    return undefined;
  }
}

function arrangeArchive(
  response: ResponseField,
  onUnknown?: OnUnknownColumns,
  rows = checkArray(memberField(response, 'data')),
): Archive {
  const legend = strings(memberField(response, 'legend'));
  const units = strings(memberField(response, 'units'));
  const arranged = arrangeArchiveRows(response.subject, legend, units, rows, onUnknown);
  const { data: _, ...envelope } = response.value as ArchiveHead & { data: unknown };
  return { ...envelope, ...arranged };
}

function strings(field: ResponseField): readonly string[] {
  return checkArray(field).map((value, index) => {
    checkString({ ...field, path: `${field.path}[${index}]`, value });
    return value as string;
  });
}

/**
 * Picks the columns of the interface from an archive, and checks every value.
 * @param onUnknown called if columns are dropped
 * @throws UnexpectedResponseError for a missing column, a wrong unit or a value of the wrong type
 */
export function arrangeArchiveRows(
  subject: string,
  legend: readonly string[],
  units: readonly string[],
  rows: readonly Json[],
  onUnknown: OnUnknownColumns = () => {},
): Pick<Archive, 'legend' | 'units' | 'rows'> {
  const places = findColumns(subject, legend, units);
  const isAsItCame = String(places) === String([...legend.keys()]);
  const readings = rows.map((row, index) => {
    if (!Array.isArray(row) || row.length !== legend.length) {
      const field = { subject, path: `data[${index}]`, value: row };
      throw mismatchError(field, `a row of ${legend.length} values`);
    }
    const reading = isAsItCame ? row : places.map((place) => row[place] ?? null);
    checkReading(subject, index, reading);
    return reading;
  });
  const unknown = [...legend.keys()].filter((place) => !places.includes(place));
  if (unknown.length > 0) {
    onUnknown(unknown.map((place) => describeColumn(legend[place] ?? '', units[place] ?? '')));
  }
  return {
    legend: ARCHIVE_LEGEND,
    units: ARCHIVE_UNITS.with(
      PRESSURE,
      units[places[PRESSURE] as number] ?? (ARCHIVE_UNITS[PRESSURE] as string),
    ),
    rows: ArchiveLines.ofRows(readings),
  };
}

/** The index in `legend` of each column of the interface; −1 if the pressure is missing. */
function findColumns(
  subject: string,
  legend: readonly string[],
  units: readonly string[],
): readonly number[] {
  const fault = (legendFault: string): UnexpectedResponseError =>
    new UnexpectedResponseError(`In the response for ${subject}, legend ${legendFault}.`);
  const count = legend.length;
  if (units.length !== count) throw fault(`names ${count} columns but units ${units.length}`);
  return SERVICE_COLUMNS.map(({ name, unit }) => {
    const place = legend.indexOf(name);
    if (name === 'pressure') return place;
    if (place === -1) throw fault(`has no column ${name}`);
    if (units[place] !== unit) {
      throw mismatchError(
        { subject, path: `the unit of ${name}`, value: units[place] },
        `“${unit}”`,
      );
    }
    return place;
  });
}

/** Maximum number of characters of a name or unit in messages. */
const MAX_SHOWN_LENGTH = 40;

/** Describes a column for a message: `“rain” (mm)`. */
function describeColumn(name: string, unit: string): string {
  const inUnit = unit === '' ? '' : ` (${firstCharacters(unit, MAX_SHOWN_LENGTH)})`;
  return quoteExcerpt(name, MAX_SHOWN_LENGTH) + inUnit;
}

function checkReading(subject: string, index: number, row: readonly Json[]): void {
  if (!isWireDate(row[0])) {
    const field = { subject, path: `time of row ${index + 1}`, value: row[0] };
    throw mismatchError(field, 'a date such as 2024-05-01T12:00:00.000Z');
  }
  for (let column = 1; column <= PRESSURE; column++) {
    const value = row[column];
    if (value !== null && !Number.isFinite(value)) {
      const field = {
        subject,
        path: `${ARCHIVE_LEGEND[column]} of row ${index + 1} (${row[0]})`,
        value,
      };
      throw mismatchError(field, 'a number or null');
    }
  }
}
