import {
  looksLikeDate,
  normalizeTypedDate,
  parseDateIn,
  parseDuration,
  startOfDay,
  subtractDuration,
  type ZonedDate,
} from './dates.ts';
import { DAYS_AGO_BY_WORD, type Period, relativeStart } from './period.ts';

/** The start or stop of a period is invalid, or the stop is before the start. */
export class PeriodError extends Error {
  readonly fault: 'start' | 'stop' | 'order';
  /** Whether the text is a date that does not exist, such as 31 April. */
  readonly isImpossible: boolean;

  constructor(fault: PeriodError['fault'], text = '') {
    super(`wrong period: ${fault}`);
    this.fault = fault;
    this.isImpossible = looksLikeDate(normalizeTypedDate(text));
  }
}

/** The earliest start that is valid in every zone, for a period with only a stop. */
export const EARLIEST_START = '0000-01-01T00:00Z';

interface PeriodOptions {
  /** The current time, milliseconds since 1970. */
  readonly now: number;
  /** The time zone of dates without an offset. */
  readonly zone: string;
  /**
   * Whether to accept the additional forms of the command line: `2024-5-1 9:30`, `today`,
   * `yesterday`, and as a start a duration before the stop such as `3d`.
   */
  readonly isTyped?: boolean;
}

interface Moment extends ZonedDate {
  /** Whether the moment depends on the current time. */
  readonly isRelative: boolean;
}

/**
 * Reads the start and stop of a period. A start is a date of the service, or a word for a period
 * that ends now (`last-day`). A stop is a date or `now`. {@link PeriodOptions.isTyped} adds more
 * forms.
 * @throws PeriodError for any other text, an impossible date, or a stop before the start
 */
export function readPeriod(start: string, stop: string, options: PeriodOptions) {
  const to = stop === 'now' ? relative(options.now) : readMoment(stop, options);
  if (to === undefined) throw new PeriodError('stop', stop);
  const from = readMoment(start, options) ?? readRelative(start, to, options);
  if (from === undefined) throw new PeriodError('start', start);
  if (from.ms > to.ms) throw new PeriodError('order');
  const moments = [
    { at: 'stop', ...to },
    { at: 'start', ...from },
  ] as const;
  const period: Period = { start: from.ms, stop: to.ms };
  return {
    period,
    /**
     * Whether the start depends on the current time, so that the same text means a later start
     * tomorrow.
     */
    isStartRelative: from.isRelative,
    /** The dates that daylight saving time skips or repeats in the zone. */
    shifted: moments.filter(({ shift }) => shift !== undefined),
  };
}

const relative = (ms: number): Moment => ({ ms, shift: undefined, isRelative: true });

/** Reads a date, or a word for a day such as `today`. */
function readMoment(text: string, { now, zone, isTyped }: PeriodOptions): Moment | undefined {
  const daysAgo = isTyped ? DAYS_AGO_BY_WORD.get(text.toLowerCase()) : undefined;
  if (daysAgo !== undefined) return relative(startOfDay(now, zone, daysAgo));
  const date = parseDateIn(isTyped ? normalizeTypedDate(text) : text, zone);
  return date && { ...date, isRelative: false };
}

/** Reads a start relative to now or to the stop. */
function readRelative(
  text: string,
  stop: Moment,
  { now, zone, isTyped }: PeriodOptions,
): Moment | undefined {
  const ms = relativeStart(text, now, isTyped);
  if (ms !== undefined) return relative(ms);
  const duration = isTyped ? parseDuration(text) : undefined;
  return (
    duration && {
      ...relative(subtractDuration(stop.ms, duration, zone)),
      isRelative: stop.isRelative,
    }
  );
}
