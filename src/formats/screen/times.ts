import { formatDate } from '../../domain/dates.ts';
import { formatAge } from '../table/words.ts';

/** A moment as a clock on the wall shows it. */
export interface Clock {
  /** `14:03:12`. */
  readonly time: string;
  /** `UTC`, or an offset such as `+02:00`. */
  readonly zone: string;
}

/**
 * A moment's time of day in a zone.
 * @param ms since 1970
 * @param writeDate writes a date of the interface in the zone asked for
 */
export function readClock(ms: number, writeDate: (isoUtc: string) => string): Clock {
  const [, time = '', zone = ''] =
    /T([\d:]+).*?(Z|[+-][\d:]+)$/.exec(writeDate(formatDate(ms))) ?? [];
  return { time, zone: zone === 'Z' ? 'UTC' : zone };
}

const MINUTE_MS = 60_000;

/**
 * A length of time in the units that tell whether it matters: `45 s`, then minutes and seconds
 * (`4:05`) to ten minutes, then whole minutes, hours, days. Less than nothing is `0 s`.
 */
export function formatElapsed(ms: number): string {
  if (ms < MINUTE_MS || ms >= 10 * MINUTE_MS) return formatAge(ms);
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
