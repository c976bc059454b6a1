import { DEFAULT_BASE_URL } from '../../defaults.ts';
import type { Io } from '../../io.ts';
import { type Config, type PlainKey, READERS } from './config.ts';
import type { GlobalFlags, PresentationFlags } from './options.ts';

export interface Setting {
  readonly value: string;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** The name of the flag, variable or key that gave the value. */
  readonly by: string;
}

type Flags = Pick<GlobalFlags, 'baseUrl'> & PresentationFlags;

/** The first source that gives a setting: flag, environment, configuration file, vane's default. */
export function findSetting(key: PlainKey, flags: Flags, config: Config, { env }: Io): Setting {
  const { baseUrl, units, knots, tz } = flags;
  const sources = {
    base_url: [
      { value: baseUrl, from: 'flag', by: '--base-url' },
      { value: env.VANE_BASE_URL || undefined, from: 'environment', by: 'VANE_BASE_URL' },
      { value: config.base_url, from: 'file', by: 'base_url' },
      { value: DEFAULT_BASE_URL, from: 'default', by: 'base_url' },
    ],
    units: [
      { value: knots && 'kn', from: 'flag', by: '--knots' },
      { value: units, from: 'flag', by: '--units' },
      { value: env.VANE_UNITS || undefined, from: 'environment', by: 'VANE_UNITS' },
      { value: config.units, from: 'file', by: 'units' },
      { value: 'kmh', from: 'default', by: 'units' },
    ],
    tz: [
      { value: tz, from: 'flag', by: '--tz' },
      { value: env.VANE_TZ || undefined, from: 'environment', by: 'VANE_TZ' },
      { value: config.tz, from: 'file', by: 'tz' },
      { value: 'utc', from: 'default', by: 'tz' },
    ],
  } as const;
  return sources[key].find(({ value }) => value !== undefined) as Setting;
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
