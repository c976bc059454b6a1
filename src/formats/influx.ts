import { convertColumns } from '../domain/readings/columns.ts';
import { positionOf, type Station } from '../domain/station.ts';
import { STATION_FIELDS, STATION_PATHS } from '../domain/stationFields.ts';
import { printable } from '../domain/text.ts';
import { columnValues, writtenColumns } from './archiveRows.ts';
import { speedFieldName } from './convert.ts';
import {
  type ArchiveFormat,
  type FormatTraits,
  HEADER_CHOICES,
  type WatchRecordFormat,
  type WatchRecordStyle,
} from './format.ts';
import { readConvertedField } from './recordFields.ts';

type Value = ReturnType<typeof readConvertedField>;

const SERIES_PATHS = STATION_PATHS.filter((path) => STATION_FIELDS[path].isSeries);

/**
 * InfluxDB's line protocol
 * (https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/). Each measurement and
 * each event becomes a point at its own time. A record without any known field, or with an unknown
 * or unsupported time, becomes no point. Archives and live measurements use the same series, so a
 * measurement from both is stored once.
 */
export const influx: WatchRecordFormat & ArchiveFormat & FormatTraits = {
  meaning: 'line protocol of InfluxDB',
  endings: ['.lp', '.influx'],
  isSeries: true,
  stationHeaders: HEADER_CHOICES,

  async *archive(chunks, layout) {
    for await (const { station: id, name = '', chunk } of chunks) {
      const columns = convertColumns(chunk.columns, layout.unit);
      const fields = writtenColumns(layout, chunk.head).flatMap(({ name, unitName }) =>
        name === 'time' || name === 'station'
          ? []
          : [[unitName, columnValues(columns, name)] as const],
      );
      const points = Array.from(columns.time, (timeMs, row) => {
        const values = fields.map(([field, values]) => [field, values[row]] as const);
        return writePoint('wind', { id, name }, values, timeMs);
      });
      yield points.join('');
    }
  },

  head: () => '',

  record({ station, event }, style) {
    const fields = seriesFields(station, style);
    const tags = { id: station.id, name: station.meta.name };
    if (event === undefined) {
      return writePoint('wind', tags, fields, Date.parse(station.measurements.date ?? ''));
    }
    const { kind, condition, atMs } = event;
    const all = [['event', kind], ['condition', condition], ...fields] as const;
    return writePoint('wind_event', tags, all, atMs);
  },
};

function seriesFields(station: Station, style: WatchRecordStyle): [name: string, value: Value][] {
  const isLocated = positionOf(station) !== undefined;
  const paths = SERIES_PATHS.filter((path) => isLocated || !path.startsWith('location.'));
  return paths.map((path) => {
    const name = path.slice(path.indexOf('.') + 1);
    return [speedFieldName(name, style.unit), readConvertedField(station, path, style)];
  });
}

function writePoint(
  measurement: string,
  tags: { readonly id: number; readonly name: string },
  fields: readonly (readonly [name: string, value: Value])[],
  timeMs: number,
): string {
  const time = nanoseconds(timeMs);
  const members = fields.flatMap(([name, value]) => writeField(name, value));
  if (time === undefined || members.length === 0) return '';
  // InfluxDB refuses a tag without a value.
  const name = tags.name === '' ? '' : `,name=${escapeName(tags.name)}`;
  return `${measurement},station=${tags.id}${name} ${members.join(',')} ${time}\n`;
}

/**
 * Formats a time as nanoseconds since 1970 in digits, since a double cannot represent them exactly.
 * Undefined for an unknown time, and for one that exceeds 64 bits.
 */
function nanoseconds(timeMs: number): string | undefined {
  if (Number.isNaN(timeMs)) return undefined;
  const time = BigInt(Math.round(timeMs)) * 1_000_000n;
  return BigInt.asIntN(64, time) === time ? String(time) : undefined;
}

/**
 * Writes a text or number as a field of a point; nothing for other values. Numbers are floats, for
 * which the protocol allows an exponent.
 */
function writeField(name: string, value: Value): string[] {
  if (typeof value === 'string') {
    return [`${name}="${printable(value).replace(/["\\]/g, '\\$&')}"`];
  }
  return Number.isFinite(value) ? [`${name}=${value}`] : [];
}

/**
 * Escapes a text for the value of a tag or the name of a field. A backslash becomes a slash:
 * InfluxDB cannot read a backslash at the end (https://github.com/influxdata/telegraf/issues/7558),
 * and other readers take one elsewhere for an escape.
 */
function escapeName(text: string): string {
  return printable(text).replaceAll('\\', '/').replace(/[,= ]/g, '\\$&');
}
