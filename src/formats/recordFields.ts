import { nearestCompassPoint, windArrow } from '../domain/compass.ts';
import { formatDate } from '../domain/dates.ts';
import { gustFactor } from '../domain/gustFactor.ts';
import { measurementAgeMs, type Station } from '../domain/station.ts';
import { readStationField, STATION_FIELDS, type StationPath } from '../domain/stationFields.ts';
import { printable } from '../domain/text.ts';
import {
  convertSpeed,
  convertSpeedExactly,
  isCalm,
  isForceScale,
  roundTo2Decimals,
  SPEED_UNITS,
} from '../domain/units.ts';
import type { AlertEventKind } from '../domain/watching/alert.ts';
import { trendKmhPerHour } from '../domain/watching/diagnostics.ts';
import type { ValueStyle, WatchRecord } from './format.ts';
import { formatAge, orMissingValueSign } from './humanReadable.ts';

type Value = boolean | number | string | null | undefined;

interface RecordField {
  /** Reads the value from a record; null or undefined if it is unknown. */
  readonly read: (record: WatchRecord, style: ValueStyle) => Value;
  /** Formats the value for `--line`. */
  readonly write: (record: WatchRecord, style: ValueStyle) => string;
  /** The environment variable with the value for a command of `--exec`; undefined for none. */
  readonly variable: string | undefined;
}

/**
 * Creates a field of a record of `vane watch`.
 * @param write formats a known value for people
 * @param unknown formats an unknown value for people
 */
function field<V extends Value>(
  variable: string | undefined,
  read: (record: WatchRecord, style: ValueStyle) => V | null | undefined,
  write: (value: V) => string = (value) => orMissingValueSign(String(value)),
  unknown: (record: WatchRecord) => string = () => orMissingValueSign(null),
): RecordField {
  return {
    variable,
    read,
    write(record, style) {
      const value = read(record, style);
      return value === null || value === undefined ? unknown(record) : write(value);
    },
  };
}

/** Reads a field of a station. Speeds and dates are in the chosen unit and zone. */
export function readConvertedField(
  station: Station,
  path: StationPath,
  { unit, writeDate }: ValueStyle,
): Value {
  const value = readStationField(station, path);
  const { kind } = STATION_FIELDS[path];
  if (kind === 'speed' && typeof value === 'number') return convertSpeed(value, unit);
  return kind === 'date' && typeof value === 'string' ? writeDate(value) : value;
}

const stationField = (variable: string | undefined, path: StationPath): RecordField =>
  field(variable, (record, style) => readConvertedField(record.station, path, style));

const isCalmRecord = ({ station }: WatchRecord): boolean =>
  isCalm(station.measurements.wind_speed_avg);

/** The direction the wind comes from, degrees; null if the air is calm. */
const headingOf = (record: WatchRecord): number | null =>
  isCalmRecord(record) ? null : record.station.measurements.wind_heading;

function mapKnown<V, W>(value: V | null | undefined, map: (value: V) => W): W | undefined {
  return value === null || value === undefined ? undefined : map(value);
}

function timeOf({ station }: WatchRecord, { writeDate }: ValueStyle): string | undefined {
  return mapKnown(station.measurements.date, writeDate)?.match(/T(\d\d:\d\d:\d\d)/)?.[1];
}

/**
 * The values of a record of `vane watch`, by their names in a template of `--line`. Those with a
 * variable are also available to a command of `--exec`.
 */
// biome-ignore format: one line a field
export const RECORD_FIELDS = {
  id: stationField('VANE_STATION', 'id'),
  name: stationField('VANE_NAME', 'meta.name'),
  avg: stationField('VANE_AVG', 'measurements.wind_speed_avg'),
  gust: stationField('VANE_GUST', 'measurements.wind_speed_max'),
  lull: stationField('VANE_LULL', 'measurements.wind_speed_min'),
  unit: field('VANE_UNIT', (_, { unit }) => SPEED_UNITS[unit].label),
  dir: stationField('VANE_DIR', 'measurements.wind_heading'),
  point: field('VANE_POINT', (record) => mapKnown(headingOf(record), nearestCompassPoint), String, (record) => isCalmRecord(record) ? 'calm' : orMissingValueSign(null)),
  arrow: field(undefined, (record) => mapKnown(headingOf(record), windArrow)),
  wind: field(undefined, windOf),
  age: field('VANE_AGE', ageSeconds, (seconds) => formatAge(seconds * 1000)),
  time: field(undefined, timeOf),
  date: stationField('VANE_DATE', 'measurements.date'),
  state: stationField('VANE_STATE', 'status.state'),
  snr: stationField(undefined, 'status.snr'),
  gust_factor: field('VANE_GUST_FACTOR', gustFactorOf, (factor) => factor.toFixed(2)),
  trend: field('VANE_TREND', trendOf, withSign),
  km: field(undefined, ({ distanceKm }) => distanceKm, (km) => km.toFixed(1)),
  event: field('VANE_EVENT', ({ event }) => event?.kind, String, () => ''),
  condition: field('VANE_CONDITION', ({ event }) => event?.condition, String, () => ''),
  since: field(undefined, sinceOf, String, () => ''),
  attribution: field('VANE_ATTRIBUTION', ({ credit }) => credit?.attribution),
  license: field('VANE_LICENSE', ({ credit }) => credit?.license),
} as const satisfies Record<string, RecordField>;

