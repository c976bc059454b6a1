import { createRequire } from 'node:module';
import type * as luxon from 'luxon';

let loaded: typeof luxon | undefined;

/** The library luxon, loaded at first use: most commands need none of it. */
export function loadLuxon(): typeof luxon {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('luxon') as typeof luxon;
    // Set any locale: vane formats nothing by locale, and finding the system's locale takes luxon
    // 20 ms.
    loaded.Settings.defaultLocale = 'en-US';
  }
  return loaded;
}

const DATE_FORM =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?)?)?)?$/;

/** The service writes years with four digits, so dates of vane lie in the years 0000 to 9999. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a date that the service knows: `yyyy` to `yyyy-MM-ddTHH:mm:ss.SSS`, from the minutes on
 * also with `Z`, `+hhmm` or `+hh:mm`. Missing parts take their lowest value; the default zone is
 * UTC. Months and days may have one digit, as clients in use send them.
 * @returns milliseconds since 1970, or undefined for other text and for impossible dates
 */
export function parseDate(text: string): number | undefined {
  const parts = DATE_FORM.exec(text);
  if (parts === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = parts;
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts.slice(7);
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const utc = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour}:${minute}:${second}.${milliseconds}Z`;
  const localMs = Date.parse(utc);
  // Date.parse reads 31 April as 1 May; writing the date again reveals it.
  if (Number.isNaN(localMs) || formatDate(localMs) !== utc) return undefined;
  const offsetMs = MINUTE_MS * (60 * Number(offsetHours) + Number(offsetMinutes));
  const ms = sign === '-' ? localMs + offsetMs : localMs - offsetMs;
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined;
}

/**
 * Brings a date as people type it into the form of {@link parseDate}: `2024-5-1 9:30 +02:00`
 * becomes `2024-05-01T09:30+02:00`. Other text stays as it is.
 */
export function normalizeTypedDate(text: string): string {
  return text
    .trim()
    .replace(/^([\d-]+) +(?=\d)/, '$1T')
    .replace(/^([\dT:.-]+) +(Z|[+-][\d:]+)$/, '$1$2')
    .replace(/(?<=^[\d-]{0,10}[-T])\d(?!\d)/g, '0$&');
}

/** A date that was read as the wall time of a zone. */
export interface ZonedDate {
  /** The moment that the date means, milliseconds since 1970. */
  readonly ms: number;
  /** Set where the clocks of the zone skip the date (`gap`) or show it twice (`repeat`). */
  readonly shift: 'gap' | 'repeat' | undefined;
}

/**
 * Reads a date as {@link parseDate} does; a date without an offset is wall time of `zone`. Where
 * daylight saving time skips or repeats that wall time, luxon chooses the moment.
 * @returns undefined for text that parseDate refuses and for moments outside the years 0000 to 9999
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

/** The start of a day in a time zone, today or `daysAgo` days before, milliseconds since 1970. */
export function startOfDay(now: number, zone: string, daysAgo = 0): number {
  const { DateTime } = loadLuxon();
  return DateTime.fromMillis(now, { zone }).minus({ days: daysAgo }).startOf('day').toMillis();
}

/** A date as the service writes it: `yyyy-MM-ddTHH:mm:ss.SSSZ`. */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString();
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds of a day of UTC, leap seconds left out. */
export const DAY_MS = 24 * HOUR_MS;

const SHORT_DURATION =
  /^(?:(\d{1,15})(?:y|yrs?|years?))?(?:(\d{1,15})(?:mo|months?))?(?:(\d{1,15})(?:w|wks?|weeks?))?(?:(\d{1,15})(?:d|days?))?(?:(\d{1,15})(?:h|hrs?|hours?))?(?:(\d{1,15})(?:m|mins?|minutes?))?(?:(\d{1,15})(?:s|secs?|seconds?))?(?:(\d{1,15})ms)?$/;

/**
 * Milliseconds of each unit of a short duration such as `1d12h`, in the order in which the units
 * are written; a month has 30 days and a year 365, as in luxon.
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
 * Reads a duration: `500ms`, `30s`, `45m`, `12h`, `3d`, `2w`, `1mo`, `1y`, also in longer spellings
 * such as `7days`, several of them with the largest unit first (`1d12h`), or ISO 8601 (`P1M`,
 * `PT90M`). `m` and `min` are minutes.
 * @returns undefined for other text, for a duration of 0 and for one over 10,000 years
 */
export function parseDuration(text: string): luxon.Duration | undefined {
  const short = shortDuration(text);
  if (short === undefined && !text.startsWith('P')) return undefined;
  const { Duration } = loadLuxon();
  const duration = short ? Duration.fromObject(short) : Duration.fromISO(text);
  return duration.isValid && isInRange(duration.toMillis()) ? duration : undefined;
}

/**
 * Reads a duration like {@link parseDuration}, with fixed units: a month has 30 days, a year 365.
 * @returns milliseconds, or undefined for text that parseDuration refuses
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
 * Subtracts a duration by the calendar of a zone: `P1M` before 31 March is the last day of
 * February. The result is never before the year 0000.
 */
export function subtractDuration(ms: number, duration: luxon.Duration, zone = 'utc'): number {
  return Math.max(
    FIRST_MS,
    loadLuxon().DateTime.fromMillis(ms, { zone }).minus(duration).toMillis(),
  );
}

/** The zone name for `utc`, `local`, an IANA time zone or `UTC+2`; undefined for other text. */
export function parseZone(text: string): string | undefined {
  if (text.toLowerCase() === 'utc') return 'UTC';
  const date = loadLuxon()
    .DateTime.utc()
    .setZone(text === 'local' ? 'system' : text);
  // Where TZ is empty or GMT+5, the system's zone has a name that luxon and Intl do not know.
  const isKnown = date.zoneName && loadLuxon().Info.normalizeZone(date.zoneName).isValid;
  // luxon accepts any offset, but no zone on Earth is more than 14 hours from UTC.
  return isKnown && Math.abs(date.offset) <= 14 * 60 ? date.zoneName : undefined;
}

/** No zone of the tz database has ever changed its offset twice within three days. */
const STEADY_MS = 3 * DAY_MS;

/** A range of time, `start ≤ time < stop`, in which a zone keeps its offset from UTC. */
interface OffsetRange {
  readonly start: number;
  readonly stop: number;
  readonly offsetMs: number;
}

/** Whether a moment lies in a range of time, `start ≤ ms < stop`. */
export function rangeContainsTime(
  { start, stop }: Pick<OffsetRange, 'start' | 'stop'>,
  ms: number,
): boolean {
  return start <= ms && ms < stop;
}

/**
 * A function that finds an offset range around a time: at most three days long, endless in UTC.
 * A call of luxon takes microseconds, so known offsets stay in memory.
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
  /** The minute in which the offset changes within a range of time. */
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

/** An offset from UTC as ISO 8601 writes it: `+02:00`. */
export function formatOffset(offsetMs: number): string {
  return loadLuxon()
    .FixedOffsetZone.instance(offsetMs / MINUTE_MS)
    .formatOffset(0, 'short');
}

/**
 * A function that writes the service's dates in a zone: unchanged in UTC, otherwise ISO 8601 with
 * milliseconds and the zone's offset at that moment.
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

/** Whether a text has the form of a date, even of an impossible one such as 31 April. */
export function hasDateForm(text: string): boolean {
  return DATE_FORM.test(text);
}

/** The name of a time zone as people write it: `UTC`, not `utc`. */
export const formatZoneName = (zone: string): string => (zone === 'utc' ? 'UTC' : zone);
