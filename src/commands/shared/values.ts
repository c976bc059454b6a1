import { DEFAULT_BASE_URL } from '../../defaults.ts';
import {
  before,
  hasDateForm,
  parseDate,
  parseDuration,
  parseDurationMs,
  parseZone,
} from '../../domain/dates.ts';
import { type Period, RELATIVE_WORDS, relativeStart } from '../../domain/period.ts';
import { parseSize } from '../../domain/sizes.ts';
import { alternatives, hideUser, printable } from '../../domain/text.ts';
import { SPEED_UNIT_NAMES, type SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';

/** Says what a flag or argument should have been and what it was. */
export function wrong(subject: string, expected: string, text: string): UsageError {
  return new UsageError(`${subject} takes ${expected}, not “${printable(text)}”.`);
}

/** What a text was read as. @throws UsageError where it could not be read */
export function accept<T>(read: T | undefined, subject: string, expected: string, text: string): T {
  if (read !== undefined) return read;
  throw wrong(subject, expected, text);
}

export const ID_FORMS = 'an id such as 110, a printed id such as PP603';

/** What means a station to everybody, in words. */
export const STATION_FORMS = `${ID_FORMS}, or the address of its page`;

/** @throws UsageError */
export function readUnit(subject: string, text: string): SpeedUnit {
  const unit = SPEED_UNIT_NAMES.find((name) => name === text);
  return accept(unit, subject, alternatives(SPEED_UNIT_NAMES), text);
}

/** The name of a zone; `utc` in lower case. @throws UsageError */
export function readZone(subject: string, text: string): string {
  const forms = 'utc, local or a zone such as Europe/Paris';
  return accept(parseZone(text), subject, forms, text).replace(/^utc$/i, 'utc');
}

/** @throws UsageError */
export function readDurationMs(flag: string, text: string): number {
  return accept(parseDurationMs(text), flag, 'a length of time such as 45m, 12h or P1M', text);
}

/** A whole number in a range, both ends included. @throws UsageError */
export function readInteger(flag: string, text: string, lowest: number, highest: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= lowest && number <= highest) return number;
  throw wrong(flag, `a whole number from ${lowest} to ${highest}`, text);
}

/**
 * The period that `--start` and `--stop` mean. A start may be a date, a relative word of the
 * interface (before now) or a length of time before the stop.
 * @throws UsageError for another text, an impossible date, or a stop before the start
 */
export function readPeriod(start: string, stop: string | undefined, now: number): Period {
  const to = stop === undefined || stop === 'now' ? now : parseDate(stop);
  if (to === undefined) {
    throw wrongDate('--stop', 'now or a date such as 2024-05-01 or 2024-05-01T12:00Z', stop ?? '');
  }
  const duration = parseDuration(start);
  const from = parseDate(start) ?? relativeStart(start, now) ?? (duration && before(to, duration));
  if (from === undefined) {
    const forms = `a date such as 2024-05-01, a length of time such as 3d, or ${RELATIVE_WORDS.join(', ')}`;
    throw wrongDate('--start', forms, start);
  }
  if (from > to) {
    const hint = stop === undefined ? ' (without --stop it ends now)' : '';
    throw new UsageError(
      `The period's stop lies before its start${hint}: ${start} to ${stop ?? 'now'}.`,
    );
  }
  return { start: from, stop: to };
}

/** Says that a date has the right form and is none, or what was expected. */
function wrongDate(flag: string, expected: string, text: string): UsageError {
  if (!hasDateForm(text)) return wrong(flag, expected, text);
  return new UsageError(`${flag}: there is no such date as ${text}.`);
}

/** An address of a service without a slash at its end. @throws UsageError */
export function readBaseUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${name} takes an address such as ${DEFAULT_BASE_URL}, without user, query or fragment, not “${hideUser(text)}”.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** @throws UsageError */
export function readSize(name: string, text: string): number {
  return accept(parseSize(text), name, 'a size such as 500MB or 1GiB', text);
}
