import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { parseStationId } from '../domain/station.ts';
import { printable } from '../domain/text.ts';
import { errorCode, fileCause, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { pathOf, refuseForeignFile, userFolder } from '../userFolder.ts';
import { isObject } from '../wire/check.ts';
import { isPlainKey, PLAIN_KEYS, readValue } from './settings.ts';
import { readShortText } from './shortText.ts';
import { STATION_FORMS, wrongValue } from './values.ts';

/** The texts of the user's configuration by key: `units`, `favourites.home`. */
export type Config = ReadonlyMap<string, string>;

export const NO_CONFIG: Config = new Map();

/** The rule for names of favourites, as error messages say it. */
const NAME_RULE =
  'letters a to z, digits, - and _ (a letter first, at most 40), but not all or favourites';

/** The word that means all of the user's favourites where a command accepts stations. */
export const FAVOURITES = 'favourites';
const RESERVED = ['all', FAVOURITES];

/** Whether a word may name a favourite. A name such as `pp7` is one: it wins over the printed id. */
function isFavouriteName(text: string): boolean {
  return /^[a-z][\w-]{0,39}$/i.test(text) && !RESERVED.includes(text.toLowerCase());
}

const FAVOURITE_PREFIX = `${FAVOURITES}.`;

/** The key of a favourite, whose name may have capitals. */
const keyOf = (name: string): string => FAVOURITE_PREFIX + name.toLowerCase();

/** The station of a favourite as the user wrote it: `110`, `PP603`. */
export const findFavourite = (config: Config, name: string): string | undefined =>
  config.get(keyOf(name));

/** The favourites by name, in lower case, each with its station as the user wrote it. */
export function favouritesIn(config: Config): [name: string, station: string][] {
  const favourites = [...config].filter(([key]) => key.startsWith(FAVOURITE_PREFIX));
  return favourites.map(([key, station]) => [key.slice(FAVOURITE_PREFIX.length), station]);
}

const MAX_LISTED = 8;

/** Words for an error: the names of the favourites, or how to set a first favourite. */
export function describeFavourites(config: Config): string {
  const names = favouritesIn(config).map(([name]) => name);
  if (names.length === 0) return 'none is set; vane config set favourites.home 110';
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Reads a key such as `units` or `favourites.home`. @throws UsageError */
export function readKey(text: string): string {
  if (isPlainKey(text)) return text;
  if (text === FAVOURITES || text === FAVOURITE_PREFIX) {
    throw new UsageError('A favourite needs a name: favourites.home, for one called home.');
  }
  if (!text.startsWith(FAVOURITE_PREFIX)) {
    throw new UsageError(
      `There is no key “${printable(text)}”; choose from ${PLAIN_KEYS.join(', ')} and favourites.NAME.`,
    );
  }
  const name = text.slice(FAVOURITE_PREFIX.length);
  if (!isFavouriteName(name)) throw wrongValue('The name of a favourite', NAME_RULE, name);
  return keyOf(name);
}

/**
 * Checks the value of a key.
 * @param place where the value stands, such as ` in config.json`, for the error
 * @throws UsageError for a wrong value
 */
export function checkValue(key: string, text: string, place = ''): void {
  if (isPlainKey(key)) readValue(key, key + place, text);
  else if (parseStationId(text) === undefined) throw wrongValue(key + place, STATION_FORMS, text);
}

/** Path of the user's configuration file; undefined where the environment names no home folder. */
export function configPath(io: Io): string | undefined {
  if (io.env.VANE_CONFIG) return resolve(io.env.VANE_CONFIG);
  const folder = userFolder('config', io.env, io.runtime.platform);
  return folder && join(pathOf(folder), 'config.json');
}

/**
 * Reads the user's configuration, which is empty where there is no file.
 * @throws UsageError for a file that cannot be read or is no configuration
 */
export function readConfig(io: Io): Config {
  const path = configPath(io);
  if (path === undefined) return NO_CONFIG;
  try {
    if (!io.env.VANE_CONFIG) refuseForeign(path, io);
    const text = readText(path);
    return text.trim() === '' ? NO_CONFIG : parseConfig(text, path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return NO_CONFIG;
    if (code === undefined) throw error;
    throw new UsageError(`The config file ${path} cannot be read: ${fileCause(error)}.`);
  }
}

const MAX_MIB = 1;

/** Reads a configuration file, but no pipe or device, which may never end; /dev/null is empty. */
function readText(path: string): string {
  const status = statSync(path);
  const isNull = status.isCharacterDevice() && status.rdev === statSync(devNull).rdev;
  if (!status.isFile() && !status.isDirectory() && !isNull) {
    throw new UsageError(`The config file ${path} cannot be read: it is not a plain file.`);
  }
  const text = readShortText(path, MAX_MIB * 1024 ** 2);
  if (text !== undefined) return text;
  throw new UsageError(`The config file ${path} cannot be read: it is larger than ${MAX_MIB} MiB.`);
}

/** Refuses a configuration by which another user could name the service of vane. */
function refuseForeign(path: string, { runtime }: Io): void {
  try {
    refuseForeignFile(path, runtime.user);
  } catch (error) {
    if (errorCode(error) !== undefined) throw error;
    const { message } = error as Error;
    throw new UsageError(
      `The config file is not safe to use: ${message}. To use a file anyway, name it with VANE_CONFIG.`,
    );
  }
}

/**
 * Reads the text of the configuration file.
 * @throws UsageError that names the file, the key and the expected value
 */
function parseConfig(text: string, path: string): Config {
  const { favourites = {}, ...plain } = readObject(parseJson(text, path), path, '{"units": "kn"}');
  const config = new Map<string, string>();
  const add = (key: string, value: unknown): void => {
    checkValue(key, textOf(value), ` in ${path}`);
    config.set(key, textOf(value));
  };
  for (const [key, value] of Object.entries(plain)) {
    if (!isPlainKey(key)) {
      throw new UsageError(
        `There is no key “${printable(key)}” in ${path}; there are ${PLAIN_KEYS.join(', ')} and favourites.`,
      );
    }
    add(key, value);
  }
  const stations = readObject(favourites, `favourites in ${path}`, '{"home": 110}');
  for (const [name, station] of Object.entries(stations)) {
    if (!isFavouriteName(name))
      throw wrongValue(`A name in favourites in ${path}`, NAME_RULE, name);
    const key = keyOf(name);
    if (config.has(key)) {
      throw new UsageError(
        `${key} appears twice in ${path}. Upper and lower case do not matter; remove one.`,
      );
    }
    add(key, station);
  }
  return config;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // JSON.parse quotes the text in its message: cut off the quote, which may contain a password.
    const cause = (error as Error).message.replace(/, (?:\.{3})?".*$/s, '');
    throw new UsageError(
      `${path} is not JSON such as {"units": "kn", "favourites": {"home": 110}}: ${cause}.`,
    );
  }
}

/** @param example an object as JSON, for the error */
function readObject(
  value: unknown,
  subject: string,
  example: string,
): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw wrongValue(subject, `an object such as ${example}`, textOf(value));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse reads any depth, but JSON.stringify runs out of stack.
    return '[[[…';
  }
}

/** The JSON text of the configuration file, which {@link readConfig} reads back. */
export function formatConfig(config: Config): string {
  const asNumber = (text: string) => (String(Number(text)) === text ? Number(text) : text);
  const plain = PLAIN_KEYS.map((key) => [key, config.get(key)]);
  const stations = favouritesIn(config).map(([name, text]) => [name, asNumber(text)]);
  const named = stations.length > 0 ? { favourites: Object.fromEntries(stations) } : {};
  return `${JSON.stringify({ ...Object.fromEntries(plain), ...named }, undefined, 2)}\n`;
}
