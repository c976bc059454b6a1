import { formatDate } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { positionOf } from '../domain/station.ts';
import { SPEED_NAMES } from '../domain/stationFields.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import {
  archiveLines,
  cellWriters,
  describeArchive,
  writeRows,
  writtenColumns,
} from './archiveRows.ts';
import { checkRows } from './checkRows.ts';
import { convertAndNameStation, convertStation } from './convert.ts';
import {
  type CheckFormat,
  type Format,
  type FormatTraits,
  HEADERS,
  type StationFormat,
  type StatisticsFormat,
  type StreamFormat,
  type StreamRecord,
  type ValueStyle,
} from './format.ts';
import { RECORD_FIELDS } from './recordFields.ts';
import { flatRows, speedFields } from './statisticsFields.ts';

/**
 * Characters that act on a terminal, but that JSON.stringify leaves as they are: DEL and C1
 * controls, line separators, and marks that reorder text.
 */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters in JSON as `\u009b`, so that they do not act on a terminal. A parser
 * reads the same values.
 */
export function escapeControls(json: string): string {
  return json.replace(
    LEFT_BY_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * One JSON document, built like the service's responses: license and source, then all stations, or
 * the rows of all chunks.
 */
export const json: Format & StatisticsFormat & CheckFormat & FormatTraits = {
  meaning: 'one document, as the service sends it',
  carriesProvenance: ['stations', 'archive', 'statistics', 'checks'],
  stationHeaders: [],
  namesStations: true,

  *stations(list) {
    const stations = list.stations.map((selected) => convertStation(selected, list));
    const envelope = {
      ...list.provenance,
      // Name the unit unless it is km/h: live responses of the service name none, so a reader would
      // expect km/h.
      ...(list.unit !== 'kmh' && {
        units: Object.fromEntries(SPEED_NAMES.map((name) => [name, SPEED_UNITS[list.unit].label])),
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
      const lines = archiveLines(part, layout).toString().slice(0, -1).replaceAll('\n', '],\n[');
      yield `${isFirstRow ? '' : ','}\n[${lines}]`;
      isFirstRow = false;
    }
    yield isFirstRow ? ']}\n' : '\n]}\n';
  },

  async *statistics(list) {
    const { unit, classes } = list;
    const { label } = SPEED_UNITS[unit];
    const units = Object.fromEntries(speedFields(list).map((name) => [name, label]));
    const write = (value: object): string => escapeControls(JSON.stringify(value));
    const head = (): string => {
      const { doc, license, attribution } = list.provenance();
      const known = { doc, license, attribution, units, classes: classes?.lowest };
      return `${write(known).slice(0, -1)},"data":[`;
    };
    const stations: object[] = [];
    const whole = { start: Number.POSITIVE_INFINITY, stop: Number.NEGATIVE_INFINITY };
    let separator = '';
    for await (const statistics of list.stations) {
      const { station, name = null, period } = statistics;
      for (const rows of flatRows(statistics, list, { isUnitInName: false, isText: false })) {
        yield `${separator || head()}\n${rows.map(write).join(',\n')}`;
        separator = ',';
      }
      stations.push({ station, name, ...writePeriod(period, list) });
      whole.start = Math.min(whole.start, period.start);
      whole.stop = Math.max(whole.stop, period.stop);
    }
    if (separator === '') yield head();
    // The stations and their periods are only known once all have come.
    const period = stations.length > 0 ? writePeriod(whole, list) : null;
    yield `\n],${write({ period, stations }).slice(1)}\n`;
  },

  *checks(list) {
    const { doc, license, attribution } = list.provenance;
    const stations = list.stations.map(({ station, name = null, period }) => {
      return { station, name, ...writePeriod(period, list) };
    });
    const envelope = { doc, license, attribution, data: checkRows(list), stations };
    yield `${escapeControls(JSON.stringify(envelope, null, 2))}\n`;
  },
};

function writePeriod({ start, stop }: Period, { writeDate }: Pick<ValueStyle, 'writeDate'>) {
  return { start: writeDate(formatDate(start)), stop: writeDate(formatDate(stop)) };
}

/**
 * One JSON object on each line: a station as the service describes it, a reading with the id of its
 * station, or an event of an alert that contains its station.
 */
export const ndjson: Format & StatisticsFormat & CheckFormat & StreamFormat & FormatTraits = {
  meaning: 'one object per line',
  endings: ['.ndjson', '.jsonl'],
  stationHeaders: HEADERS,
  rows: 'json',

  *stations(list) {
    for (const selected of list.stations) yield jsonLine(convertAndNameStation(selected, list));
  },

  async *archive(chunks, { columns: chosen, ...style }) {
    // Each object begins with its station, whatever the columns.
    const layout = { ...style, columns: chosen.filter((name) => name !== 'station') };
    for await (const { station, chunk } of chunks) {
      if (chunk.count === 0) continue;
      const names = writtenColumns(layout, chunk.head).map(({ unitName }) => unitName);
      const cells = cellWriters(station, chunk.columns, layout).map((write, place) => {
        const before = place === 0 ? `{"station":${station},` : ',';
        return [`${before}"${names[place]}":`, write] as const;
      });
      yield writeRows(chunk.count, cells, '}\n');
    }
  },

  async *statistics(list) {
    for await (const station of list.stations) {
      for (const rows of flatRows(station, list, { isUnitInName: true, isText: false })) {
        yield rows.map(jsonLine).join('');
      }
    }
  },

  *checks(list) {
    yield checkRows(list).map(jsonLine).join('');
  },

  head: () => '',

  record: (record, style) => jsonLine(recordObject(record, style)),
};

/** A record of `vane watch` as the object that ndjson has on a line. */
function recordObject(record: StreamRecord, style: ValueStyle): object {
  const station = convertAndNameStation(record, style);
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

/** A record as one object that has license and attribution too, for a message by itself. */
export const writeCredited = (record: StreamRecord, style: ValueStyle): string =>
  writeJson({ ...recordObject(record, style), ...record.credit });

/** JSON in which characters that act on a terminal are escaped. */
export const writeJson = (value: object): string => escapeControls(JSON.stringify(value));

const jsonLine = (value: object): string => `${writeJson(value)}\n`;

/**
 * Stations as a GeoJSON FeatureCollection of points (RFC 7946): longitude comes first, a station
 * without a position has the geometry null, and the terms of use are foreign members of the
 * collection (section 6.1).
 */
export const geojson: StationFormat & FormatTraits = {
  meaning: 'a FeatureCollection (RFC 7946)',
  carriesProvenance: ['stations'],

  *stations(list) {
    const lines = list.stations.map((selected) => {
      const position = positionOf(selected.station);
      const { id, ...properties } = convertAndNameStation(selected, list);
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
