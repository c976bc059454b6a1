import { formatDate } from '../domain/dates.ts';
import type { DocumentRow, RowDocument, StationTitle } from '../domain/document.ts';
import type { Period } from '../domain/period.ts';
import { positionOf } from '../domain/station.ts';
import { SPEED_FIELD_NAMES } from '../domain/stationFields.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import {
  cellWriters,
  describeArchive,
  joinCellsOfRows,
  writeArchiveRows,
  writtenColumns,
} from './archiveRows.ts';
import { convertStation, convertStationWithUnitNames } from './convert.ts';
import { batchRows, flattenFields, speedFields } from './flatRows.ts';
import {
  type DocumentStyle,
  type Format,
  type FormatTraits,
  HEADER_CHOICES,
  type RowFormat,
  type StationFormat,
  type ValueStyle,
  type WatchRecord,
  type WatchRecordFormat,
} from './format.ts';
import { RECORD_FIELDS } from './recordFields.ts';

/**
 * Matches characters that affect a terminal but that JSON.stringify does not escape: DEL and C1
 * controls, line separators, and marks that reorder text.
 */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters in JSON, for example as `\u009b`, so that they cannot affect a
 * terminal. Parsers read the same values.
 */
export function escapeControls(json: string): string {
  return json.replace(
    LEFT_BY_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * One JSON document with the structure of the service's responses: license and attribution, then
 * all stations, or the rows of all chunks.
 */
export const json: Format & RowFormat & FormatTraits = {
  meaning: 'one document, as the service sends it',
  carriesProvenance: ['stations', 'archive', 'rows'],
  stationHeaders: [],
  namesStations: true,

  *stations(list) {
    const stations = list.stations.map((selected) => convertStation(selected, list));
    const envelope = {
      ...list.provenance,
      // Name the unit unless it is km/h. The service's live responses name no unit, so readers
      // expect km/h.
      ...(list.unit !== 'kmh' && {
        units: Object.fromEntries(
          SPEED_FIELD_NAMES.map((name) => [name, SPEED_UNITS[list.unit].label]),
        ),
      }),
      data: list.isSingle ? stations[0] : stations,
    };
    yield `${escapeControls(JSON.stringify(envelope, null, 2))}\n`;
  },

  async *archive(chunks, layout) {
    let isFirstRow = true;
    let isFirstChunk = true;
    for await (const part of chunks) {
      const { head, count } = part.chunk;
      const envelope = JSON.stringify(describeArchive(layout, head));
      if (isFirstChunk) yield `${escapeControls(envelope).slice(0, -1)},"data":[`;
      isFirstChunk = false;
      if (count === 0) continue;
      const lines = writeArchiveRows(part, layout)
        .toString()
        .slice(0, -1)
        .replaceAll('\n', '],\n[');
      yield `${isFirstRow ? '' : ','}\n[${lines}]`;
      isFirstRow = false;
    }
    yield isFirstRow ? ']}\n' : '\n]}\n';
  },

  document: (document, style) =>
    document.isIndented ? indentedDocument(document, style) : lineDocument(document, style),
};

/** Values for programs, without units in names. */
const PLAIN = { isUnitInName: false, isText: false };

/** Writes a document with one line per row, which begins before the last row is known. */
async function* lineDocument(
  { fields, rows, speeds, provenance }: RowDocument,
  style: DocumentStyle,
): AsyncGenerator<string> {
  const { label } = SPEED_UNITS[style.unit];
  const inUnit = speeds ? Object.keys(speeds) : speedFields(fields);
  const units = Object.fromEntries(inUnit.map((name) => [name, label]));
  const objectOf = objectsOf(fields, { ...style, ...PLAIN });
  const head = (): string => {
    const { doc, license, attribution } = provenance();
    return `${writeJson({ doc, license, attribution, units, ...speeds }).slice(0, -1)},"data":[`;
  };
  const stations: object[] = [];
  const whole = { start: Number.POSITIVE_INFINITY, stop: Number.NEGATIVE_INFINITY };
  let separator = '';
  for await (const station of rows()) {
    for (const batch of batchRows(station.rows)) {
      yield `${separator || head()}\n${batch.map((row) => writeJson(objectOf(row))).join(',\n')}`;
      separator = ',';
    }
    stations.push(describeStation(station, style));
    whole.start = Math.min(whole.start, station.period.start);
    whole.stop = Math.max(whole.stop, station.period.stop);
  }
  if (separator === '') yield head();
  // The stations and their periods are only known after the last one.
  const period = stations.length > 0 ? writePeriod(whole, style) : null;
  yield `\n],${writeJson({ period, stations }).slice(1)}\n`;
}

async function* indentedDocument(
  { fields, rows, provenance }: RowDocument,
  style: DocumentStyle,
): AsyncGenerator<string> {
  const objectOf = objectsOf(fields, { ...style, ...PLAIN });
  const data: object[] = [];
  const stations: object[] = [];
  for await (const station of rows()) {
    for (const row of station.rows) data.push(objectOf(row));
    stations.push(describeStation(station, style));
  }
  const { doc, license, attribution } = provenance();
  const envelope = { doc, license, attribution, data, stations };
  yield `${escapeControls(JSON.stringify(envelope, null, 2))}\n`;
}

/** Creates a function that converts a row to an object. */
function objectsOf(...args: Parameters<typeof flattenFields>): (row: DocumentRow) => object {
  const { names, values } = flattenFields(...args);
  return (row) => {
    const known = values(row);
    return Object.fromEntries(names.map((name, place) => [name, known[place]]));
  };
}

const describeStation = ({ station, name, period }: StationTitle, style: ValueStyle) => ({
  station,
  name: name ?? null,
  ...writePeriod(period, style),
});

function writePeriod({ start, stop }: Period, { writeDate }: Pick<ValueStyle, 'writeDate'>) {
  return { start: writeDate(formatDate(start)), stop: writeDate(formatDate(stop)) };
}

/**
 * One JSON object per line: a station as the service describes it, a reading with its station's id,
 * or an event of an alert with its station.
 */
export const ndjson: Format & RowFormat & WatchRecordFormat & FormatTraits = {
  meaning: 'one object per line',
  endings: ['.ndjson', '.jsonl'],
  stationHeaders: HEADER_CHOICES,
  rows: 'json',

  *stations(list) {
    for (const selected of list.stations)
      yield jsonLine(convertStationWithUnitNames(selected, list));
  },

  async *archive(chunks, { columns: chosen, ...style }) {
    // Each object begins with its station, whatever columns are chosen.
    const layout = { ...style, columns: chosen.filter((name) => name !== 'station') };
    for await (const { station, chunk } of chunks) {
      if (chunk.count === 0) continue;
      const names = writtenColumns(layout, chunk.head).map(({ unitName }) => unitName);
      const cells = cellWriters(station, chunk.columns, layout).map((write, place) => {
        const before = place === 0 ? `{"station":${station},` : ',';
        return [`${before}"${names[place]}":`, write] as const;
      });
      yield joinCellsOfRows(chunk.count, cells, '}\n');
    }
  },

  async *document({ fields, rows }, style) {
    const objectOf = objectsOf(fields, { ...style, isUnitInName: true, isText: false });
    for await (const station of rows()) {
      for (const batch of batchRows(station.rows)) {
        yield batch.map((row) => jsonLine(objectOf(row))).join('');
      }
    }
  },

  head: () => '',

  record: (record, style) => jsonLine(recordObject(record, style)),
};

/** Converts a record of `vane watch` to the object that ndjson writes. */
function recordObject(record: WatchRecord, style: ValueStyle): object {
  const station = convertStationWithUnitNames(record, style);
  const { event } = record;
  if (event === undefined) return station;
  const { age, gust_factor, trend } = RECORD_FIELDS;
  return {
    event: event.kind,
    condition: event.condition,
    date: style.writeDate(formatDate(event.atMs)),
    age_s: age.read(record, style) ?? null,
    gust_factor: gust_factor.read(record, style) ?? null,
    [`trend${SPEED_UNITS[style.unit].suffix}`]: trend.read(record, style) ?? null,
    station,
  };
}

/** Writes a record as a self-contained JSON object, including license and attribution. */
export const writeRecordWithCredit = (record: WatchRecord, style: ValueStyle): string =>
  writeJson({ ...recordObject(record, style), ...record.credit });

/** Writes JSON, and escapes characters that affect a terminal. */
export const writeJson = (value: object): string => escapeControls(JSON.stringify(value));

const jsonLine = (value: object): string => `${writeJson(value)}\n`;

/**
 * Stations as a GeoJSON FeatureCollection of points (RFC 7946). Longitude comes first, a station
 * without a position has the geometry null, and license and attribution are foreign members of the
 * collection (section 6.1).
 */
export const geojson: StationFormat & FormatTraits = {
  meaning: 'a FeatureCollection (RFC 7946)',
  carriesProvenance: ['stations'],

  *stations(list) {
    const lines = list.stations.map((selected) => {
      const position = positionOf(selected.station);
      const { id, ...properties } = convertStationWithUnitNames(selected, list);
      const geometry = position
        ? { type: 'Point', coordinates: [position.longitude, position.latitude] }
        : null;
      return JSON.stringify({ type: 'Feature', id, geometry, properties });
    });
    const { license, attribution } = list.provenance;
    const head = JSON.stringify({ type: 'FeatureCollection', license, attribution });
    yield escapeControls(`${head.slice(0, -1)},"features":[\n${lines.join(',\n')}\n]}\n`);
  },
};
