import { compassPoint, windArrow } from '../domain/compass.ts';
import { measurementAgeMs, type Station } from '../domain/station.ts';
import { readField, STATION_FIELDS, type StationPath } from '../domain/stationFields.ts';
import { pointAt, printable } from '../domain/text.ts';
import { convertSpeed, isCalm, isForceScale, round2, SPEED_UNITS } from '../domain/units.ts';
import { gustFactor, trendKmhPerHour } from '../domain/watching/diagnostics.ts';
import { UsageError } from '../errors.ts';
import type { StreamFormat, StreamRecord, StreamStyle, ValueStyle } from './format.ts';
import { formatAge, orNothing } from './forPeople.ts';

type Value = boolean | number | string | null | undefined;

interface RecordField {
  /** Reads the value from a record; null or undefined if it is unknown. */
  readonly read: (record: StreamRecord, style: StreamStyle) => Value;
  /** The text that `--line` writes for a field. */
  readonly write: (record: StreamRecord, style: StreamStyle) => string;
  /** Environment variable that gives the value to a command of `--exec`; undefined for none. */
  readonly variable: string | undefined;
}

/**
 * Describes a field of a record of `vane watch`.
 * @param write gives the text for people of a known value
 * @param unknown gives the text for people if the value is unknown
 */
function field<V extends Value>(
  variable: string | undefined,
  read: (record: StreamRecord, style: StreamStyle) => V | null | undefined,
  write: (value: V) => string = (value) => orNothing(String(value)),
  unknown: (record: StreamRecord) => string = () => orNothing(null),
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

/** Reads a field of a station, a speed or date in the unit or zone that the user chose. */
export function readStyled(
  station: Station,
  path: StationPath,
  { unit, writeDate }: ValueStyle,
): Value {
  const value = readField(station, path);
  const { kind } = STATION_FIELDS[path];
  if (kind === 'speed' && typeof value === 'number') return convertSpeed(value, unit);
  return kind === 'date' && typeof value === 'string' ? writeDate(value) : value;
}

const stationField = (variable: string | undefined, path: StationPath): RecordField =>
  field(variable, (record, style) => readStyled(record.station, path, style));

const isCalmRecord = ({ station }: StreamRecord): boolean =>
  isCalm(station.measurements.wind_speed_avg);

/** The direction that the wind comes from, in degrees; null in calm air, which has none. */
const headingOf = (record: StreamRecord): number | null =>
  isCalmRecord(record) ? null : record.station.measurements.wind_heading;

function mapKnown<V, W>(value: V | null | undefined, map: (value: V) => W): W | undefined {
  return value === null || value === undefined ? undefined : map(value);
}

function timeOf({ station }: StreamRecord, { writeDate }: StreamStyle): string | undefined {
  return mapKnown(station.measurements.date, writeDate)?.match(/T(\d\d:\d\d:\d\d)/)?.[1];
}

/**
 * The values that a record of `vane watch` offers, by their names in a template of `--line`. Those
 * with a variable are also given to a command of `--exec`.
 */
// biome-ignore format: one line a field
export const RECORD_FIELDS = {
  id: stationField('VANE_STATION', 'id'),
  name: stationField('VANE_NAME', 'meta.name'),
  avg: stationField('VANE_AVG', 'measurements.wind_speed_avg'),
  gust: stationField(undefined, 'measurements.wind_speed_max'),
  max: stationField('VANE_MAX', 'measurements.wind_speed_max'),
  lull: stationField(undefined, 'measurements.wind_speed_min'),
  min: stationField('VANE_MIN', 'measurements.wind_speed_min'),
  unit: field('VANE_UNIT', (_, { unit }) => SPEED_UNITS[unit].label),
  dir: stationField('VANE_DIR', 'measurements.wind_heading'),
  point: field('VANE_POINT', (record) => mapKnown(headingOf(record), compassPoint), String, (record) => isCalmRecord(record) ? 'calm' : orNothing(null)),
  arrow: field(undefined, (record) => mapKnown(headingOf(record), windArrow)),
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
} as const satisfies Record<string, RecordField>;

export type Placeholder = keyof typeof RECORD_FIELDS;

export const PLACEHOLDERS = Object.keys(RECORD_FIELDS) as Placeholder[];

/** The names of the environment variables that a command of `--exec` gets. */
export const RECORD_VARIABLES = PLACEHOLDERS.flatMap((name) => RECORD_FIELDS[name].variable ?? []);

/** A record as the environment variables of a command; an unknown value is empty. */
export function recordVariables(record: StreamRecord, style: StreamStyle): Record<string, string> {
  return Object.fromEntries(
    Object.values(RECORD_FIELDS).flatMap(({ variable, read }) =>
      variable === undefined ? [] : [[variable, String(read(record, style) ?? '')]],
    ),
  );
}

/** The age of a measurement in whole seconds; 0 if its date lies in the future. */
function ageSeconds({ station, now }: StreamRecord): number | undefined {
  const ageMs = measurementAgeMs(station, now);
  return mapKnown(ageMs, (ms) => Math.max(0, Math.floor(ms / 1000)));
}

function gustFactorOf({ station: { measurements } }: StreamRecord): number | undefined {
  const { wind_speed_avg: avgKmh, wind_speed_max: maxKmh } = measurements;
  return mapKnown(gustFactor({ avgKmh, maxKmh }), round2);
}

/**
 * Change of the average per hour; undefined in Beaufort, whose forces have unequal widths.
 */
function trendOf({ samples }: StreamRecord, { unit }: StreamStyle): number | undefined {
  if (isForceScale(unit)) return undefined;
  return mapKnown(convertSpeed(trendKmhPerHour(samples), unit), round2);
}

function withSign(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return Number(text) === 0 ? text : `${value < 0 ? '-' : '+'}${text}`;
}

/** A part of a template: fixed text, or a placeholder that a value replaces. */
type Part = { readonly text: string } | { readonly value: Placeholder };

/**
 * A template as a function that fills in its placeholders; `write` gives the text for each
 * placeholder.
 */
export type Template = (write: (name: Placeholder) => string) => string;

/**
 * The format of `--line`: each record by a template of the user, such as `{name} {avg}{unit}`. An
 * event is written only if the template has `{event}` or `{condition}`, which are empty for a
 * measurement.
 * @throws UsageError for the same templates as {@link readTemplate}
 */
export function lineFormat(template: string): StreamFormat {
  const fill = readTemplate('--line', template);
  let tellsEvents = false;
  fill((name) => {
    tellsEvents ||= name === 'event' || name === 'condition';
    return '';
  });
  return {
    head: () => '',
    record(record, style) {
      if (record.event !== undefined && !tellsEvents) return '';
      return `${fill((name) => valueText(name, record, style))}\n`;
    },
  };
}

/** A value of a record for people, on one line and without control characters. */
export const valueText = (name: Placeholder, record: StreamRecord, style: StreamStyle): string =>
  printable(RECORD_FIELDS[name].write(record, style));

/**
 * A token of a template: a doubled brace, a name between braces, a single brace, an escape such as
 * `\n`, or plain text.
 */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|\\[nt]|[^{}\\]+|\\/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  '\\n': '\n',
  '\\t': '\t',
};

