import { stringify } from 'csv-stringify/sync';
import type { RowDocument } from '../domain/document.ts';
import type { JsonObject } from '../domain/json.ts';
import type { SelectedStation } from '../domain/selection.ts';
import { STATION_FIELDS, STATION_PATHS, type StationPath } from '../domain/stationFields.ts';
import { printable, printableLines } from '../domain/text.ts';
import { SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import { UnexpectedResponseError } from '../errors.ts';
import { isObject } from '../wire/check.ts';
import { csvLayout, type TextLayout, txtLayout } from '../wire/csvAndTxt.ts';
import { describeArchive, writeArchiveRows, writtenColumns } from './archiveRows.ts';
import { convertStationWithUnitNames } from './convert.ts';
import { batchRows, flattenFields } from './flatRows.ts';
import type {
  ArchiveLayout,
  DocumentStyle,
  Format,
  FormatTraits,
  OutputPiece,
  RowFormat,
  StationChunk,
  StationList,
  ValueStyle,
  WatchRecord,
  WatchRecordFormat,
  WatchRecordStyle,
} from './format.ts';

type Value = null | boolean | number | string;
type WriteRows = (rows: readonly (readonly Value[])[], write?: (text: string) => string) => string;

const writeCsv: WriteRows = (rows, write = safeLine) =>
  stringify([...rows], { cast: { string: write, boolean: String } });

const writeTabs: WriteRows = (rows) =>
  stringify([...rows], {
    cast: { string: safeLine, boolean: String },
    delimiter: '\t',
    quote: false,
  });

/**
 * CSV (RFC 4180) with LF line ends. With `--header service`, an archive has the same bytes as the
 * service's csv. Records of `vane watch` have no line breaks in cells, for programs that read line
 * by line.
 */
export const csv: Format & RowFormat & WatchRecordFormat & FormatTraits = {
  meaning: 'comma-separated values; for an archive, what the service itself returns',
  carriesProvenance: ['archive'],
  hasHeader: true,
  stationHeaders: ['names'],
  rows: 'csv',
  *stations(list) {
    yield writeCsv(flattenStations(list), safeText);
  },
  archive: (chunks, layout) => layOutArchive(csvLayout, chunks, layout),
  document: (document, style) => delimit(document, style, writeCsv),
  head: (style) => writeCsv([recordNames(style)]),
  record: (record, style) => writeCsv([recordValues(record, style)]),
};

/**
 * Tab-separated values. With `--header service`, the default, an archive has the same bytes as the
 * service's txt.
 */
export const txt: Format & RowFormat & WatchRecordFormat & FormatTraits = {
  meaning: 'tab-separated values',
  endings: ['.txt', '.tsv'],
  carriesProvenance: ['archive'],
  hasHeader: true,
  stationHeaders: [],
  rows: 'tabs',
  *stations(list) {
    yield writeTabs(flattenStations(list));
  },
  archive: (chunks, layout) => layOutArchive(txtLayout, chunks, layout),
  document: (document, style) => delimit(document, style, writeTabs),
  head: (style) => writeTabs([recordNames(style)]),
  record: (record, style) => writeTabs([recordValues(record, style)]),
};

const LIVE_PATHS = STATION_PATHS.filter((path) => !STATION_FIELDS[path].isMeta);

/** Maximum number of columns for undocumented fields. More could fill the memory. */
const MAX_UNKNOWN_COLUMNS = 1000;

/**
 * Converts stations to rows, below a row of field paths such as `meta.name`. Fields that the
 * service documents always have a column; other fields follow, sorted by name.
 * @throws UnexpectedResponseError for more than {@link MAX_UNKNOWN_COLUMNS} other fields
 */
function flattenStations(list: StationList): Value[][] {
  const flat = list.stations.map((selected) => flattenStation(selected, list));
  const known = nameFields(list.withMeta ? STATION_PATHS : LIVE_PATHS, list.unit);
  const unknown = new Set(flat.flatMap((fields) => [...fields.keys()]));
  for (const name of known) unknown.delete(name);
  if (unknown.size > MAX_UNKNOWN_COLUMNS) {
    throw new UnexpectedResponseError(
      `The stations have ${unknown.size} unknown fields, but a file with columns has room for ${MAX_UNKNOWN_COLUMNS}; -f json writes them all.`,
    );
  }
  const names = [...known, ...[...unknown].sort()];
  return [names, ...flat.map((fields) => names.map((name) => fields.get(name) ?? null))];
}

/**
 * The column names for `vane watch`: those of `vane live`, then `event` and `condition` if an alert
 * is set.
 */
function recordNames({ unit, withEvents }: WatchRecordStyle): string[] {
  return [...nameFields(LIVE_PATHS, unit), ...(withEvents ? ['event', 'condition'] : [])];
}

/**
 * The values of a record, in the order of {@link recordNames}. Undocumented fields are left out,
 * since the column names are already written when such a field first appears.
 */
function recordValues(record: WatchRecord, style: WatchRecordStyle): Value[] {
  const fields = flattenStation(record, style);
  const values = nameFields(LIVE_PATHS, style.unit).map((name) => fields.get(name) ?? null);
  const { kind = null, condition = null } = record.event ?? {};
  return style.withEvents ? [...values, kind, condition] : values;
}

function nameFields(paths: readonly StationPath[], unit: SpeedUnit): string[] {
  const { suffix } = SPEED_UNITS[unit];
  return paths.map((path) => (STATION_FIELDS[path].kind === 'speed' ? path + suffix : path));
}

function flattenStation(selected: SelectedStation, style: ValueStyle): Map<string, Value> {
  return new Map(leaves(convertStationWithUnitNames(selected, style) as unknown as JsonObject));
}

function leaves(object: JsonObject, prefix = ''): [path: string, value: Value][] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    if (isObject(value)) return leaves(value, `${path}.`);
    return [[path, Array.isArray(value) ? JSON.stringify(value) : (value as Value)]];
  });
}

