import { DEFAULT_BASE_URL } from '../defaults.ts';
import {
  before,
  completeDate,
  dateWriter,
  formatDate,
  hasDateForm,
  parseDateIn,
  parseDuration,
  parseDurationMs,
  parseZone,
  startOfDay,
} from '../domain/dates.ts';
import { DAYS_AGO, type Period, RELATIVE_WORDS, relativeStart } from '../domain/period.ts';
import { parseSize } from '../domain/sizes.ts';
import { alternatives, hideUser, printable } from '../domain/text.ts';
import { findUnit, SPEED_UNIT_NAMES, type SpeedUnit } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import type { StatisticsOptions } from '../statistics/statistics.ts';

/** An error that names a flag or argument, the expected form, and the text that came. */
export function wrong(subject: string, expected: string, text: string): UsageError {
  const shown = text.includes('://') ? hideUser(text) : text;
  return new UsageError(`${subject} takes ${expected}, not “${printable(shown)}”.`);
}

/** The value read from a text. @throws UsageError if it is undefined: the text is wrong */
export function accept<T>(read: T | undefined, subject: string, expected: string, text: string): T {
  if (read !== undefined) return read;
  throw wrong(subject, expected, text);
}

/** Reads the value of an option; undefined where the option is not given. */
export function ifGiven<T, R>(value: T | undefined, read: (value: T) => R): R | undefined {
  return value === undefined ? undefined : read(value);
}

export const ID_FORMS = 'an id such as 110, a printed id such as PP603';

/** The ways to name a station without a favourite, as error messages say them. */
export const STATION_FORMS = `${ID_FORMS}, or the address of its page`;

/** Reads a unit of speeds in any of its spellings, such as `kn` or `knots`. @throws UsageError */
export function readUnit(subject: string, text: string): SpeedUnit {
  return accept(findUnit(text.trim()), subject, alternatives(SPEED_UNIT_NAMES), text);
}

/** Reads `--sectors`, one of its choices. */
export function readSectors(text = '16'): StatisticsOptions['sectors'] {
  return Number(text) as StatisticsOptions['sectors'];
}

/** Reads the name of a time zone; UTC is returned as `utc`. @throws UsageError */
export function readZone(subject: string, text: string): string {
  const forms = 'utc, local or a zone such as Europe/Paris';
  const zone = parseZone(text);
  if (zone === undefined && text === 'local') {
    throw new UsageError(
      `${subject} cannot be local: the time zone of this machine is unknown. Set TZ to a zone such as Europe/Paris.`,
    );
  }
  return accept(zone, subject, forms, text).replace(/^utc$/i, 'utc');
}

/** Reads a length of time such as `45m`. @returns milliseconds @throws UsageError */
export function readDurationMs(flag: string, text: string): number {
  return accept(parseDurationMs(text), flag, 'a length of time such as 45m, 12h or P1M', text);
}

/** Reads a whole number in a range, both ends included. @throws UsageError */
export function readInteger(flag: string, text: string, lowest: number, highest: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= lowest && number <= highest) return number;
  throw wrong(flag, `a whole number from ${lowest} to ${highest}`, text);
}

const DAYS = [...DAYS_AGO.keys()];

/** The time and the zone that dates such as `today` or `2024-05-01` depend on. */
export interface DateContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly zone: string;
}

/** A period read from `--start` and `--stop`, and what to tell the user about it. */
export interface WrittenPeriod {
  readonly period: Period;
  /** Whether the start depends on the time at which the command runs: a later run starts later. */
  readonly isStartRelative: boolean;
  /** A sentence about each date that the zone's clocks skip or show twice when they change. */
  readonly notes: readonly string[];
}

/**
 * Reads `--start` and `--stop`. A start is a date, a word for a day (`today`), a word for a time
 * that ends now (`last-day`), or a length of time before the stop.
 * @throws UsageError for any other text, an impossible date, or a stop before the start
 */
export function readPeriod(
  start: string,
  stop: string | undefined,
  context: DateContext,
): WrittenPeriod {
  const { now, zone } = context;
  const notes: string[] = [];
  const readDate = (flag: string, text: string) => readMoment(flag, text, context, notes);
  const to = stop === undefined || stop === 'now' ? now : readDate('--stop', stop);
  if (to === undefined) {
    const forms = `now, ${alternatives([...DAYS, 'a date such as 2024-05-01 or "2024-05-01 12:00"'])}`;
    throw wrongDate('--stop', forms, stop ?? '');
  }
  const date = readDate('--start', start);
  const duration = date === undefined ? parseDuration(start) : undefined;
  const from = date ?? relativeStart(start, now) ?? (duration && before(to, duration, zone));
  if (from === undefined) {
    const words = [...DAYS, ...RELATIVE_WORDS].join(', ');
    throw wrongDate(
      '--start',
      `a date such as 2024-05-01, a length of time such as 3d, or ${words}`,
      start,
    );
  }
  if (from > to) {
    const hint = stop === undefined ? ' (without --stop it ends now)' : '';
    throw new UsageError(
      `The period's stop lies before its start${hint}: ${start} to ${stop ?? 'now'}.`,
    );
  }
  const isStartRelative =
    date === undefined ? duration === undefined || isRelative(stop) : isRelative(start);
  return { period: { start: from, stop: to }, isStartRelative, notes };
}

/** Whether a date depends on the time at which the command runs; `undefined` means now. */
function isRelative(text: string | undefined): boolean {
  return text === undefined || text === 'now' || DAYS_AGO.has(text.toLowerCase());
}

/** Reads a date or a word for a day. @returns milliseconds since 1970; undefined for other text */
function readMoment(
  flag: string,
  text: string,
  { now, zone }: DateContext,
  notes: string[],
): number | undefined {
  const daysAgo = DAYS_AGO.get(text.toLowerCase());
  if (daysAgo !== undefined) return startOfDay(now, zone, daysAgo);
  const date = parseDateIn(completeDate(text), zone);
  if (date?.shift !== undefined) {
    const fault = date.shift === 'gap' ? 'does not exist' : 'exists twice';
    const moment = dateWriter(zone)(formatDate(date.ms));
    notes.push(
      `${flag}: ${text.trim()} ${fault} in ${zone}, where the clocks change; it is read as ${moment}.`,
    );
  }
  return date?.ms;
}

/** An error for a date that the calendar lacks, or for text in another form. */
function wrongDate(flag: string, expected: string, text: string): UsageError {
  if (!hasDateForm(completeDate(text))) return wrong(flag, expected, text);
  return new UsageError(`${flag}: there is no such date as ${text}.`);
}

/** Reads the address of a service, and cuts off slashes at its end. @throws UsageError */
export function readBaseUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${name} takes an address such as ${DEFAULT_BASE_URL}, without user, query or fragment, not “${hideUser(text)}”.`,
    );
  }
  const address = url.href.replace(/\/+$/, '');
  if (!/\/v1$/.test(address)) return address;
  throw new UsageError(
    `${name} takes the address without /v1: ${address.slice(0, -'/v1'.length)}.`,
  );
}

/** Reads a size such as `500MB` or `1GiB`. @returns bytes @throws UsageError */
export function readSize(name: string, text: string): number {
  return accept(parseSize(text), name, 'a size such as 500MB or 1GiB', text);
}
