import { SORT_KEYS, sortKeyOf } from '../../../domain/selection.ts';
import { fold } from '../../../domain/text.ts';
import { SPEED_UNIT_NAMES } from '../../../domain/units.ts';
import { VaneError } from '../../../errors.ts';
import type { StreamRecord } from '../../../formats/format.ts';
import { colourLevel, showsUnicode, type Terminal } from '../../../io.ts';
import type { WatchRequest } from '../request.ts';
import type { Sink, SinkTools } from '../sink.ts';
import { openScreen } from './openScreen.ts';
import { choose, renderScreen, visibleHeads } from './renderScreen.ts';
import type { Opened, Scene, Window } from './scene.ts';

/** The screen keeps this many events, more than the window of a terminal shows. */
const MAX_EVENTS = 20;

const ENTER = ['\r', '\n'];
const ESCAPE = '\u001b';
const BACKSPACE = ['\u007f', '\b'];

/** The events among records, each with its station. */
export const eventsIn = (records: readonly StreamRecord[]) =>
  records.flatMap(({ event, station: { id, meta } }) =>
    event ? [{ ...event, id, name: meta.name }] : [],
  );

/** The list's element after `one`; after the last element comes the first. */
const nextOf = <T>(all: readonly T[], one: T): T => all[(all.indexOf(one) + 1) % all.length] as T;

/** Shows stations on the terminal, and obeys its keys. */
export function screenSink(
  { colour, rule, writeDate, ...request }: WatchRequest,
  { io, scene, load, onQuit }: SinkTools,
  terminal: Terminal,
): Sink {
  const view = {
    condition: rule?.condition.text,
    writeDate,
    unit: request.unit,
    order: sortKeyOf(request.selection),
    top: 0,
    showsKeys: false,
    hasKeys: io.keyboard !== undefined,
    events: [] as Scene['events'],
    chosen: undefined as Scene['chosen'],
    filter: undefined as Scene['filter'],
    isTyping: false,
    opened: undefined as Scene['opened'],
  };
  const set = (change: Partial<typeof view>): void => void Object.assign(view, change);
  const sceneNow = (): Scene => {
    const { stations, ...status } = scene(view.order);
    const wanted = fold(view.filter ?? '');
    const found = stations.filter(({ track: { station } }) =>
      `${station.id} ${fold(station.meta.name)}`.includes(wanted),
    );
    return { ...status, stations: found, ...view, now: io.now() };
  };
  const isUnicode = showsUnicode(io.env);
  const colours = colour ? colourLevel(undefined, io.env, terminal) || 1 : 0;
  const size = { columns: terminal.columns, rows: terminal.rows };
  let window: Window = { ...size, isUnicode, colour, colours };

  async function open(id: number): Promise<void> {
    const show = (opened: Opened): void => {
      if (view.opened?.id !== id) return;
      view.opened = opened;
      screen.refresh();
    };
    try {
      show({ id, details: await load(id) });
    } catch (error) {
      if (!(error instanceof VaneError)) throw error;
      show({ id, trouble: error.message });
    }
  }
  function changeOrder(): void {
    const heads = visibleHeads(sceneNow(), window);
    const orders = SORT_KEYS.filter((key) => heads.includes(key === 'distance' ? 'km' : key));
    set({ order: nextOf(orders, view.order), top: 0, chosen: undefined });
  }
  function enter(): void {
    const { stations } = sceneNow();
    const id = view.chosen;
    if (id === undefined || !stations.some(({ track }) => track.station.id === id)) return;
    set({ opened: { id }, isTyping: false });
    void open(id);
  }
  function type(key: string): void {
    const { filter = '' } = view;
    const [first] = sceneNow().stations;
    if (ENTER.includes(key)) {
      set({ isTyping: false, filter: filter || undefined, chosen: first?.track.station.id });
    } else if (key === ESCAPE) set({ isTyping: false, filter: undefined });
    else if (BACKSPACE.includes(key)) set({ filter: filter.slice(0, -1), top: 0 });
    else if (key.length === 1 && key >= ' ') set({ filter: filter + key, top: 0 });
  }
  const changeUnit = () => set({ unit: nextOf(SPEED_UNIT_NAMES, view.unit) });
  const inList: Readonly<Record<string, () => void>> = {
    q: onQuit,
    u: changeUnit,
    s: changeOrder,
    '/': () => set({ isTyping: true, filter: view.filter ?? '', showsKeys: false }),
    '\r': enter,
    '\n': enter,
    [ESCAPE]: () => set({ filter: undefined, showsKeys: false }),
    '?': () => set({ showsKeys: !view.showsKeys }),
  };
  const inStation: typeof inList = {
    q: onQuit,
    u: changeUnit,
    [ESCAPE]: () => set({ opened: undefined }),
  };
  function press(key: string): void {
    const keys = view.opened ? inStation : inList;
    if (key === 'suspend') screen.suspend(() => io.keyboard?.suspend());
    else if (view.isTyping && key.length <= 1) type(key);
    else if (Object.hasOwn(keys, key)) keys[key]?.();
    else if (!view.opened) set(choose(key, sceneNow(), window) ?? {});
  }
  // Listen to keys before the screen is drawn: in the background, the call suspends vane.
  const stopListening = io.keyboard?.listen((key) => {
    press(key);
    screen.refresh();
  });
  const screen = openScreen(io, terminal, (room) => {
    window = { ...window, ...room };
    return renderScreen(sceneNow(), window);
  });
  return {
    write(records) {
      const news = eventsIn(records);
      view.events = [...view.events, ...news].slice(-MAX_EVENTS);
      if (news.length > 0) screen.bell();
      screen.refresh();
    },
    async close(ending) {
      stopListening?.();
      set({ hasKeys: false, showsKeys: false, top: 0, chosen: undefined, opened: undefined });
      await screen.close(ending === 'over');
    },
  };
}