/** Writes the rows of a document below a row of field names. */
async function* delimit(
  { fields, rows, isNamedEmpty }: RowDocument,
  style: DocumentStyle,
  write: WriteRows,
): AsyncGenerator<string> {
  const { names, values } = flattenFields(fields, { ...style, isUnitInName: true, isText: true });
  let head = [names];
  for await (const station of rows()) {
    for (const batch of batchRows(station.rows)) {
      yield write([...head, ...batch.map((row) => values(row) as Value[])]);
      head = [];
    }
  }
  if (isNamedEmpty && head.length > 0) yield write(head);
}

/**
 * Matches a text that a spreadsheet would take for a formula (OWASP, "CSV Injection"), even after
 * blanks.
 */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Puts `'` before a text that a spreadsheet would take for a formula. */
function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Makes a text safe: it cannot be a formula and has no control characters except line breaks. */
export function safeText(text: string): string {
  return printableLines(withoutFormula(text)).join('\n');
}

/** Makes a text safe on one line: it cannot be a formula and has no control characters. */
export function safeLine(text: string): string {
  return printable(withoutFormula(text));
}

/**
 * Writes an archive: header lines, then the rows of each chunk. With `--header service`, it has the
 * same bytes as the service's response. Otherwise missing values are empty, since other programs
 * take `null` for text.
 */
async function* layOutArchive(
  layout: TextLayout,
  chunks: AsyncIterable<StationChunk>,
  archive: ArchiveLayout,
): AsyncGenerator<OutputPiece> {
  const { header } = archive;
  let isFirst = true;
  for await (const part of chunks) {
    const { head } = part.chunk;
    if (isFirst && header === 'service') yield layout.head(describeArchive(archive, head));
    if (isFirst && header === 'names') {
      yield layout.names(writtenColumns(archive, head).map(({ unitName }) => unitName));
    }
    isFirst = false;
    yield layout.rows(
      writeArchiveRows(part, archive),
      header !== 'service',
      archive.columns.length,
    );
  }
}
