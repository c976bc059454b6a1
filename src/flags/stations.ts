import type { Condition } from '../domain/condition/condition.ts';
import { parseGeoBox, parsePosition } from '../domain/geo.ts';
import type { StationSelection } from '../domain/selection.ts';
import { parseStationId } from '../domain/station.ts';
import { printable } from '../domain/text.ts';
import { parseDistanceKm } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { readCondition, refusedFields } from './conditions.ts';
import { configPath } from './config.ts';
import {
  describeFavourites,
  findFavourite,
  isFavouritesWord,
  listFavourites,
  readConditionsOfFavourites,
} from './favourites.ts';
import type { SelectionFlags } from './options.ts';
import type { Config } from './settings.ts';
import {
  readDurationMs,
  readIfGiven,
  readInteger,
  requireValue,
  STATION_FORMS,
  wrongValueError,
} from './values.ts';

/**
 * Reads the stations of the command line, without repetitions. `all` or no word means all stations;
 * `favourites` means the user's favourites.
 * @throws UsageError
 */
export function readStations(texts: readonly string[], config: Config): readonly number[] | 'all' {
  const words = texts.flatMap(splitList);
  const named = words.filter((word) => word !== ALL);
  const ids = named.flatMap((word) =>
    isFavouritesWord(word) ? readFavourites(config) : [readStation(word, config)],
  );
  return named.length === 0 || named.length < words.length ? 'all' : [...new Set(ids)];
}

/**
 * Reads the conditions of the favourites on the command line, by station; none if it means all
 * stations.
 * @param zone the time zone of hours in conditions
 * @throws UsageError for an invalid condition, which names the file
 */
export function readFavouriteConditions(
  texts: readonly string[],
  config: Config,
  zone: string,
  io: Io,
): ReadonlyMap<number, Condition> {
  const words = texts.flatMap(splitList);
  const named = words.flatMap((word) =>
    isFavouritesWord(word) ? listFavourites(config) : (findFavourite(config, word) ?? []),
  );
  const favourites = words.includes(ALL) ? [] : named;
  return readConditionsOfFavourites(favourites, configPath(io) ?? '', zone);
}

/** Whether a word is a list of stations: ids, page addresses or favourites. */
export function isStationWord(text: string, config: Config): boolean {
  return splitList(text).every(
    (word) => isFavouritesWord(word) || findStation(word, config) !== undefined,
  );
}

/**
 * Joins words such as `col du vent` into a text to search for in station names. Returns undefined
 * if one of the words is a station, or if the words cannot be a name.
 */
export function joinNameWords(texts: readonly string[], config: Config): string | undefined {
  const isStation = (word: string) => word === ALL || isStationWord(word, config);
  if (texts.flatMap(splitList).some(isStation)) return undefined;
  const text = texts.join(' ').trim();
  return isLikeName(text) ? text : undefined;
}

/** Advice for a word that is not a station. `advice` comes after the favourites. */
export function adviseOnUnknownStation(config: Config, advice = ''): string {
  const own = listFavourites(config).length > 0;
  const favourites = own ? `Your favourites: ${describeFavourites(config)}. ` : '';
  return `${favourites}${advice}To search by place: vane live --near 45.9,6.1`;
}

const ALL = 'all';

function readFavourites(config: Config): number[] {
  const stations = listFavourites(config).map(({ name }) => readStation(name, config));
  if (stations.length > 0) return stations;
  throw new UsageError(`There are no favourites: ${describeFavourites(config)}.`);
}

/** Splits a list such as `110,603`. A station's web address may contain commas. */
function splitList(text: string): string[] {
  const parts =
    parseStationId(text) !== undefined ? [] : text.split(',').filter((part) => part.trim() !== '');
  return parts.length > 0 ? parts.map((part) => part.trim()) : [text];
}

/** The station id that a word names. A favourite takes precedence over a printed id. */
function findStation(word: string, config: Config): number | undefined {
  return parseStationId(findFavourite(config, word)?.station ?? word);
}

function readStation(text: string, config: Config): number {
  const station = findStation(text, config);
  if (station !== undefined) return station;
  if (!isLikeName(text)) throw wrongValueError('A station', STATION_FORMS, text);
  const isPlain = /^[\p{L}\p{M}\p{N} '’-]+$/u.test(text);
  const name = isPlain && !/[ '’]/.test(text) ? text : `"${isPlain ? text : 'col du'}"`;
  const advice = adviseOnUnknownStation(config, `To search names: vane live ${name}. `);
  throw new UsageError(`No station is called “${printable(text)}”. ${advice}`);
}

const isLikeName = (text: string): boolean => /\p{L}/u.test(text) && !/\p{Cc}|:\/\//u.test(text);

/**
 * Reads the flags that select stations.
 * @param zone the time zone of hours in `--where`
 * @param hasTrend whether `--where` may use `trend`
 * @throws UsageError
 */
export function readSelection(
  flags: SelectionFlags,
  zone: string,
  hasTrend = false,
): StationSelection {
  const { name, near, radius, bbox, state, maxAge, where, sort, limit } = flags;
  if (near === undefined && (radius !== undefined || sort === 'distance')) {
    const flag = radius === undefined ? '--sort distance' : '--radius';
    throw new UsageError(`${flag} needs --near with a latitude and longitude.`);
  }
  return {
    name,
    near: readIfGiven(near, (text) =>
      requireValue(
        parsePosition(text),
        '--near',
        'latitude,longitude in degrees with a comma between, such as 45.96,6.24',
        text,
      ),
    ),
    radiusKm: readIfGiven(radius, (text) =>
      requireValue(
        parseDistanceKm(text),
        '--radius',
        'a distance such as 25km, 15nm or 10mi',
        text,
      ),
    ),
    box: readIfGiven(bbox, (text) =>
      requireValue(
        parseGeoBox(text),
        '--bbox',
        'west,south,east,north in degrees such as 5.5,45,7.5,46.5',
        text,
      ),
    ),
    state,
    maxAgeMs: readIfGiven(maxAge, (text) => readDurationMs('--max-age', text)),
    where: readIfGiven(where, (text) =>
      readCondition(
        '--where',
        text,
        refusedFields({ hasPlace: near !== undefined, hasTrend }),
        zone,
      ),
    ),
    sort,
    limit: readIfGiven(limit, (text) => readInteger('--limit', text, 1, 1_000_000)),
  };
}

/** Whether a selection has no filter, order or limit. */
export function isSelectionEmpty(selection: StationSelection): boolean {
  return Object.values(selection).every((condition) => condition === undefined);
}
