import { createRequire } from 'node:module';
import type * as luxon from 'luxon';

let loaded: typeof luxon | undefined;

/** Loads the library luxon at first use, since most commands do not need it. */
export function loadLuxon(): typeof luxon {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('luxon') as typeof luxon;
    // Set a fixed locale: vane formats nothing by locale, and luxon takes 20 ms to find the
    // system's.
    loaded.Settings.defaultLocale = 'en-US';
  }
  return loaded;
}

const DATE_FORM =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?)?)?)?$/;

/** vane supports the years 0000 to 9999, since the service writes years with four digits. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses a date in the forms of the service: `yyyy` to `yyyy-MM-ddTHH:mm:ss.SSS`. With minutes,
 * `Z`, `+hhmm` or `+hh:mm` may follow. Missing parts get their lowest value, and the default zone
 * is UTC. Months and days may have one digit, since existing clients send that.
 * @returns milliseconds since 1970; undefined for other text and for impossible dates
 */
export function parseDate(text: string): number | undefined {
  const parts = DATE_FORM.exec(text);
  if (parts === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = parts;
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts.slice(7);
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const utc = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour}:${minute}:${second}.${milliseconds}Z`;
  const localMs = Date.parse(utc);
  // Date.parse reads 31 April as 1 May. Formatting the result again reveals this.
  if (Number.isNaN(localMs) || formatDate(localMs) !== utc) return undefined;
  const offsetMs = MINUTE_MS * (60 * Number(offsetHours) + Number(offsetMinutes));
  const ms = sign === '-' ? localMs + offsetMs : localMs - offsetMs;
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined;
}

/**
 * Converts a date as people type it to the form of {@link parseDate}: `2024-5-1 9:30 +02:00`
 * becomes `2024-05-01T09:30+02:00`. Other text is returned unchanged.
 */
export function normalizeTypedDate(text: string): string {
  return text
    .trim()
    .replace(/^([\d-]+) +(?=\d)/, '$1T')
    .replace(/^([\dT:.-]+) +(Z|[+-][\d:]+)$/, '$1$2')
    .replace(/(?<=^[\d-]{0,10}[-T])\d(?!\d)/g, '0$&');
}

/** A date that was read in the local time of a zone. */
export interface ZonedDate {
  /** The moment of the date, milliseconds since 1970. */
  readonly ms: number;
  /** Whether daylight saving time skips the local time (`gap`) or repeats it (`repeat`). */
  readonly shift: 'gap' | 'repeat' | undefined;
}

/**
 * Parses a date as {@link parseDate} does, but in the local time of `zone` if it has no offset. If
 * daylight saving time skips or repeats that local time, luxon chooses the moment.
 * @returns undefined for text that parseDate refuses, and for moments outside the years 0000 to
 *   9999
 */
export function parseDateIn(text: string, zone: string): ZonedDate | undefined {
  const wallMs = parseDate(text);
  if (wallMs === undefined) return undefined;
  const hasOffset = /T[^T]*(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  if (hasOffset || zone === 'utc') return { ms: wallMs, shift: undefined };
  const wall = loadLuxon().DateTime.fromMillis(wallMs, { zone: 'utc' });
  const date = wall.setZone(zone, { keepLocalTime: true });
  const ms = date.toMillis();
  if (ms < FIRST_MS || ms > LAST_MS) return undefined;
  const isSkipped = date.setZone('utc', { keepLocalTime: true }).toMillis() !== wallMs;
  const isRepeated = date.getPossibleOffsets().length > 1;
  return { ms, shift: isSkipped ? 'gap' : isRepeated ? 'repeat' : undefined };
}

/**
 * The start of today in a time zone, or of the day `daysAgo` days earlier, milliseconds since 1970.
 */
export function startOfDay(now: number, zone: string, daysAgo = 0): number {
  const { DateTime } = loadLuxon();
  return DateTime.fromMillis(now, { zone }).minus({ days: daysAgo }).startOf('day').toMillis();
}

/** Formats a date as the service does: `yyyy-MM-ddTHH:mm:ss.SSSZ`. */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString();
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds of a day in UTC, ignoring leap seconds. */
export const DAY_MS = 24 * HOUR_MS;

const SHORT_DURATION =
  /^(?:(\d{1,15})(?:y|yrs?|years?))?(?:(\d{1,15})(?:mo|months?))?(?:(\d{1,15})(?:w|wks?|weeks?))?(?:(\d{1,15})(?:d|days?))?(?:(\d{1,15})(?:h|hrs?|hours?))?(?:(\d{1,15})(?:m|mins?|minutes?))?(?:(\d{1,15})(?:s|secs?|seconds?))?(?:(\d{1,15})ms)?$/;

/**
 * Milliseconds of each unit of a short duration such as `1d12h`, largest unit first. As in luxon, a
 * month has 30 days and a year 365.
 */
const SHORT_UNITS = {
  years: 365 * DAY_MS,
  months: 30 * DAY_MS,
  weeks: 7 * DAY_MS,
  days: DAY_MS,
  hours: HOUR_MS,
  minutes: MINUTE_MS,
  seconds: 1000,
  milliseconds: 1,
};
const SHORT_NAMES = Object.keys(SHORT_UNITS) as (keyof typeof SHORT_UNITS)[];

/**
 * Parses a duration: `500ms`, `30s`, `45m`, `12h`, `3d`, `2w`, `1mo`, `1y`, longer spellings such
 * as `7days`, combinations with the largest unit first (`1d12h`), or ISO 8601 (`P1M`, `PT90M`). `m`
 * and `min` mean minutes.
 * @returns undefined for other text, a duration of 0, and one over 10,000 years
 */
export function parseDuration(text: string): luxon.Duration | undefined {
  const short = shortDuration(text);
  if (short === undefined && !text.startsWith('P')) return undefined;
  const { Duration } = loadLuxon();
  const duration = short ? Duration.fromObject(short) : Duration.fromISO(text);
  return duration.isValid && isInRange(duration.toMillis()) ? duration : undefined;
}

/**
 * Parses a duration as {@link parseDuration} does, with 30 days in a month and 365 in a year.
 * @returns milliseconds; undefined for other text
 */
export function parseDurationMs(text: string): number | undefined {
  const short = shortDuration(text);
  if (short === undefined) return parseDuration(text)?.toMillis();
  const ms = SHORT_NAMES.reduce((sum, unit) => sum + SHORT_UNITS[unit] * short[unit], 0);
  return isInRange(ms) ? ms : undefined;
}

function shortDuration(text: string): Record<keyof typeof SHORT_UNITS, number> | undefined {
  const [, ...counts] = SHORT_DURATION.exec(text) ?? [];
  if (counts.length === 0) return undefined;
  const entries = SHORT_NAMES.map((unit, index) => [unit, Number(counts[index] ?? 0)]);
  return Object.fromEntries(entries);
}

const isInRange = (ms: number): boolean => ms > 0 && ms <= LAST_MS - FIRST_MS;

/**
 * Subtracts a duration in the calendar of a zone: one month before 31 March is the last day of
 * February. The result is never before the year 0000.
 */
export function subtractDuration(ms: number, duration: luxon.Duration, zone = 'utc'): number {
  return Math.max(
    FIRST_MS,
    loadLuxon().DateTime.fromMillis(ms, { zone }).minus(duration).toMillis(),
  );
}

/**
 * Finds the name of a zone given as `utc`, `local`, an IANA time zone or `UTC+2`; undefined for
 * other text.
 */
export function parseZone(text: string): string | undefined {
  if (text.toLowerCase() === 'utc') return 'UTC';
  const date = loadLuxon()
    .DateTime.utc()
    .setZone(text === 'local' ? 'system' : text);
  // If TZ is empty or a rule such as GMT+5, luxon and Intl do not know the name of the system's
  // zone.
  const isKnown = date.zoneName && loadLuxon().Info.normalizeZone(date.zoneName).isValid;
  // luxon accepts any offset, but no zone on Earth is more than 14 hours from UTC.
  return isKnown && Math.abs(date.offset) <= 14 * 60 ? date.zoneName : undefined;
}

/** No zone in the tz database has changed its offset twice within three days. */
const STEADY_MS = 3 * DAY_MS;

/** A time range, `start ≤ time < stop`, in which a zone's offset from UTC stays the same. */
interface OffsetRange {
  readonly start: number;
  readonly stop: number;
  readonly offsetMs: number;
}

/** Whether a range, `start ≤ time < stop`, contains a moment. */
export function rangeContainsTime(
  { start, stop }: Pick<OffsetRange, 'start' | 'stop'>,
  ms: number,
): boolean {
  return start <= ms && ms < stop;
}

/**
 * Creates a function that finds the offset range around a moment: at most three days long, endless
 * in UTC. Ranges are cached, since a call of luxon takes microseconds.
 */
export function createOffsetFinder(zone: string): (ms: number) => OffsetRange {
  if (zone.toLowerCase() === 'utc') {
    const always = { start: -Infinity, stop: Infinity, offsetMs: 0 };
    return () => always;
  }
  const luxonZone = loadLuxon().Info.normalizeZone(zone);
  const known = new Map<number, number>();
  const offsetAt = (ms: number): number => {
    const offsetMs = known.get(ms) ?? Math.round(luxonZone.offset(ms)) * MINUTE_MS;
    known.set(ms, offsetMs);
    return offsetMs;
  };
  /** Finds the minute within a range in which the offset changes. */
  const changeIn = (start: number, stop: number): number => {
    if (stop - start === MINUTE_MS) return stop;
    const middle = start + Math.floor((stop - start) / 2 / MINUTE_MS) * MINUTE_MS;
    const isLater = offsetAt(middle) === offsetAt(start);
    return isLater ? changeIn(middle, stop) : changeIn(start, middle);
  };
  let latest: OffsetRange = { start: 0, stop: 0, offsetMs: 0 };
  return (ms) => {
    if (rangeContainsTime(latest, ms)) return latest;
    let start = Math.floor(ms / STEADY_MS) * STEADY_MS;
    let stop = start + STEADY_MS;
    if (offsetAt(start) !== offsetAt(stop)) {
      const change = changeIn(start, stop);
      if (ms < change) stop = change;
      else start = change;
    }
    latest = { start, stop, offsetMs: offsetAt(start) };
    return latest;
  };
}

/** Formats an offset from UTC as in ISO 8601: `+02:00`. */
export function formatOffset(offsetMs: number): string {
  return loadLuxon()
    .FixedOffsetZone.instance(offsetMs / MINUTE_MS)
    .formatOffset(0, 'short');
}

/**
 * Creates a function that converts the service's dates to a zone. In UTC they stay unchanged;
 * otherwise they become ISO 8601 with milliseconds and offset.
 */
export function createDateWriter(zone: string): (isoUtc: string) => string {
  if (zone.toLowerCase() === 'utc') return (isoUtc) => isoUtc;
  const offsetsAt = createOffsetFinder(zone);
  return (isoUtc) => {
    const ms = Date.parse(isoUtc);
    const { offsetMs } = offsetsAt(ms);
    return formatDate(ms + offsetMs).slice(0, -1) + formatOffset(offsetMs);
  };
}

/** Whether a text looks like a date, even an impossible one such as 31 April. */
export function looksLikeDate(text: string): boolean {
  return DATE_FORM.test(text);
}

/** The name of a time zone for people: `UTC` instead of `utc`. */
export const formatZoneName = (zone: string): string => (zone === 'utc' ? 'UTC' : zone);
