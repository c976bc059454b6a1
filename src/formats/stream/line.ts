import { compassPoint, windArrow } from '../../domain/compass.ts';
import { pointAt } from '../../domain/condition/point.ts';
import { measurementAgeMs } from '../../domain/station.ts';
import { printable } from '../../domain/text.ts';
import { convertSpeed, isCalm, SPEED_UNITS } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { formatAge, orNothing } from '../table/words.ts';
import { gustFactorOf, trendOf } from './derived.ts';
import { PLACEHOLDERS, type Placeholder } from './names.ts';
import type { StreamFormat, StreamRecord, StreamStyle } from './stream.ts';

type Writer = (record: StreamRecord, style: StreamStyle) => string;

const speed =
  (name: 'avg' | 'max' | 'min'): Writer =>
  ({ station }, { unit }) =>
    orNothing(convertSpeed(station.measurements[`wind_speed_${name}`], unit));

const WRITERS = {
  id: ({ station }) => String(station.id),
  name: ({ station }) => orNothing(station.meta.name),
  avg: speed('avg'),
  gust: speed('max'),
  max: speed('max'),
  lull: speed('min'),
  min: speed('min'),
  unit: (_, { unit }) => SPEED_UNITS[unit].label,
  dir: ({ station }) => orNothing(station.measurements.wind_heading),
  point: (record) => (isCalm(avgOf(record)) ? 'calm' : writeHeading(record, compassPoint)),
  arrow: (record) => (isCalm(avgOf(record)) ? orNothing(null) : writeHeading(record, windArrow)),
  age({ station, now }) {
    const ageMs = measurementAgeMs(station, now);
    return ageMs === undefined ? orNothing(ageMs) : formatAge(ageMs);
  },
  time: (record, style) => orNothing(/T(\d\d:\d\d:\d\d)/.exec(dateOf(record, style) ?? '')?.[1]),
  date: (record, style) => orNothing(dateOf(record, style)),
  state: ({ station }) => orNothing(station.status.state),
  snr: ({ station }) => orNothing(station.status.snr),
  gust_factor: (record) => orNothing(gustFactorOf(record)?.toFixed(2)),
  trend: (record, { unit }) => orNothing(signed(trendOf(record, unit))),
  km: ({ distanceKm }) => orNothing(distanceKm?.toFixed(1)),
  event: ({ event }) => event?.kind ?? '',
  condition: ({ event }) => event?.condition ?? '',
} as const satisfies Record<Placeholder, Writer>;

const avgOf = ({ station }: StreamRecord): number | null => station.measurements.wind_speed_avg;

function writeHeading({ station }: StreamRecord, write: (headingDeg: number) => string): string {
  const headingDeg = station.measurements.wind_heading;
  return headingDeg === null ? orNothing(null) : write(headingDeg);
}

function dateOf({ station }: StreamRecord, { writeDate }: StreamStyle): string | undefined {
  const { date } = station.measurements;
  return date === null ? undefined : writeDate(date);
}

function signed(value: number | null): string | undefined {
  if (value === null) return undefined;
  const text = Math.abs(value).toFixed(1);
  return Number(text) === 0 ? text : `${value < 0 ? '-' : '+'}${text}`;
}

/** What a template is made of: text as it is, and the places of values. */
type Part = { readonly text: string } | { readonly value: Placeholder };

/**
 * Records as the user words them, for `--line '{name} {avg}{unit} {point} {age}'`. `{{` and `}}`
 * are braces, `\n` and `\t` what they are elsewhere. An event is written where the template names
 * `{event}` or `{condition}`, which are empty for a measurement.
 * @throws UsageError for an unknown placeholder, a brace without its other, and an empty template
 */
export function lineFormat(template: string): StreamFormat {
  const parts = parseLine(template);
  const tellsEvents = parts.some(
    (part) => 'value' in part && (part.value === 'event' || part.value === 'condition'),
  );
  return {
    head: () => '',
    record(record, style) {
      if (record.event !== undefined && !tellsEvents) return '';
      const texts = parts.map((part) =>
        'value' in part ? printable(WRITERS[part.value](record, style)) : part.text,
      );
      return `${texts.join('')}\n`;
    },
  };
}

/** Doubled braces, a name between braces, one brace, an escape, or text without any. */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|\\[nt]|[^{}\\]+|\\/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  '\\n': '\n',
  '\\t': '\t',
};

function parseLine(template: string): Part[] {
  if (template === '') throw new UsageError(`--line takes a template, not nothing. ${known()}`);
  return Array.from(template.matchAll(TOKEN), ({ 0: token, 1: name, index }): Part => {
    if (name !== undefined) {
      if (Object.hasOwn(WRITERS, name)) return { value: name as Placeholder };
      throw misplaced(`--line has no ${printable(token)}.`, template, index);
    }
    if (token === '{' || token === '}') {
      const problem = `--line has a ${token} without its other one`;
      throw misplaced(`${problem}; a brace itself is ${token}${token}.`, template, index);
    }
    return { text: ESCAPES[token] ?? printable(token) };
  });
}

function known(): string {
  const placeholders = PLACEHOLDERS.map((name) => `{${name}}`);
  return `Placeholders are ${placeholders.join(', ')}.`;
}

/** A sentence, and the place in the template that it is about. */
function misplaced(sentence: string, template: string, index: number): UsageError {
  return new UsageError(`${sentence} ${known()}`, pointAt(template, index));
}
