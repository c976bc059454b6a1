import { nearestCompassPoint } from '../domain/compass.ts';
import { formatDate, HOUR_MS } from '../domain/dates.ts';
import type { ValueKind, ValueWriter } from '../domain/document.ts';
import { printable } from '../domain/text.ts';
import { convertSpeedExactly, isForceScale } from '../domain/units.ts';
import type { ValueStyle } from './format.ts';
import {
  formatDirection,
  formatLength,
  formatShare,
  formatTime,
  MISSING_VALUE_SIGN,
} from './humanReadable.ts';

/**
 * By how much clocks change for daylight saving time: an hour, or half an hour on Lord Howe Island.
 */
const TURNS_MS = [HOUR_MS, -HOUR_MS, HOUR_MS / 2, -HOUR_MS / 2];

/** The kinds of values that tables align at decimal points. */
export const NUMERIC_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>([
  'speed',
  'spread',
  'limit',
  'share',
  'count',
  'tenths',
  'hundredths',
  'whole',
]);

/**
 * Creates a formatter of values for people. Speeds have one decimal, as WMO-No. 8 requires;
 * Beaufort forces have none. Null is a missing value, undefined an empty cell.
 */
export function createValueWriter({ unit, writeDate }: ValueStyle): ValueWriter {
  const isForce = isForceScale(unit);
  const decimals = (digits: number) => (value: number) => value.toFixed(digits);
  const speed = (kmh: number): string =>
    decimals(isForce ? 0 : 1)(convertSpeedExactly(kmh, unit) as number);
  const time = (ms: number): string => formatTime(writeDate(formatDate(ms)));
  const clock = (ms: number): string => time(ms).slice(0, 'yyyy-mm-dd hh:mm'.length);
  const minute = (ms: number): string => {
    const isTwice = TURNS_MS.some((turn) => clock(ms + turn) === clock(ms));
    return clock(ms) + (isTwice ? time(ms).slice(20).replace(/:00$/, '') : '');
  };
  const writers = {
    plain: String,
    text: printable,
    speed,
    spread: (kmh: number) => (isForce ? MISSING_VALUE_SIGN : speed(kmh)),
    limit: speed,
    time,
    minute,
    clock,
    day: (ms: number) => clock(ms).slice(0, 'yyyy-mm-dd'.length),
    length: formatLength,
    share: (share: number) => formatShare(share),
    count: (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 }),
    tenths: decimals(1),
    hundredths: decimals(2),
    whole: decimals(0),
    direction: formatDirection,
    point: nearestCompassPoint,
  } satisfies Record<ValueKind, (value: never) => string>;
  return (kind, value) => {
    if (value === undefined || value === null) return value === null ? MISSING_VALUE_SIGN : '';
    return writers[kind](value as never);
  };
}
