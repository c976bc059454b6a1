import { compassPoint, windArrow } from '../../domain/compass.ts';

/** Stands for a missing value. */
export const NOTHING = '–';

const UNITS_OF_AGE: readonly [name: string, ms: number][] = [
  ['y', 365.25 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** An age in its largest whole unit: `45 s`, `12 min`, `5 h`, `30 d`, `4 y`. A future date is `0 s`. */
export function formatAge(ageMs: number): string {
  const [name, ms] = UNITS_OF_AGE.find(([, unitMs]) => ageMs >= unitMs) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ageMs / ms))} ${name}`;
}

/** A heading as arrow, point and degrees the wind comes from: `↓ N     0°`. */
export function formatHeading(headingDeg: number): string {
  const point = compassPoint(headingDeg).padEnd(3);
  return `${windArrow(headingDeg)} ${point} ${String(headingDeg).padStart(5)}°`;
}

/** A value, or {@link NOTHING} for a missing or empty one. */
export function orNothing(value: number | string | null | undefined): string {
  return value === null || value === undefined || value === '' ? NOTHING : String(value);
}

/** Length of a number's fraction with its point: 3 for `12.25`, 0 for `12`. */
export function fractionLength(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point;
}

/** A number followed by blanks, so that the decimal points of a column stand one above the other. */
export function padFraction(text: string, length: number): string {
  return text + ' '.repeat(Math.max(0, length - fractionLength(text)));
}
