import {
  before,
  dateWriter,
  hasDateForm,
  parseDate,
  parseDuration,
  parseDurationMs,
  parseZone,
} from '../domain/dates.ts';
import type { Box } from '../domain/geo.ts';
import { type Period, RELATIVE_WORDS, relativeStart } from '../domain/period.ts';
import { type Position, parseStationId } from '../domain/station.ts';
import { printable } from '../domain/text.ts';
import type { SpeedUnit } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import { FORMATS, formatOfFile } from '../formats/index.ts';
import type { FormatName } from '../formats/names.ts';
import { type Io, usesColour } from '../io.ts';
import type { OutputFlags, PresentationFlags } from '../options.ts';
import { readTarget, type Target } from '../output/target.ts';
import {
  describeFavourites,
  type Favourites,
  findFavourite,
  isFavouriteName,
} from './config/favourites.ts';
import { type Config, findUnits, findZone } from './config/settings.ts';

/** Says what a flag or argument should have been and what it was. */
export function wrong(subject: string, expected: string, text: string): UsageError {
  return new UsageError(`${subject} takes ${expected}, not “${printable(text)}”.`);
}

const IDS = 'an id such as 110, a printed id such as PP603';

/** What means a station to everybody, in words. */
export const STATION_FORMS = `${IDS}, or the address of its page`;

/**
 * A station's id from an id, a printed id, a page's address or a favourite.
 * @throws UsageError
 */
export function readStation(text: string, favourites: Favourites): number {
  const station = parseStationId(text) ?? findFavourite(text, favourites);
  if (station !== undefined) return station;
  const forms = isFavouriteName(text)
    ? `${IDS}, the address of its page, or a favourite (${describeFavourites(favourites)})`
    : STATION_FORMS;
  throw wrong('A station', forms, text);
}

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

/** How values are to be written. */
export interface Presented {
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly writeDate: (isoUtc: string) => string;
}

/** @throws UsageError */
export function readPresentation(flags: PresentationFlags, config: Config): Presented {
  const { by, value } = findZone(flags, config);
  const zone = readZone(by, value);
  return {
    unit: findUnits(flags, config).value,
    zone: zone.toLowerCase() === 'utc' ? 'utc' : zone,
    writeDate: dateWriter(zone),
  };
}

/** How and where a document is to be written: what the shared flags come to. */
export interface Output<F extends FormatName = FormatName> extends Presented {
  readonly format: F;
  readonly target: Target;
  readonly colour: boolean;
  readonly columns: number | undefined;
}

/**
 * @param formats the formats the command can write
 * @throws UsageError
 */
export function readOutput<F extends FormatName>(
  flags: OutputFlags & { readonly color?: boolean },
  formats: readonly F[],
  config: Config,
  io: Io,
): Output<F> {
  const target = readTarget(flags.output);
  const { path } = target;
  const terminal = path === undefined ? io.stdoutTerminal : undefined;
  const presented = readPresentation(flags, config);
  const format = readFormat(flags.format, path, formats);
  const isGzip = path?.toLowerCase().endsWith('.gz') ?? false;
  if (FORMATS[format].isBinary) checkBinary(format, terminal !== undefined, isGzip);
  return {
    format,
    target: { path, isGzip },
    ...presented,
    colour: usesColour(path === undefined ? flags.color : false, io.env, terminal),
    columns: terminal?.columns,
  };
}

function readFormat<F extends FormatName>(
  format: FormatName | undefined,
  path: string | undefined,
  formats: readonly F[],
): F {
  const chosen = format ?? (path === undefined ? 'table' : formatOfFile(path));
  if (chosen === undefined) {
    throw new UsageError(
      `The name ${path} does not tell the format; add --format ${formats.join('|')}.`,
    );
  }
  const taken = formats.find((name) => name === chosen);
  if (taken !== undefined) return taken;
  // Each format takes one of the two at least, so this command wanted the other.
  const what = FORMATS[chosen].takesArchive ? 'Stations' : 'An archive';
  throw new UsageError(`${what} cannot be written as ${chosen}; choose ${formats.join(', ')}.`);
}

function checkBinary(format: FormatName, isForTerminal: boolean, isGzip: boolean): void {
  if (isForTerminal) throw new UsageError(`${format} is not for a terminal; add -o FILE.`);
  if (isGzip) {
    throw new UsageError(
      `${format} is compressed in itself, and in .gz nothing reads it; leave .gz off the name.`,
    );
  }
}
