import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { printable } from '../domain/text.ts';
import { describeFileError, errorCode, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { refuseForeignFile, userFolder, userFolderPath } from '../userFolder.ts';
import { isObject } from '../wire/check.ts';
import {
  checkFavouriteValue,
  FAVOURITE_NAME_RULE,
  FAVOURITES_WORD,
  favouriteConditionKey,
  favouriteStationKey,
  isFavouriteName,
  listFavourites,
  readFavouriteKey,
} from './favourites.ts';
import {
  type Config,
  EMPTY_CONFIG,
  isSettingKey,
  readSettingValue,
  SETTING_KEYS,
} from './settings.ts';
import { readSmallFile } from './shortText.ts';
import { wrongValueError } from './values.ts';

/**
 * Reads a configuration key such as `units`, `favourites.home` or `favourites.home.when`.
 * @throws UsageError
 */
export function readConfigKey(text: string): string {
  const key = isSettingKey(text) ? text : readFavouriteKey(text);
  if (key !== undefined) return key;
  throw new UsageError(
    `There is no key “${printable(text)}”; choose from ${SETTING_KEYS.join(', ')} and favourites.NAME.`,
  );
}

/**
 * Checks the value of a configuration key.
 * @param place where the value is, such as ` in config.json`, for the error
 * @throws UsageError for an invalid value
 */
export function checkConfigValue(key: string, text: string, place = ''): void {
  if (isSettingKey(key)) readSettingValue(key, key + place, text);
  else checkFavouriteValue(key, key + place, text);
}

/** The path of the user's configuration file; undefined if the environment names no home folder. */
export function configPath(io: Io): string | undefined {
  if (io.env.VANE_CONFIG) return resolve(io.env.VANE_CONFIG);
  const folder = userFolder('config', io.env, io.runtime.platform);
  return folder && join(userFolderPath(folder), 'config.json');
}

/**
 * Reads the user's configuration. It is empty if there is no file.
 * @throws UsageError if the file cannot be read or is not a valid configuration
 */
export function readConfig(io: Io): Config {
  const path = configPath(io);
  if (path === undefined) return EMPTY_CONFIG;
  try {
    if (!io.env.VANE_CONFIG) refuseForeign(path, io);
    const text = readText(path);
    return text.trim() === '' ? EMPTY_CONFIG : parseConfig(text, path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return EMPTY_CONFIG;
    if (code === undefined) throw error;
    throw new UsageError(`The config file ${path} cannot be read: ${describeFileError(error)}.`);
  }
}

const MAX_MIB = 1;

/**
 * Reads a configuration file. Refuses pipes and devices, which may never end, but treats /dev/null
 * as empty.
 */
function readText(path: string): string {
  const status = statSync(path);
  const isNull = status.isCharacterDevice() && status.rdev === statSync(devNull).rdev;
  if (!status.isFile() && !status.isDirectory() && !isNull) {
    throw new UsageError(`The config file ${path} cannot be read: it is not a plain file.`);
  }
  const text = readSmallFile(path, MAX_MIB * 1024 ** 2);
  if (text !== undefined) return text;
  throw new UsageError(`The config file ${path} cannot be read: it is larger than ${MAX_MIB} MiB.`);
}

/**
 * Refuses a configuration that another user could change, and so redirect vane to another service.
 */
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
 * Parses the configuration file.
 * @throws UsageError that names the file, the key and the expected value
 */
function parseConfig(text: string, path: string): Config {
  const {
    favourites = {},
    favorites = {},
    ...plain
  } = readObject(parseJson(text, path), path, '{"units": "kn"}');
  const config = new Map<string, string>();
  const add = (key: string, value: unknown): void => {
    checkConfigValue(key, textOf(value), ` in ${path}`);
    config.set(key, textOf(value));
  };
  for (const [key, value] of Object.entries(plain)) {
    if (!isSettingKey(key)) {
      throw new UsageError(
        `There is no key “${printable(key)}” in ${path}; there are ${SETTING_KEYS.join(', ')} and favourites.`,
      );
    }
    add(key, value);
  }
  for (const named of [favourites, favorites]) {
    const entries = readObject(named, `favourites in ${path}`, '{"home": 110}');
    for (const [name, value] of Object.entries(entries)) {
      if (!isFavouriteName(name))
        throw wrongValueError(`A name in favourites in ${path}`, FAVOURITE_NAME_RULE, name);
      const key = favouriteStationKey(name);
      if (config.has(key)) {
        throw new UsageError(
          `${key} appears twice in ${path}. Upper and lower case do not matter; remove one.`,
        );
      }
      const { station, when } = readFavourite(value, `${key} in ${path}`);
      add(key, station);
      // Do not check the condition here, so that an error in it only affects commands that use it.
      if (when !== undefined) config.set(favouriteConditionKey(name), textOf(when));
    }
  }
  return config;
}

/** Reads a favourite from the file: its station, or an object with station and condition. */
function readFavourite(value: unknown, subject: string): { station: unknown; when?: unknown } {
  if (!isObject(value)) return { station: value };
  const { station, when, ...others } = value;
  const [odd] = Object.keys(others);
  if (odd !== undefined) {
    throw new UsageError(
      `There is no key “${printable(odd)}” in ${subject}; it has station and when.`,
    );
  }
  if (station !== undefined) return { station, when };
  throw new UsageError(`${subject} needs a station: {"station": 110, "when": "avg > 15kn"}.`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Cut off the text that JSON.parse quotes in its message: it may contain a password.
    const cause = (error as Error).message.replace(/, (?:\.{3})?".*$/s, '');
    throw new UsageError(
      `${path} is not JSON such as {"units": "kn", "favourites": {"home": 110}}: ${cause}.`,
    );
  }
}

/** @param example a valid object as JSON, for the error */
function readObject(
  value: unknown,
  subject: string,
  example: string,
): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw wrongValueError(subject, `an object such as ${example}`, textOf(value));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse accepts any depth, but JSON.stringify overflows the stack.
    return '[[[…';
  }
}

/** Formats the configuration as JSON, for {@link readConfig} to read again. */
export function formatConfig(config: Config): string {
  const asNumber = (text: string) => (String(Number(text)) === text ? Number(text) : text);
  const plain = SETTING_KEYS.map((key) => [key, config.get(key)]);
  const favourites = listFavourites(config).map(({ name, station: text, when }) => {
    const station = asNumber(text);
    return [name, when === undefined ? station : { station, when }];
  });
  const named = favourites.length > 0 ? { [FAVOURITES_WORD]: Object.fromEntries(favourites) } : {};
  return `${JSON.stringify({ ...Object.fromEntries(plain), ...named }, undefined, 2)}\n`;
}
