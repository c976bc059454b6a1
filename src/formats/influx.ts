import { positionOf, type Station } from '../domain/station.ts';
import { STATION_FIELDS, STATION_PATHS } from '../domain/stationFields.ts';
import { printable } from '../domain/text.ts';
import { speedName } from './convert.ts';
import type { StreamFormat, StreamStyle } from './format.ts';
import { readStyled } from './recordFields.ts';

type Value = ReturnType<typeof readStyled>;

const SERIES_PATHS = STATION_PATHS.filter((path) => STATION_FIELDS[path].isSeries);

/**
 * InfluxDB's line protocol: a point a measurement at its own time, and one an event at the time
 * of that (https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/). A record
 * without a field or a time that the protocol can say is no point.
 */
export const influx: StreamFormat = {
  head: () => '',

  record({ station, event }, style) {
    const fields = seriesFields(station, style);
    if (event === undefined) {
      return writePoint('wind', station, fields, Date.parse(station.measurements.date ?? ''));
    }
    const { kind, condition, atMs } = event;
    return writePoint('wind_event', station, { event: kind, condition, ...fields }, atMs);
  },
};

function seriesFields(station: Station, style: StreamStyle): Record<string, Value> {
  const isLocated = positionOf(station) !== undefined;
  const paths = SERIES_PATHS.filter((path) => isLocated || !path.startsWith('location.'));
  return Object.fromEntries(
    paths.map((path) => {
      const name = path.slice(path.indexOf('.') + 1);
      return [speedName(name, style.unit), readStyled(station, path, style)];
    }),
  );
}

function writePoint(
  measurement: string,
  { id, meta }: Station,
  fields: Readonly<Record<string, Value>>,
  timeMs: number,
): string {
  const time = nanoseconds(timeMs);
  const members = Object.entries(fields).flatMap(([name, value]) => writeField(name, value));
  if (time === undefined || members.length === 0) return '';
  const name = escapeTag(meta.name);
  // A tag without a value is refused.
  const tags = name === '' ? '' : `,name=${name}`;
  return `${measurement},station=${id}${tags} ${members.join(',')} ${time}\n`;
}

/** Nanoseconds since 1970 as text: no double holds them. Undefined where 64 bits do not either. */
function nanoseconds(timeMs: number): string | undefined {
  if (Number.isNaN(timeMs)) return undefined;
  const time = BigInt(Math.round(timeMs)) * 1_000_000n;
  return BigInt.asIntN(64, time) === time ? String(time) : undefined;
}

/** A number is a float here, for which the protocol takes an exponent too. */
function writeField(name: string, value: Value): string[] {
  if (typeof value === 'string') {
    return [`${name}="${printable(value).replace(/["\\]/g, '\\$&')}"`];
  }
  return Number.isFinite(value) ? [`${name}=${value}`] : [];
}

/**
 * Text as the value of a tag. A backslash becomes a slash: InfluxDB cannot read one at the end
 * (https://github.com/influxdata/telegraf/issues/7558), and elsewhere it is itself to InfluxDB
 * but half of a pair to other readers of the protocol.
 */
function escapeTag(text: string): string {
  return printable(text).replaceAll('\\', '/').replace(/[,= ]/g, '\\$&');
}
