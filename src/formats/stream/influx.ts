import { positionOf, type Station } from '../../domain/station.ts';
import { printable } from '../../domain/text.ts';
import { convertSpeed, type SpeedUnit } from '../../domain/units.ts';
import { SPEED_FIELDS, speedName } from '../convert.ts';
import type { StreamFormat } from './stream.ts';

type Value = number | string | null | undefined;

/**
 * InfluxDB's line protocol: a point a measurement at its own time, and one an event at the time
 * of that (https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/). A record
 * without a field or a time that the protocol can say is no point.
 */
export const influx: StreamFormat = {
  head: () => '',

  record({ station, event }, { unit }) {
    const fields = stationFields(station, unit);
    if (event === undefined) {
      return writePoint('wind', station, fields, Date.parse(station.measurements.date ?? ''));
    }
    const { kind, condition, atMs } = event;
    return writePoint('wind_event', station, { event: kind, condition, ...fields }, atMs);
  },
};

function stationFields(station: Station, unit: SpeedUnit): Record<string, Value> {
  const { measurements, status } = station;
  const position = positionOf(station);
  const speeds = SPEED_FIELDS.map((name) => [
    speedName(name, unit),
    convertSpeed(measurements[name], unit),
  ]);
  return {
    latitude: position?.latitude,
    longitude: position?.longitude,
    ...Object.fromEntries(speeds),
    wind_heading: measurements.wind_heading,
    pressure: measurements.pressure,
    snr: status.snr,
    state: status.state,
  };
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
