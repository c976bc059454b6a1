import type { Io } from '../io.ts';
import { DEFAULT_BASE_URL } from '../service/service.ts';
import type { GlobalFlags, PresentationFlags } from './options.ts';
import { readBaseUrl, readSize, readUnit, readZone } from './values.ts';

/** The user's configuration as text by key, such as `units` or `favourites.home`. */
export type Config = ReadonlyMap<string, string>;

export const EMPTY_CONFIG: Config = new Map();

export interface Setting {
  readonly value: string;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** The flag, environment variable or configuration key that set the value. */
  readonly by: string;
}

/**
 * The configuration keys with a single value: the environment variable, the default, and a function
 * that reads the value or throws UsageError.
 */
const SETTINGS = {
  base_url: { variable: 'VANE_BASE_URL', usual: DEFAULT_BASE_URL, read: readBaseUrl },
  units: { variable: 'VANE_UNITS', usual: 'kmh', read: readUnit },
  tz: { variable: 'VANE_TZ', usual: 'utc', read: readZone },
} as const;

type SettingKey = keyof typeof SETTINGS;

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

export const isSettingKey = (text: string): text is SettingKey => Object.hasOwn(SETTINGS, text);

/**
 * Reads the value of a configuration key.
 * @throws UsageError that names `subject`, the source of the text
 */
export function readSettingValue<K extends SettingKey>(
  key: K,
  subject: string,
  text: string,
): ReturnType<(typeof SETTINGS)[K]['read']> {
  return SETTINGS[key].read(subject, text) as ReturnType<(typeof SETTINGS)[K]['read']>;
}

type Flags = Pick<GlobalFlags, 'baseUrl'> & PresentationFlags;

/**
 * Finds a setting in the first source that has it: flag, environment, configuration file, default.
 */
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
 * Finds a setting and reads its value.
 * @throws UsageError that names the source of an invalid value
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

/**
 * Reads the maximum size of the cache on disk, in bytes.
 * @throws UsageError for an invalid value
 */
export function readCacheSize({ env }: Pick<Io, 'env'>): number {
  return readSize('VANE_CACHE_MAX_SIZE', env.VANE_CACHE_MAX_SIZE || '1GiB');
}
