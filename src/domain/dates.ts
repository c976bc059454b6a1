import type { Duration } from 'luxon';
import { calendar } from './calendar.ts';

const DATE_FORM =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?)?)?)?$/;

/** Years 0000 to 9999: outside, the interface's four-digit year could not say the date. */
const FIRST_MS = Date.UTC(2000, 0, 1) - 730_485 * 86_400_000;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads a date of the interface: `yyyy` down to `yyyy-MM-ddTHH:mm`, that with seconds and a
 * fraction, and from minutes on with `Z`, `+hhmm` or `+hh:mm`. Missing parts take their lowest
 * value; without an offset it is UTC.
 * @returns milliseconds since 1970, or undefined for text in no such form or an impossible date
 */
export function parseDate(text: string): number | undefined {
  const parts = DATE_FORM.exec(text);
  if (parts === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = parts;
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts.slice(7);
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`;
  const localMs = Date.parse(utc);
  // A day or an hour that is not there would pass for one of the next month or day.
  if (Number.isNaN(localMs) || formatDate(localMs) !== utc) return undefined;
  const offsetMs = 60_000 * (60 * Number(offsetHours) + Number(offsetMinutes));
  const ms = sign === '-' ? localMs + offsetMs : localMs - offsetMs;
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined;
}

/** Days of a month (1 to 12) by the Gregorian calendar, which ISO 8601 takes for every year. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A date as the interface writes it: `yyyy-MM-ddTHH:mm:ss.SSSZ`. */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString();
}

const SHORT_DURATION =
  /^(?:(\d{1,15})y)?(?:(\d{1,15})w)?(?:(\d{1,15})d)?(?:(\d{1,15})h)?(?:(\d{1,15})m)?(?:(\d{1,15})s)?(?:(\d{1,15})ms)?$/;

/**
 * Reads a length of time: `500ms`, `30s`, `45m`, `12h`, `3d`, `2w`, `1y`, several in that
 * falling order (`1d12h`), or ISO 8601 (`P1M`, `PT90M`). `m` is minutes; months need `P1M`.
 * @returns undefined for other text, for a length of nothing, and for one over 10,000 years
 */
export function parseDuration(text: string): Duration | undefined {
  const duration = text.startsWith('P') ? calendar().Duration.fromISO(text) : shortDuration(text);
  const ms = duration?.isValid ? duration.toMillis() : 0;
  return ms > 0 && ms <= LAST_MS - FIRST_MS ? duration : undefined;
}

/** A day of UTC, which knows no leap seconds here. */
export const DAY_MS = 86_400_000;

/** Fixed lengths of the units of a short form; a year is 365 days, as to luxon. */
const SHORT_UNITS_MS = [365 * DAY_MS, 7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1000, 1];

/**
 * Reads a length of time like {@link parseDuration}, for use without a calendar: a month is 30
 * days and a year 365.
 * @returns milliseconds, or undefined where that is
 */
export function parseDurationMs(text: string): number | undefined {
  const parts = SHORT_DURATION.exec(text);
  if (parts === null) return parseDuration(text)?.toMillis();
  const ms = SHORT_UNITS_MS.reduce((sum, unitMs, i) => sum + unitMs * Number(parts[i + 1] ?? 0), 0);
  return ms > 0 && ms <= LAST_MS - FIRST_MS ? ms : undefined;
}

function shortDuration(text: string): Duration | undefined {
  const parts = SHORT_DURATION.exec(text);
  if (parts === null) return undefined;
  const [years, weeks, days, hours, minutes, seconds, milliseconds] = parts
    .slice(1)
    .map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return calendar().Duration.fromObject({
    years,
    weeks,
    days,
    hours,
    minutes,
    seconds,
    milliseconds,
  });
}

/**
 * The moment a length of time before `ms`, by the UTC calendar: `P1M` before 31 March is the end
 * of February. Never before the year 0000.
 */
export function before(ms: number, duration: Duration): number {
  return Math.max(
    FIRST_MS,
    calendar().DateTime.fromMillis(ms, { zone: 'utc' }).minus(duration).toMillis(),
  );
}

/** Resolves `utc`, `local`, an IANA zone or `UTC+2` to a zone name; undefined if there is none. */
export function parseZone(text: string): string | undefined {
  if (text.toLowerCase() === 'utc') return 'UTC';
  const date = calendar()
    .DateTime.utc()
    .setZone(text === 'local' ? 'system' : text);
  // luxon takes any offset; no clock on Earth is 15 hours from UTC.
  return date.isValid && Math.abs(date.offset) <= 14 * 60 ? date.zoneName : undefined;
}

/** Offsets of zones change on quarter hours only. */
const QUARTER_MS = 900_000;

/**
 * Writer of the interface's dates in a zone: unchanged in UTC, otherwise ISO 8601 with the
 * zone's offset at that moment and milliseconds.
 */
export function dateWriter(zone: string): (isoUtc: string) => string {
  if (zone.toLowerCase() === 'utc') return (isoUtc) => isoUtc;
  const lookUp = (ms: number) => calendar().DateTime.fromMillis(ms, { zone });
  // The offset is looked up for as long as it lasts: it takes most of the time.
  let from = Number.NaN;
  let until = Number.NaN;
  let offsetMs = 0;
  let offset = '';
  return (isoUtc) => {
    const ms = Date.parse(isoUtc);
    if (!(from <= ms && ms < until)) {
      // No zone of the tz database has ever changed its offset twice within three days.
      const day = Math.floor(ms / DAY_MS) * DAY_MS;
      const isSteady = lookUp(day).offset === lookUp(day + DAY_MS).offset;
      const lengthMs = isSteady ? DAY_MS : QUARTER_MS;
      from = Math.floor(ms / lengthMs) * lengthMs;
      until = from + lengthMs;
      const date = lookUp(ms);
      offsetMs = Math.round(date.offset) * 60_000;
      offset = date.toFormat('ZZ');
    }
    return formatDate(ms + offsetMs).slice(0, -1) + offset;
  };
}

/** Whether a text has the form of a date, be there such a day or not. */
export function hasDateForm(text: string): boolean {
  return DATE_FORM.test(text);
}