export type RecordPlaceholder = keyof typeof RECORD_FIELDS;

export const RECORD_PLACEHOLDERS = Object.keys(RECORD_FIELDS) as RecordPlaceholder[];

/** Names from version 1.0, which still work but are not documented. */
const FORMER_PLACEHOLDERS: ReadonlyMap<string, RecordPlaceholder> = new Map<
  string,
  RecordPlaceholder
>([
  // File names use {station}.
  ['station', 'id'],
  ['max', 'gust'],
  ['min', 'lull'],
]);
const FORMER_VARIABLES = { VANE_MAX: 'gust', VANE_MIN: 'lull' } as const;

/** The placeholder for a word between braces; undefined for an unknown word. */
export function findPlaceholder(word: string): RecordPlaceholder | undefined {
  return RECORD_PLACEHOLDERS.find((name) => name === word) ?? FORMER_PLACEHOLDERS.get(word);
}

/** Converts a record to environment variables for a command. Unknown values are empty. */
export function recordVariables(record: WatchRecord, style: ValueStyle): Record<string, string> {
  const names = [
    ...RECORD_PLACEHOLDERS.map((name) => [RECORD_FIELDS[name].variable, name] as const),
    ...Object.entries(FORMER_VARIABLES),
  ];
  return Object.fromEntries(
    names.flatMap(([variable, name]) =>
      variable ? [[variable, String(RECORD_FIELDS[name].read(record, style) ?? '')]] : [],
    ),
  );
}

/** The wind as a person would say it: `17 kn SW`, or `calm`. Speeds are whole numbers. */
function windOf(record: WatchRecord, { unit }: ValueStyle): string | undefined {
  if (isCalmRecord(record)) return 'calm';
  const speed = convertSpeedExactly(record.station.measurements.wind_speed_avg, unit);
  const words = mapKnown(speed, (known) => `${Math.round(known)} ${SPEED_UNITS[unit].label}`);
  const point = mapKnown(headingOf(record), nearestCompassPoint);
  return words && point ? `${words} ${point}` : words;
}

/** The words for each event: alone, and before the time at which it began. */
export const EVENT_WORDS: Readonly<Record<AlertEventKind, { word: string; since: string }>> = {
  true: { word: 'started', since: 'right' },
  false: { word: 'ended', since: 'no longer right' },
  stale: { word: 'no data', since: 'no data' },
};

/**
 * Since when an event has lasted: `right since 14:10`. The date is added if it began on another
 * day.
 */
function sinceOf({ event, now }: WatchRecord, { writeDate }: ValueStyle): string | undefined {
  if (event === undefined) return undefined;
  const words = EVENT_WORDS[event.kind].since;
  if (event.sinceMs === undefined) return words;
  const [since, today] = [event.sinceMs, now].map((ms) => writeDate(formatDate(ms))) as [
    string,
    string,
  ];
  const day = since.slice(0, 10);
  const clock = since.slice(11, 16);
  return `${words} since ${today.startsWith(day) ? clock : `${day} ${clock}`}`;
}

/** The age of a measurement in whole seconds; 0 if its date is in the future. */
function ageSeconds({ station, now }: WatchRecord): number | undefined {
  const ageMs = measurementAgeMs(station, now);
  return mapKnown(ageMs, (ms) => Math.max(0, Math.floor(ms / 1000)));
}

function gustFactorOf({ station: { measurements } }: WatchRecord): number | undefined {
  const { wind_speed_avg: avgKmh, wind_speed_max: maxKmh } = measurements;
  return mapKnown(gustFactor({ avgKmh, maxKmh }), roundTo2Decimals);
}

/** The change of the average per hour; undefined in Beaufort, whose forces have unequal widths. */
function trendOf({ samples }: WatchRecord, { unit }: ValueStyle): number | undefined {
  if (isForceScale(unit)) return undefined;
  return mapKnown(convertSpeed(trendKmhPerHour(samples), unit), roundTo2Decimals);
}

function withSign(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return Number(text) === 0 ? text : `${value < 0 ? '-' : '+'}${text}`;
}

/** Formats a value of a record for people, on one line and without control characters. */
export const formatRecordValue = (
  name: RecordPlaceholder,
  record: WatchRecord,
  style: ValueStyle,
): string => printable(RECORD_FIELDS[name].write(record, style));