/**
 * Reads a template with placeholders such as `{name}`. `{{` and `}}` stand for single braces, `\n`
 * for a line break and `\t` for a tab.
 * @param option the option that takes the template, such as `--line`, for messages
 * @param isSecret leaves the template itself out of messages
 * @throws UsageError for an unknown placeholder, an unmatched brace, and an empty template
 */
export function readTemplate(option: string, template: string, isSecret = false): Template {
  if (template === '')
    throw new UsageError(`${option} takes a template, not nothing. ${listPlaceholders()}`);
  const fail = (sentence: string, index: number): UsageError =>
    new UsageError(
      `${sentence} ${listPlaceholders()}`,
      isSecret ? undefined : pointAt(template, index),
    );
  const parts = Array.from(template.matchAll(TOKEN), ({ 0: token, 1: name, index }): Part => {
    if (name !== undefined) {
      // File names say {station}.
      if (name === 'station') return { value: 'id' };
      if (Object.hasOwn(RECORD_FIELDS, name)) return { value: name as Placeholder };
      throw fail(`${option} has no ${printable(token)}.`, index);
    }
    if (token === '{' || token === '}') {
      const problem = `${option} has a ${token} without its other one`;
      throw fail(`${problem}; a brace itself is ${token}${token}.`, index);
    }
    return { text: ESCAPES[token] ?? printable(token) };
  });
  return (write) => parts.map((part) => ('value' in part ? write(part.value) : part.text)).join('');
}

function listPlaceholders(): string {
  const placeholders = PLACEHOLDERS.map((name) => `{${name}}`);
  return `Placeholders are ${placeholders.join(', ')}.`;
}
