import {
  parseSpeedIn,
  parseSpeedList,
  SPEED_LIST_FORM,
  type SpeedClasses,
  type SpeedList,
} from '../domain/condition/speeds.ts';
import { parseDurationMs, parseZone } from '../domain/dates.ts';
import { parseSize } from '../domain/sizes.ts';
import { hideAddressCredentials, joinAlternatives, printable } from '../domain/text.ts';
import {
  BEAUFORT_FROM_KMH,
  convertSpeedExactly,
  findSpeedUnit,
  roundTo2Decimals,
  SPEED_UNIT_NAMES,
  type SpeedUnit,
} from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import { DEFAULT_BASE_URL } from '../service/service.ts';
import type { StatisticsOptions } from '../statistics/statistics.ts';

/** Creates an error that names a flag or argument, the expected form, and the actual text. */
export function wrongValueError(subject: string, expected: string, text: string): UsageError {
  return new UsageError(`${subject} takes ${expected}, not ${quoteArgument(text)}.`);
}

/** Quotes a word of the command line, without control characters and passwords. */
function quoteArgument(text: string): string {
  return `“${printable(text.includes('://') ? hideAddressCredentials(text) : text)}”`;
}

/**
 * Returns a parsed value.
 * @throws UsageError if it is undefined, since the text was invalid
 */
export function requireValue<T>(
  read: T | undefined,
  subject: string,
  expected: string,
  text: string,
): T {
  if (read !== undefined) return read;
  throw wrongValueError(subject, expected, text);
}

/** Reads the value of an option if it is given; otherwise undefined. */
export function readIfGiven<T, R>(value: T | undefined, read: (value: T) => R): R | undefined {
  return value === undefined ? undefined : read(value);
}

/** The forms in which a station can be given, apart from favourites, for error messages. */
export const STATION_FORMS =
  'an id such as 110, a printed id such as PP603 or MW800, or the address of its page';

/**
 * Reads a unit of speed in any spelling, such as `kn` or `knots`.
 * @throws UsageError
 */
export function readUnit(subject: string, text: string): SpeedUnit {
  return requireValue(
    findSpeedUnit(text.trim()),
    subject,
    joinAlternatives(SPEED_UNIT_NAMES),
    text,
  );
}

/** Reads `--sectors`, whose choices commander has checked. */
export function readSectors(text = '16'): StatisticsOptions['sectors'] {
  return Number(text) as StatisticsOptions['sectors'];
}

/**
 * Reads the name of a time zone. UTC becomes `utc`.
 * @throws UsageError
 */
export function readZone(subject: string, text: string): string {
  const forms = 'utc, local or a zone such as Europe/Paris';
  const zone = parseZone(text);
  if (zone === undefined && text === 'local') {
    throw new UsageError(
      `${subject} cannot be local: the time zone of this machine is unknown. Set TZ to a zone such as Europe/Paris.`,
    );
  }
  return requireValue(zone, subject, forms, text).replace(/^utc$/i, 'utc');
}

export const DURATION_FORMS = 'a length of time such as 45m, 12h, 7d or 1mo';

/**
 * Reads a duration such as `45m`.
 * @returns milliseconds
 * @throws UsageError
 */
export function readDurationMs(flag: string, text: string): number {
  const number = /^\s*(\d+)\s*$/.exec(text)?.[1];
  const forms =
    number === undefined || Number(number) === 0
      ? DURATION_FORMS
      : `a length of time with a unit: ${number}s for seconds, ${number}m for minutes or ${number}h for hours`;
  return requireValue(parseDurationMs(text), flag, forms, text);
}

/**
 * Reads a whole number from `lowest` to `highest`.
 * @param others other values that the flag accepts, for the error
 * @throws UsageError
 */
export function readInteger(
  flag: string,
  text: string,
  lowest: number,
  highest: number,
  others = '',
): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= lowest && number <= highest) return number;
  throw wrongValueError(flag, `a whole number from ${lowest} to ${highest}${others}`, text);
}

/**
 * Reads the address of a service, without slashes at its end.
 * @throws UsageError
 */
export function readBaseUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw wrongValueError(name, formsOfAddress(text), hideAddressCredentials(text));
  }
  const address = url.href.replace(/(?<!\/)\/+$/, '');
  if (!/\/v1$/.test(address)) return address;
  throw new UsageError(
    `${name} takes the address without /v1: ${address.slice(0, -'/v1'.length)}.`,
  );
}

/** The expected form of a service's address, for an error. */
function formsOfAddress(text: string): string {
  const whole = `http://${text}`;
  // Only quote a plain host, port and path: any other text may contain a password.
  const isHost = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:\/[\w./-]*)?$/i.test(text);
  return isHost && URL.canParse(whole)
    ? `an address with http:// or https://, such as ${whole}`
    : `an address such as ${DEFAULT_BASE_URL}, without user, query or fragment`;
}

/** Reads a size such as `500MB` or `1GiB`. @returns bytes @throws UsageError */
export function readSize(name: string, text: string): number {
  return requireValue(parseSize(text), name, 'a size such as 500MB or 1GiB', text);
}

/** Reads a speed such as `15kn`, or a number in `unit`. @returns km/h @throws UsageError */
export function readSpeed(flag: string, text: string, unit: SpeedUnit): number {
  return requireValue(parseSpeedIn(text, unit), flag, 'a speed such as 1kn', text);
}

/**
 * Reads speeds such as `10,15,20kn`. The unit comes at the end; without one the speeds are in
 * `unit`.
 * @throws UsageError
 */
export function readSpeedList(flag: string, text: string, unit: SpeedUnit): SpeedList {
  return requireValue(parseSpeedList(text, unit), flag, SPEED_LIST_FORM, text);
}

/**
 * Reads the speed classes of a wind rose.
 * @param text the text of `--classes`; without it, the classes are the Beaufort forces
 * @throws UsageError
 */
export function readSpeedClasses(text: string | undefined, unit: SpeedUnit): SpeedClasses {
  if (text === undefined) {
    const lowest = [0, ...BEAUFORT_FROM_KMH].map((kmh) =>
      roundTo2Decimals(convertSpeedExactly(kmh, unit) ?? 0),
    );
    return { lowest, kmh: BEAUFORT_FROM_KMH, isBeaufort: true };
  }
  const { numbers, unit: written, kmh } = readSpeedList('--classes', text, unit);
  const lowest =
    written === unit
      ? numbers
      : kmh.map((speed) => roundTo2Decimals(convertSpeedExactly(speed, unit) ?? 0));
  return { lowest: [0, ...lowest], kmh, isBeaufort: false };
}
