import type { Io } from '../io.ts';
import { DEFAULT_BASE_URL } from '../service/service.ts';
import type { GlobalFlags, PresentationFlags } from './options.ts';
import { readBaseUrl, readSize, readUnit, readZone } from './values.ts';

/** The texts of the user's configuration by key: `units`, `favourites.home`. */
export type Config = ReadonlyMap<string, string>;

export const EMPTY_CONFIG: Config = new Map();

export interface Setting {
  readonly value: string;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** The name of the flag, environment variable or configuration key that gave the value. */
  readonly by: string;
}

/**
 * The keys of the configuration that have one value, each with its environment variable, its value
 * without any, and the function that reads a value or throws UsageError.
 */
const SETTINGS = {
  base_url: { variable: 'VANE_BASE_URL', usual: DEFAULT_BASE_URL, read: readBaseUrl },
  units: { variable: 'VANE_UNITS', usual: 'kmh', read: readUnit },
  tz: { variable: 'VANE_TZ', usual: 'utc', read: readZone },
} as const;

type SettingKey = keyof typeof SETTINGS;

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

export const isSettingKey = (text: string): text is SettingKey => Object.hasOwn(SETTINGS, text);

/** Reads the value of a key. @throws UsageError that names `subject`, the place of the text */
export function readSettingValue<K extends SettingKey>(
  key: K,
  subject: string,
  text: string,
): ReturnType<(typeof SETTINGS)[K]['read']> {
  return SETTINGS[key].read(subject, text) as ReturnType<(typeof SETTINGS)[K]['read']>;
}

type Flags = Pick<GlobalFlags, 'baseUrl'> & PresentationFlags;

/** The first source that sets a value: flag, environment, configuration file, vane's default. */
export function findSetting(
  key: SettingKey,
  flags: Flags,
  config: Config,
  { env }: Pick<Io, 'env'>,
): Setting {
  const { baseUrl, units, knots, tz } = flags;
  const fromFlags = {
    base_url: { value: baseUrl, by: '--base-url' },
    units: knots ? { value: 'kn', by: '--knots' } : { value: units, by: '--units' },
    tz: { value: tz, by: '--tz' },
  };
  const { variable, usual } = SETTINGS[key];
  const sources = [
    { ...fromFlags[key], from: 'flag' },
    { value: env[variable] || undefined, from: 'environment', by: variable },
    { value: config.get(key), from: 'file', by: key },
    { value: usual, from: 'default', by: key },
  ];
  return sources.find(({ value }) => value !== undefined) as Setting;
}

/**
 * Finds a setting as {@link findSetting} does, and reads its value.
 * @throws UsageError that names the source of a wrong value
 */
export function readSetting<K extends SettingKey>(
  key: K,
  flags: Flags,
  config: Config,
  io: Pick<Io, 'env'>,
) {
  const { by, value } = findSetting(key, flags, config, io);
  return readSettingValue(key, by, value);
}

/** The largest size of the cache on disk, in bytes. @throws UsageError for a wrong value */
export function readCacheSize({ env }: Pick<Io, 'env'>): number {
  return readSize('VANE_CACHE_MAX_SIZE', env.VANE_CACHE_MAX_SIZE || '1GiB');
}
