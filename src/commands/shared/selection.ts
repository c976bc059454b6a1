import type { LiveStations } from '../../domain/envelope.ts';
import type { Selection } from '../../domain/selection.ts';
import type { Station } from '../../domain/station.ts';
import { parseStationId } from '../../domain/station.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import type { Favourites } from './config/favourites.ts';
import { describeFavourites, findFavourite, isFavouriteName } from './config/favourites.ts';
import type { SelectionFlags } from './options.ts';
import type { Session } from './session.ts';
import {
  ID_FORMS,
  readBox,
  readDurationMs,
  readInteger,
  readPosition,
  readRadiusKm,
  STATION_FORMS,
  wrong,
} from './values.ts';

/**
 * A station's id from an id, a printed id, a page's address or a favourite.
 * @throws UsageError
 */
export function readStation(text: string, favourites: Favourites): number {
  const station = parseStationId(text) ?? findFavourite(text, favourites);
  if (station !== undefined) return station;
  const forms = isFavouriteName(text)
    ? `${ID_FORMS}, the address of its page, or a favourite (${describeFavourites(favourites)})`
    : STATION_FORMS;
  throw wrong('A station', forms, text);
}

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

/**
 * One station where one is named, else all that the service has, other ones too.
 * @throws every failure of a StationService
 */
export async function askFor(
  stations: readonly number[] | 'all',
  withMeta: boolean,
  { service, signal }: Pick<Session, 'service' | 'signal'>,
): Promise<LiveStations> {
  const [first, ...others] = stations === 'all' ? [] : stations;
  if (first === undefined || others.length > 0) return service.liveAll({ withMeta, signal });
  const answer = await service.live(first, { withMeta, signal });
  return { ...answer, data: [answer.data] };
}

/** @throws NotFoundError that names the stations that are not among those of the service */
export function refuseUnknown(
  named: readonly number[],
  stations: readonly Station[],
  baseUrl: string,
): void {
  const known = new Set(stations.map(({ id }) => id));
  const unknown = named.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const who =
    unknown.length === 1 ? `Station ${unknown[0]} is` : `Stations ${unknown.join(', ')} are`;
  throw new NotFoundError(`${who} not known at ${baseUrl}.`);
}
