import { parseStationId } from '../../../domain/station.ts';
import { alternatives, printable } from '../../../domain/text.ts';
import { SPEED_UNIT_NAMES, type SpeedUnit } from '../../../domain/units.ts';
import { UsageError } from '../../../errors.ts';
import { isObject } from '../../../wire/check.ts';
import { readBaseUrl, readZone, STATION_FORMS, wrong } from '../values.ts';
import { type Favourites, isFavouriteName, NAME_RULE } from './favourites.ts';
import type { Config } from './settings.ts';

/** Keys with one value each, and a reader that throws a UsageError for a wrong value. */
const READERS = {
  base_url: readBaseUrl,
  units: readUnit,
  tz: readZone,
} as const satisfies Record<string, (subject: string, text: string) => string>;

export type PlainKey = keyof typeof READERS;

export const PLAIN_KEYS = Object.keys(READERS) as readonly PlainKey[];

/** A value of the configuration by its name on the command line. */
export type Key = PlainKey | { readonly favourite: string };

const FAVOURITE_PREFIX = 'favourites.';

/**
 * A key as written on the command line: `units`, `favourites.home`.
 * @throws UsageError
 */
export function readKey(text: string): Key {
  const plain = PLAIN_KEYS.find((key) => key === text);
  if (plain !== undefined) return plain;
  if (text === 'favourites' || text === FAVOURITE_PREFIX) {
    throw new UsageError('A favourite is named by its key: favourites.home, for one called home.');
  }
  if (text.startsWith(FAVOURITE_PREFIX)) {
    return { favourite: readName(text.slice(FAVOURITE_PREFIX.length)) };
  }
  throw new UsageError(
    `There is no key “${printable(text)}”; there are ${PLAIN_KEYS.join(', ')} and favourites.NAME.`,
  );
}

/** A key as {@link readKey} reads it. */
export function nameOf(key: Key): string {
  return typeof key === 'string' ? key : FAVOURITE_PREFIX + key.favourite;
}

function readName(text: string): string {
  if (isFavouriteName(text)) return text.toLowerCase();
  throw wrong('The name of a favourite', NAME_RULE, text);
}

/**
 * A configuration with another value, or with none, for a key.
 * @throws UsageError for a value that the key does not take
 */
export function changeConfig(config: Config, key: Key, text: string | undefined): Config {
  if (text !== undefined) checkValue(key, nameOf(key), text);
  if (typeof key === 'string') return { ...config, [key]: text };
  const favourites = new Map(config.favourites);
  if (text === undefined) favourites.delete(key.favourite);
  else favourites.set(key.favourite, text);
  return { ...config, favourites };
}

/** @param subject the key, and the file if it is there, for the error */
function checkValue(key: Key, subject: string, text: string): void {
  if (typeof key === 'string') READERS[key](subject, text);
  else if (parseStationId(text) === undefined) throw wrong(subject, STATION_FORMS, text);
}

function readUnit(subject: string, text: string): SpeedUnit {
  const unit = SPEED_UNIT_NAMES.find((name) => name === text);
  if (unit !== undefined) return unit;
  throw wrong(subject, alternatives(SPEED_UNIT_NAMES), text);
}

/**
 * Reads the text of the configuration file.
 * @throws UsageError that names the file, the key and what is expected
 */
export function parseConfig(text: string, path: string): Config {
  const fields = readObject(parseJson(text, path), path);
  const odd = Object.keys(fields).find(
    (key) => key !== 'favourites' && !Object.hasOwn(READERS, key),
  );
  if (odd !== undefined) {
    throw new UsageError(
      `There is no key “${printable(odd)}” in ${path}; there are ${PLAIN_KEYS.join(', ')} and favourites.`,
    );
  }
  const plain = (key: PlainKey): string | undefined => {
    const value = fields[key];
    if (value === undefined) return undefined;
    checkValue(key, `${key} in ${path}`, textOf(value));
    return textOf(value);
  };
  return {
    base_url: plain('base_url'),
    units: plain('units') as SpeedUnit | undefined,
    tz: plain('tz'),
    favourites: readFavourites(fields.favourites, path),
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    // Editors of Windows begin a file with a byte order mark, which JSON does not know.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(
      `${path} is not JSON such as {"units": "kn", "favourites": {"home": 110}}: ${withoutExcerpt(error as Error)}.`,
    );
  }
}

/** The message of JSON.parse without its excerpt of the text, which may hold part of a password. */
function withoutExcerpt({ message }: Error): string {
  return message.replace(/, (?:\.{3})?".*is not valid JSON$/s, '');
}

function readObject(value: unknown, subject: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw wrong(subject, 'an object such as {"home": 110}', textOf(value));
}

function readFavourites(value: unknown, path: string): Favourites {
  const favourites = new Map<string, string>();
  if (value === undefined) return favourites;
  for (const [name, station] of Object.entries(readObject(value, `favourites in ${path}`))) {
    if (!isFavouriteName(name)) throw wrong(`A name in favourites in ${path}`, NAME_RULE, name);
    const key = { favourite: name.toLowerCase() };
    if (favourites.has(key.favourite)) {
      throw new UsageError(`${nameOf(key)} is twice in ${path}; capitals make no other name.`);
    }
    checkValue(key, `${nameOf(key)} in ${path}`, textOf(station));
    favourites.set(key.favourite, textOf(station));
  }
  return favourites;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text of the configuration file, as {@link parseConfig} reads it. */
export function formatConfig({ favourites, ...plain }: Config): string {
  const stations = [...favourites].map(([name, text]) => [name, numberIfPlain(text)] as const);
  const fields = {
    ...plain,
    favourites: stations.length === 0 ? undefined : Object.fromEntries(stations),
  };
  return `${JSON.stringify(fields, undefined, 2)}\n`;
}

function numberIfPlain(text: string): string | number {
  return String(Number(text)) === text ? Number(text) : text;
}
