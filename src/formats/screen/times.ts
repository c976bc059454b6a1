import { formatDate } from '../../domain/dates.ts';
import { formatAge } from '../table/words.ts';

/** Time of day with its zone. */
export interface Clock {
  /** `14:03:12`. */
  readonly time: string;
  /** `UTC`, or an offset such as `+02:00`. */
  readonly zone: string;
}

/**
 * Reads the time of day from a date.
 * @param ms since 1970
 * @param writeDate writes a date of the interface in the zone that the user chose
 */
export function readClock(ms: number, writeDate: (isoUtc: string) => string): Clock {
  const [, time = '', zone = ''] =
    /T([\d:]+).*?(Z|[+-][\d:]+)$/.exec(writeDate(formatDate(ms))) ?? [];
  return { time, zone: zone === 'Z' ? 'UTC' : zone };
}

const MINUTE_MS = 60_000;

/**
 * A length of time: `45 s` below a minute, minutes and seconds (`4:05`) below ten minutes, then
 * whole minutes, hours or days. A negative one is `0 s`.
 */
export function formatElapsed(ms: number): string {
  if (ms < MINUTE_MS || ms >= 10 * MINUTE_MS) return formatAge(ms);
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
