import { SORT_KEYS } from '../../../domain/selection.ts';
import { SPEED_UNIT_NAMES } from '../../../domain/units.ts';
import { firstVisible, indexOfChosen, visibleList } from './renderScreen.ts';
import type { Scene, TerminalWindow } from './scene.ts';

/** The part of a scene that keys change. */
export type ScreenChoices = Pick<
  Scene,
  'unit' | 'order' | 'top' | 'showsKeys' | 'chosen' | 'filter' | 'isTyping' | 'opened'
>;

type Change = (scene: Scene, window: TerminalWindow) => Partial<ScreenChoices>;

const ESCAPE = '\u001b';

/** The list's element after `one`; after the last element comes the first. */
const nextOf = <T>(all: readonly T[], one: T): T => all[(all.indexOf(one) + 1) % all.length] as T;

const changeUnit: Change = ({ unit }) => ({ unit: nextOf(SPEED_UNIT_NAMES, unit) });

/** Chooses the next order whose column is shown. */
const changeOrder: Change = (scene, window) => {
  const shown = visibleList(scene, window)
    .heads()
    .map((head) => head.trim().split(' ')[0]);
  const orders = SORT_KEYS.filter((key) => shown.includes(key === 'distance' ? 'km' : key));
  return { order: nextOf(orders, scene.order), top: 0, chosen: undefined };
};

/** Opens the chosen station, or the first. */
const open: Change = (scene) => {
  const station = scene.stations[Math.max(0, indexOfChosen(scene))]?.track.station;
  return station ? { opened: { id: station.id }, chosen: station.id } : {};
};

/**
 * A key that chooses a station.
 * @param move computes the index of the station, which may lie outside of the list
 */
const choose =
  (move: (at: number, page: number) => number): Change =>
  (scene, window) => {
    const page = Math.max(1, visibleList(scene, window).page);
    const top = firstVisible(scene, page);
    const at = indexOfChosen(scene);
    // Without a chosen station, a key of one row chooses the first one shown.
    const isFirst = at === -1 && Math.abs(move(0, page)) === 1 && page > 1;
    const wanted = isFirst ? top : move(at === -1 ? top : at, page);
    const place = Math.max(0, Math.min(wanted, scene.stations.length - 1));
    const chosen = scene.stations[place]?.track.station.id;
    return { chosen, top: firstVisible({ ...scene, chosen, top }, page) };
  };

const up = choose((at) => at - 1);
const down = choose((at) => at + 1);

const IN_LIST: Readonly<Record<string, Change>> = {
  u: changeUnit,
  s: changeOrder,
  '/': ({ filter = '' }) => ({ isTyping: true, filter }),
  '?': () => ({ showsKeys: true }),
  [ESCAPE]: () => ({ filter: undefined }),
  ...{ '\r': open, up, k: up, down, j: down },
  pageup: choose((at, page) => at - page),
  pagedown: choose((at, page) => at + page),
  home: choose(() => 0),
  end: choose(() => Number.POSITIVE_INFINITY),
};

const IN_STATION: typeof IN_LIST = {
  u: changeUnit,
  [ESCAPE]: () => ({ opened: undefined }),
};

/** What keys do while a filter is typed, other than the letters that are added to it. */
const IN_FILTER: typeof IN_LIST = {
  '\r': ({ filter, stations: [first] }) => ({
    ...{ isTyping: false, filter: filter || undefined, chosen: first?.track.station.id },
  }),
  [ESCAPE]: () => ({ isTyping: false, filter: undefined }),
  '\u007f': ({ filter = '' }) => ({ filter: withoutLast(filter), top: 0 }),
};

/** A text without its last character, as people see characters. */
const withoutLast = (text: string): string =>
  text.slice(0, [...new Intl.Segmenter().segment(text)].at(-1)?.index ?? 0);

/** The other code that a terminal may send for a key. */
const ALIASES: Readonly<Record<string, string>> = { '\n': '\r', '\b': '\u007f' };

/** Whether a key is a letter of a text, rather than a name such as `up` or a control character. */
const isLetter = (key: string): boolean => /^[^\p{Cc}]$/u.test(key);

/** What a key changes in the choices; a key without a meaning changes nothing. */
export function applyKey(
  pressed: string,
  scene: Scene,
  window: TerminalWindow,
): Partial<ScreenChoices> {
  const { filter = '', isTyping, opened, showsKeys } = scene;
  // The list of keys hides the stations, so no key acts on them.
  if (showsKeys) return { showsKeys: false };
  const key = ALIASES[pressed] ?? pressed;
  if (isTyping && isLetter(key)) return { filter: filter + key, top: 0 };
  const keys = isTyping ? { ...IN_LIST, ...IN_FILTER } : opened ? IN_STATION : IN_LIST;
  return Object.hasOwn(keys, key) ? (keys[key]?.(scene, window) ?? {}) : {};
}
