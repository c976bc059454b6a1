import { DEFAULT_BASE_URL } from '../../defaults.ts';
import {
  before,
  hasDateForm,
  parseDate,
  parseDuration,
  parseDurationMs,
  parseZone,
} from '../../domain/dates.ts';
import type { Box } from '../../domain/geo.ts';
import { type Period, RELATIVE_WORDS, relativeStart } from '../../domain/period.ts';
import { parseSize } from '../../domain/sizes.ts';
import type { Position } from '../../domain/station.ts';
import { hideUser, printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';

/** Says what a flag or argument should have been and what it was. */
export function wrong(subject: string, expected: string, text: string): UsageError {
  return new UsageError(`${subject} takes ${expected}, not “${printable(text)}”.`);
}

export const ID_FORMS = 'an id such as 110, a printed id such as PP603';

/** What means a station to everybody, in words. */
export const STATION_FORMS = `${ID_FORMS}, or the address of its page`;

/** The name of a zone. @throws UsageError */
export function readZone(subject: string, text: string): string {
  const zone = parseZone(text);
  if (zone !== undefined) return zone;
  throw wrong(subject, 'utc, local or a zone such as Europe/Paris', text);
}

/** @throws UsageError */
export function readDurationMs(flag: string, text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  throw wrong(flag, 'a length of time such as 45m, 12h or P1M', text);
}

/** A whole number in a range, both ends included. @throws UsageError */
export function readInteger(flag: string, text: string, lowest: number, highest: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= lowest && number <= highest) return number;
  throw wrong(flag, `a whole number from ${lowest} to ${highest}`, text);
}

/** @throws UsageError */
export function readRadiusKm(text: string): number {
  const radiusKm = readDecimal(text);
  if (radiusKm !== undefined && radiusKm > 0) return radiusKm;
  throw wrong('--radius', 'kilometres above 0, such as 25', text);
}

/** @throws UsageError */
export function readPosition(text: string): Position {
  const [latitude, longitude, ...rest] = text.split(',').map(readDecimal);
  if (isWithin(latitude, 90) && isWithin(longitude, 180) && rest.length === 0) {
    return { latitude, longitude };
  }
  throw wrong('--near', 'latitude,longitude in degrees such as 45.96,6.24', text);
}

/** @throws UsageError */
export function readBox(text: string): Box {
  const [west, south, east, north, ...rest] = text.split(',').map(readDecimal);
  const isBox =
    isWithin(west, 180) && isWithin(south, 90) && isWithin(east, 180) && isWithin(north, 90);
  if (isBox && south <= north && rest.length === 0) return { west, south, east, north };
  throw wrong('--bbox', 'west,south,east,north in degrees such as 5.5,45,7.5,46.5', text);
}

function readDecimal(text: string): number | undefined {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : undefined;
}

function isWithin(degrees: number | undefined, most: number): degrees is number {
  return degrees !== undefined && Math.abs(degrees) <= most;
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
  const from = parseDate(start) ?? relativeStart(start, now) ?? startBefore(to, start);
  if (from === undefined) {
    const words = RELATIVE_WORDS.join(', ');
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
  return { start: from, stop: to };
}

/** Says that a date has the right form and is none, or what was expected. */
function wrongDate(flag: string, expected: string, text: string): UsageError {
  if (!hasDateForm(text)) return wrong(flag, expected, text);
  return new UsageError(`${flag}: there is no such date as ${text}.`);
}

function startBefore(stop: number, text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && before(stop, duration);
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
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`${name} takes a size such as 500MB or 1GiB, not “${text}”.`);
}
