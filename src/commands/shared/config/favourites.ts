import { parseStationId } from '../../../domain/station.ts';

/** Stations by names of the user's own in lower case, each as people write a station. */
export type Favourites = ReadonlyMap<string, string>;

const NAME = /^[a-z][\w-]{0,39}$/i;

/** In words, for errors. */
export const NAME_RULE =
  'letters a to z, digits, - and _ (a letter first, at most 40), and neither all nor an id';

/** Whether a word may name a favourite: nothing that means a station by itself does. */
export function isFavouriteName(text: string): boolean {
  return NAME.test(text) && text.toLowerCase() !== 'all' && parseStationId(text) === undefined;
}

/** The id of the station that a word names, in whatever case. */
export function findFavourite(text: string, favourites: Favourites): number | undefined {
  return parseStationId(favourites.get(text.toLowerCase()) ?? '');
}

const MOST_LISTED = 8;

/** Which there are, or how to get one. */
export function describeFavourites(favourites: Favourites): string {
  if (favourites.size === 0) return 'none is set; vane config set favourites.home 110';
  const names = [...favourites.keys()];
  const more = names.length - MOST_LISTED;
  return names.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
