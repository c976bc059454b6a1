import { parseBox, parsePosition } from '../domain/geo.ts';
import type { Selection } from '../domain/selection.ts';
import { parseStationId } from '../domain/station.ts';
import { parseDistanceKm } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import { readCondition, refusedFields } from './conditions.ts';
import {
  type Config,
  describeFavourites,
  FAVOURITES,
  favouritesIn,
  findFavourite,
  isFavouriteName,
} from './config.ts';
import type { SelectionFlags } from './options.ts';
import { accept, ifGiven, quote, readDurationMs, readInteger } from './values.ts';

/**
 * Reads the stations on the command line, each id once. `all` or no name means all stations,
 * `favourites` all of the user's favourites.
 * @throws UsageError
 */
export function readStations(texts: readonly string[], config: Config): readonly number[] | 'all' {
  const words = texts.flatMap(splitList).flatMap((word) => expandFavourites(word, config));
  const ids = words.filter((text) => text !== 'all').map((text) => readStation(text, config));
  return ids.length === 0 || ids.length < words.length ? 'all' : [...new Set(ids)];
}

function expandFavourites(word: string, config: Config): string[] {
  if (word !== FAVOURITES) return [word];
  const stations = favouritesIn(config).map(([, station]) => station);
  if (stations.length > 0) return stations;
  throw new UsageError(`There are no favourites: ${describeFavourites(config)}.`);
}

/** Splits a list of stations such as `110,603`. The web address of a station may have commas. */
function splitList(text: string): string[] {
  const parts =
    parseStationId(text) !== undefined ? [] : text.split(',').filter((part) => part.trim() !== '');
  return parts.length > 0 ? parts.map((part) => part.trim()) : [text];
}

function readStation(text: string, config: Config): number {
  const station = parseStationId(text) ?? parseStationId(findFavourite(config, text) ?? '');
  if (station !== undefined) return station;
  const forms = isFavouriteName(text)
    ? `, the address of its page, or a favourite (${describeFavourites(config)})`
    : ' or the address of its page';
  const message = `${quote(text)} is not a station. Name it by its id (110 or PP603)${forms}.`;
  if (!/^\p{L}[\p{L}\p{M}\p{N} '’-]*$/u.test(text)) throw new UsageError(message);
  const name = /[ '’]/.test(text) ? `"${text}"` : text;
  throw new UsageError(
    `${message} Search by name with --name ${name}, or by place with --near 45.9,6.1.`,
  );
}

/**
 * Reads the flags that select stations.
 * @param zone the time zone of the hours of `--where`
 * @param hasTrend whether `--where` may compare `trend`
 * @throws UsageError
 */
export function readSelection(flags: SelectionFlags, zone: string, hasTrend = false): Selection {
  const { name, near, radius, bbox, state, maxAge, where, sort, limit } = flags;
  if (near === undefined && (radius !== undefined || sort === 'distance')) {
    const flag = radius === undefined ? '--sort distance' : '--radius';
    throw new UsageError(`${flag} needs --near latitude,longitude to count from.`);
  }
  return {
    name,
    near: ifGiven(near, (text) =>
      accept(
        parsePosition(text),
        '--near',
        'latitude,longitude in degrees with a comma between, such as 45.96,6.24',
        text,
      ),
    ),
    radiusKm: ifGiven(radius, (text) =>
      accept(parseDistanceKm(text), '--radius', 'a distance such as 25km, 15nm or 10mi', text),
    ),
    box: ifGiven(bbox, (text) =>
      accept(
        parseBox(text),
        '--bbox',
        'west,south,east,north in degrees such as 5.5,45,7.5,46.5',
        text,
      ),
    ),
    state,
    maxAgeMs: ifGiven(maxAge, (text) => readDurationMs('--max-age', text)),
    where: ifGiven(where, (text) =>
      readCondition(
        '--where',
        text,
        refusedFields({ hasPlace: near !== undefined, hasTrend }),
        zone,
      ),
    ),
    sort,
    limit: ifGiven(limit, (text) => readInteger('--limit', text, 1, 1_000_000)),
  };
}

/** Whether a selection is empty, so that it keeps every station, ordered by id. */
export function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((condition) => condition === undefined);
}
