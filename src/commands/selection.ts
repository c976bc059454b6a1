import type { Selection } from '../domain/selection.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import type { SelectionFlags } from '../options.ts';
import type { Favourites } from './config/favourites.ts';
import {
  readBox,
  readDurationMs,
  readInteger,
  readPosition,
  readRadiusKm,
  readStation,
} from './flags.ts';

/**
 * Stations named on the command line, each once; `all` among them, or none, is all.
 * @throws UsageError
 */
export function readStations(
  texts: readonly string[],
  favourites: Favourites,
): readonly number[] | 'all' {
  const ids = texts.filter((text) => text !== 'all').map((text) => readStation(text, favourites));
  return ids.length === 0 || ids.length < texts.length ? 'all' : [...new Set(ids)];
}

/** @throws UsageError */
export function readSelection(flags: SelectionFlags): Selection {
  const { name, near, radius, bbox, state, maxAge, sort, limit } = flags;
  if (near === undefined && (radius !== undefined || sort === 'distance')) {
    const flag = radius === undefined ? '--sort distance' : '--radius';
    throw new UsageError(`${flag} needs --near latitude,longitude to count from.`);
  }
  return {
    name,
    near: near === undefined ? undefined : readPosition(near),
    radiusKm: radius === undefined ? undefined : readRadiusKm(radius),
    box: bbox === undefined ? undefined : readBox(bbox),
    state,
    maxAgeMs: maxAge === undefined ? undefined : readDurationMs('--max-age', maxAge),
    sort,
    limit: limit === undefined ? undefined : readInteger('--limit', limit, 1, 1_000_000),
  };
}

/** Whether a selection keeps every station, in the order of their ids. */
export function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((condition) => condition === undefined);
}

/** @throws NotFoundError that names the stations, where there are any */
export function refuseUnknown(stations: readonly number[], baseUrl: string): void {
  if (stations.length === 0) return;
  const who =
    stations.length === 1 ? `Station ${stations[0]} is` : `Stations ${stations.join(', ')} are`;
  throw new NotFoundError(`${who} not known at ${baseUrl}.`);
}
