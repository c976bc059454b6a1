import { SORT_KEYS } from '../../../domain/selection.ts';
import { SPEED_UNIT_NAMES } from '../../../domain/units.ts';
import { firstVisibleIndex, indexOfChosen, visibleList } from './renderScreen.ts';
import type { Scene, TerminalWindow } from './scene.ts';

/** The part of the screen's state that keys can change. */
export type ScreenChoices = Pick<
  Scene,
  'unit' | 'order' | 'top' | 'showsKeys' | 'chosen' | 'filter' | 'isTyping' | 'opened'
>;

type Change = (scene: Scene, window: TerminalWindow) => Partial<ScreenChoices>;

const ESCAPE = '\u001b';

/** The element of a list after `one`. The first element follows the last one. */
const nextOf = <T>(all: readonly T[], one: T): T => all[(all.indexOf(one) + 1) % all.length] as T;

const changeUnit: Change = ({ unit }) => ({ unit: nextOf(SPEED_UNIT_NAMES, unit) });

/** Switches to the next sort order, among those whose column is visible. */
const changeOrder: Change = (scene, window) => {
  const shown = visibleList(scene, window)
    .heads()
    .map((head) => head.trim().split(' ')[0]);
  const orders = SORT_KEYS.filter((key) => shown.includes(key === 'distance' ? 'km' : key));
  return { order: nextOf(orders, scene.order), top: 0, chosen: undefined };
};

/** Opens the chosen station; without one, the first. */
const open: Change = (scene) => {
  const station = scene.stations[Math.max(0, indexOfChosen(scene))]?.recent.station;
  return station ? { opened: { id: station.id }, chosen: station.id } : {};
};

/**
 * Creates the action of a key that chooses a station.
 * @param move computes the new index, which may be outside of the list
 */
const choose =
  (move: (at: number, page: number) => number): Change =>
  (scene, window) => {
    const page = Math.max(1, visibleList(scene, window).page);
    const top = firstVisibleIndex(scene, page);
    const at = indexOfChosen(scene);
    // Without a chosen station, up and down choose the first visible one.
    const isFirst = at === -1 && Math.abs(move(0, page)) === 1 && page > 1;
    const wanted = isFirst ? top : move(at === -1 ? top : at, page);
    const place = Math.max(0, Math.min(wanted, scene.stations.length - 1));
    const chosen = scene.stations[place]?.recent.station.id;
    return { chosen, top: firstVisibleIndex({ ...scene, chosen, top }, page) };
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

/** The special keys while the user types a filter. All other keys add letters. */
const IN_FILTER: typeof IN_LIST = {
  '\r': ({ filter, stations: [first] }) => ({
    ...{ isTyping: false, filter: filter || undefined, chosen: first?.recent.station.id },
  }),
  [ESCAPE]: () => ({ isTyping: false, filter: undefined }),
  '\u007f': ({ filter = '' }) => ({ filter: withoutLast(filter), top: 0 }),
};

/** Removes the last character of a text, even one that consists of several code points. */
const withoutLast = (text: string): string =>
  text.slice(0, [...new Intl.Segmenter().segment(text)].at(-1)?.index ?? 0);

/** Alternative codes that terminals send for some keys. */
const ALIASES: Readonly<Record<string, string>> = { '\n': '\r', '\b': '\u007f' };

/** Whether a key is a letter, rather than a control character or a name such as `up`. */
const isLetter = (key: string): boolean => /^[^\p{Cc}]$/u.test(key);

/** Applies a key, and returns the choices that it changes; none for an unknown key. */
export function applyKey(
  pressed: string,
  scene: Scene,
  window: TerminalWindow,
): Partial<ScreenChoices> {
  const { filter = '', isTyping, opened, showsKeys } = scene;
  // While the list of keys hides the stations, any key closes it.
  if (showsKeys) return { showsKeys: false };
  const key = ALIASES[pressed] ?? pressed;
  if (isTyping && isLetter(key)) return { filter: filter + key, top: 0 };
  const keys = isTyping ? { ...IN_LIST, ...IN_FILTER } : opened ? IN_STATION : IN_LIST;
  return Object.hasOwn(keys, key) ? (keys[key]?.(scene, window) ?? {}) : {};
}
