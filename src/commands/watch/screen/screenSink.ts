import { type StationSortKey, sortKeyOf, sortStations } from '../../../domain/selection.ts';
import { foldForComparison } from '../../../domain/text.ts';
import { InterruptedError, VaneError } from '../../../errors.ts';
import type { WatchRecord } from '../../../formats/format.ts';
import { colourLevel, showsUnicode, type Terminal } from '../../../io.ts';
import { describeAlertRule } from '../rules.ts';
import type { WatchSink } from '../sink.ts';
import type { Watch } from '../watch.ts';
import type { WatchedStation } from '../watchStore.ts';
import { loadStationDetails } from './details.ts';
import { applyKey, type ScreenChoices } from './keys.ts';
import { openScreen } from './openScreen.ts';
import { renderScreen } from './renderScreen.ts';
import type { OpenedStation, Scene, TerminalWindow } from './scene.ts';

/** Maximum number of events to remember, more than a window shows. */
const MAX_EVENTS = 20;

/** The events among records, with their stations. */
export const eventsInRecords = (records: readonly WatchRecord[]) =>
  records.flatMap(({ event, station: { id, meta } }) =>
    event ? [{ ...event, id, name: meta.name }] : [],
  );

/** Sorts stations as the screen lists them: those with an alert first, those that are gone last. */
function inScreenOrder(stations: readonly WatchedStation[], key: StationSortKey): WatchedStation[] {
  const place = ({ isAlerting, recent }: WatchedStation): number =>
    isAlerting ? 0 : recent.isGone ? 2 : 1;
  const sortable = stations.map((one) => ({ ...one, station: one.recent.station }));
  return sortStations(sortable, key).sort((a, b) => place(a) - place(b));
}

/** Shows a watch on the terminal, redraws it after each change of its store, and handles keys. */
export function screenSink(watch: Watch, terminal: Terminal): WatchSink {
  const { io, store, quit, options } = watch;
  const { colour, rules, isUntil, writeDate } = options;
  let choices: ScreenChoices = {
    unit: options.unit,
    order: sortKeyOf(options.selection),
    top: 0,
    showsKeys: false,
  };
  let events: Scene['events'] = [];
  let hasKeys = io.keyboard !== undefined;
  const isUnicode = showsUnicode(io.env);
  const colours = colour ? colourLevel(undefined, io.env, terminal) || 1 : 0;
  const { columns, rows } = terminal;
  const conditions = new Set(rules.all.map((rule) => describeAlertRule(rule, isUntil)));
  const condition = conditions.size > 1 ? "each favourite's own condition" : [...conditions][0];
  let window: TerminalWindow = { columns, rows, isUnicode, colour, colours };

  function sceneNow(): Scene {
    const { stations, ...status } = store.get();
    const wanted = foldForComparison(choices.filter ?? '');
    const found = inScreenOrder(stations, choices.order).filter(({ recent: { station } }) =>
      `${station.id} ${foldForComparison(station.meta.name)}`.includes(wanted),
    );
    const shown = { condition, writeDate, events, hasKeys, now: io.now() };
    return { ...status, ...shown, ...choices, stations: found };
  }
  /** Loads the details of the opened station. Its former details stay on the screen meanwhile. */
  async function loadOpened(): Promise<void> {
    const id = choices.opened?.id;
    if (id === undefined) return;
    const show = (news: Partial<OpenedStation>): void => {
      if (choices.opened?.id !== id) return;
      choices = { ...choices, opened: { ...choices.opened, ...news } };
      screen.refresh();
    };
    try {
      show({ details: await loadStationDetails(watch, id) });
    } catch (error) {
      if (!(error instanceof VaneError)) throw error;
      show({ trouble: error.message });
    }
  }
  function press(key: string): void {
    if (key === 'suspend') screen.suspend(() => io.keyboard?.suspend());
    else if (key === 'q' && !choices.isTyping) quit.abort(new InterruptedError('SIGINT'));
    else {
      const before = choices.opened;
      choices = { ...choices, ...applyKey(key, sceneNow(), window) };
      if (before === undefined) void loadOpened();
    }
    screen.refresh();
  }

  // Listen to keys before drawing: if vane is in the background, this call suspends it.
  const stopListening = io.keyboard?.listen(press);
  const screen = openScreen(io, terminal, (room) => {
    window = { ...window, ...room };
    return renderScreen(sceneNow(), window);
  });
  const unsubscribe = store.subscribe(screen.refresh);
  return {
    write(records) {
      const news = eventsInRecords(records);
      events = [...events, ...news].slice(-MAX_EVENTS);
      if (news.length > 0) screen.bell();
      if (records.some(({ station }) => station.id === choices.opened?.id)) void loadOpened();
      screen.refresh();
    },
    async close(ending) {
      stopListening?.();
      unsubscribe();
      hasKeys = false;
      const { unit, order, filter } = choices;
      choices = { unit, order, filter, top: 0, showsKeys: false };
      await screen.close(ending === 'over');
    },
  };
}
