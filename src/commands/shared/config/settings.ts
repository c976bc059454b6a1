import { DEFAULT_BASE_URL } from '../../../defaults.ts';
import type { SpeedUnit } from '../../../domain/units.ts';
import type { Io } from '../../../io.ts';
import type { GlobalFlags, PresentationFlags } from '../options.ts';
import type { Favourites } from './favourites.ts';

/** What the user's configuration holds, under the names that it has there. */
export interface Config {
  readonly base_url: string | undefined;
  readonly units: SpeedUnit | undefined;
  readonly tz: string | undefined;
  readonly favourites: Favourites;
}

export const NO_CONFIG: Config = {
  base_url: undefined,
  units: undefined,
  tz: undefined,
  favourites: new Map(),
};

/** A value, and where it comes from. */
export interface Setting<T extends string = string> {
  readonly value: T;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** As the user named it: a flag, a variable or a key. */
  readonly by: string;
}

type Candidate<T extends string> = { readonly [K in keyof Setting<T>]: Setting<T>[K] | undefined };

/** The first that has a value; the last always does. */
function firstOf<T extends string>(...candidates: Candidate<T>[]): Setting<T> {
  return candidates.find(({ value }) => value !== undefined) as Setting<T>;
}

/** The address of the service: from a flag, the environment, the file, or the public network. */
export function findBaseUrl(
  { baseUrl }: Pick<GlobalFlags, 'baseUrl'>,
  { VANE_BASE_URL }: Io['env'],
  config: Config,
): Setting {
  return firstOf(
    { value: baseUrl, from: 'flag', by: '--base-url' },
    { value: VANE_BASE_URL || undefined, from: 'environment', by: 'VANE_BASE_URL' },
    { value: config.base_url, from: 'file', by: 'base_url' },
    { value: DEFAULT_BASE_URL, from: 'default', by: 'base_url' },
  );
}

/** The unit of speeds: from a flag, the file, or the service's own. */
export function findUnits(
  { units, knots }: Pick<PresentationFlags, 'units' | 'knots'>,
  config: Config,
): Setting<SpeedUnit> {
  return firstOf(
    { value: knots ? 'kn' : undefined, from: 'flag', by: '--knots' },
    { value: units, from: 'flag', by: '--units' },
    { value: config.units, from: 'file', by: 'units' },
    { value: 'kmh', from: 'default', by: 'units' },
  );
}

/** The zone of times: from a flag, the file, or UTC. */
export function findZone({ tz }: Pick<PresentationFlags, 'tz'>, config: Config): Setting {
  return firstOf(
    { value: tz, from: 'flag', by: '--tz' },
    { value: config.tz, from: 'file', by: 'tz' },
    { value: 'utc', from: 'default', by: 'tz' },
  );
}
