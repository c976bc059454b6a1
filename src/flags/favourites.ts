import { anyOfConditions, type Condition } from '../domain/condition/condition.ts';
import type { RefusedFields } from '../domain/condition/fields.ts';
import { parseStationId } from '../domain/station.ts';
import { printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import { readCondition } from './conditions.ts';
import type { Config } from './settings.ts';
import { STATION_FORMS, wrongValueError } from './values.ts';

/** A favourite: a station that the user named in the configuration. */
interface Favourite {
  /** The name in lower case. */
  readonly name: string;
  /** The station as the user wrote it, such as `110` or `PP603`. */
  readonly station: string;
  /** The condition that means that the wind is right there; undefined without one. */
  readonly when: string | undefined;
}

export const FAVOURITES_WORD = 'favourites';

/** Whether a word means all favourites, in British or American spelling. */
export const isFavouritesWord = (word: string): boolean =>
  word === FAVOURITES_WORD || word === 'favorites';

/** The rule for names of favourites, for error messages. */
export const FAVOURITE_NAME_RULE =
  'letters a to z, digits, - and _ (a letter first, at most 40), but not all, favourites or favorites';

/**
 * Whether a word may be the name of a favourite. A name such as `pp7` is allowed, and takes
 * precedence over the station with that printed id.
 */
export function isFavouriteName(text: string): boolean {
  const word = text.toLowerCase();
  return /^[a-z][\w-]{0,39}$/.test(word) && word !== 'all' && !isFavouritesWord(word);
}

/** The configuration key of a favourite's station. Names may have upper-case letters. */
export const favouriteStationKey = (name: string): string =>
  `${FAVOURITES_WORD}.${name.toLowerCase()}`;

/** The configuration key of a favourite's condition. */
export const favouriteConditionKey = (name: string): string => `${favouriteStationKey(name)}.when`;

/** Splits the key of a favourite into its name and the kind of key. Names contain no dots. */
export function splitFavouriteKey(key: string): {
  readonly name: string;
  readonly isCondition: boolean;
} {
  const [, name = '', part] = key.split('.');
  return { name, isCondition: part !== undefined };
}

/** Finds a favourite by its name. */
export function findFavourite(config: Config, name: string): Favourite | undefined {
  const station = config.get(favouriteStationKey(name));
  if (station === undefined) return undefined;
  return { name: name.toLowerCase(), station, when: config.get(favouriteConditionKey(name)) };
}

/** Lists all favourites in the order of the file. */
export function listFavourites(config: Config): Favourite[] {
  return [...config.keys()].flatMap((key) => {
    const { name, isCondition } = splitFavouriteKey(key);
    return isCondition ? [] : (findFavourite(config, name) ?? []);
  });
}

const MAX_LISTED = 8;

/** Lists the favourites for an error, or says how to set the first one. */
export function describeFavourites(config: Config): string {
  const names = listFavourites(config).map(({ name }) => name);
  if (names.length === 0) return 'none is set; vane config set favourites.home 110';
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Reads the key of a favourite's station or condition: `favourites.home`, `favourites.home.when`.
 * @returns the key in its standard form; undefined if the text does not begin with `favourites.`
 * @throws UsageError if the rest of the text is malformed
 */
export function readFavouriteKey(text: string): string | undefined {
  const [head = '', name = '', part = 'station', ...more] = text.split('.');
  if (!isFavouritesWord(head)) return undefined;
  if (name === '') {
    throw new UsageError('A favourite needs a name: favourites.home, for one called home.');
  }
  if (!isFavouriteName(name))
    throw wrongValueError('The name of a favourite', FAVOURITE_NAME_RULE, name);
  if (more.length === 0 && part === 'station') return favouriteStationKey(name);
  if (more.length === 0 && part === 'when') return favouriteConditionKey(name);
  throw new UsageError(
    `There is no key “${printable(text)}”; choose from ${favouriteStationKey(name)} and ${favouriteConditionKey(name)}.`,
  );
}

/**
 * Checks the value for a favourite's key.
 * @throws UsageError that names `subject`
 */
export function checkFavouriteValue(key: string, subject: string, text: string): void {
  if (splitFavouriteKey(key).isCondition) readOwnCondition(subject, text, 'utc');
  else if (parseStationId(text) === undefined) throw wrongValueError(subject, STATION_FORMS, text);
}

const REFUSED: RefusedFields = {
  distance: 'A favourite has no place to measure “distance” from.',
};

function readOwnCondition(subject: string, text: string, zone: string): Condition {
  return readCondition(subject, text, REFUSED, zone);
}

/**
 * Reads the conditions of favourites, by station. If a station has several favourites, its
 * condition is true if any of theirs is.
 * @param file the configuration file, for errors
 * @param zone the time zone of hours in conditions
 * @throws UsageError that names the favourite, and points at the first error in its condition
 */
export function readConditionsOfFavourites(
  favourites: readonly Favourite[],
  file: string,
  zone: string,
): ReadonlyMap<number, Condition> {
  const texts = new Map<number, Map<string, Condition>>();
  for (const { name, station, when } of favourites) {
    const id = parseStationId(station);
    if (id === undefined || when === undefined) continue;
    const condition = readOwnCondition(`${favouriteConditionKey(name)} in ${file}`, when, zone);
    texts.set(id, (texts.get(id) ?? new Map()).set(when, condition));
  }
  return new Map(
    Array.from(texts, ([id, conditions]) => [id, anyOfConditions([...conditions.values()])]),
  );
}
