import { DEFAULT_BASE_URL } from '../defaults.ts';
import type { Io } from '../io.ts';
import { type Config, type PlainKey, READERS } from './config.ts';
import type { GlobalFlags, PresentationFlags } from './options.ts';

export interface Setting {
  readonly value: string;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** The name of the flag, environment variable or configuration key that gave the value. */
  readonly by: string;
}

const VARIABLES = { base_url: 'VANE_BASE_URL', units: 'VANE_UNITS', tz: 'VANE_TZ' } as const;
const DEFAULTS = { base_url: DEFAULT_BASE_URL, units: 'kmh', tz: 'utc' } as const;

type Flags = Pick<GlobalFlags, 'baseUrl'> & PresentationFlags;

/** The first source that gives a setting: flag, environment, configuration file, vane's default. */
export function findSetting(key: PlainKey, flags: Flags, config: Config, { env }: Io): Setting {
  const { baseUrl, units, knots, tz } = flags;
  const fromFlags = {
    base_url: { value: baseUrl, by: '--base-url' },
    units: knots ? { value: 'kn', by: '--knots' } : { value: units, by: '--units' },
    tz: { value: tz, by: '--tz' },
  };
  const variable = VARIABLES[key];
  const sources = [
    { ...fromFlags[key], from: 'flag' },
    { value: env[variable] || undefined, from: 'environment', by: variable },
    { value: config[key], from: 'file', by: key },
    { value: DEFAULTS[key], from: 'default', by: key },
  ];
  return sources.find(({ value }) => value !== undefined) as Setting;
}

/**
 * Finds a setting as {@link findSetting} does, and reads its value.
 * @throws UsageError that names the source of a wrong value
 */
export function readSetting<K extends PlainKey>(
  key: K,
  flags: Flags,
  config: Config,
  io: Io,
): ReturnType<(typeof READERS)[K]> {
  const { by, value } = findSetting(key, flags, config, io);
  return READERS[key](by, value) as ReturnType<(typeof READERS)[K]>;
}
