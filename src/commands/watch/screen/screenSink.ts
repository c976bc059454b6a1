import { sortKeyOf } from '../../../domain/selection.ts';
import { fold } from '../../../domain/text.ts';
import { VaneError } from '../../../errors.ts';
import type { StreamRecord } from '../../../formats/format.ts';
import { colourLevel, showsUnicode, type Terminal } from '../../../io.ts';
import type { WatchOptions } from '../options.ts';
import type { Sink, SinkTools } from '../sink.ts';
import { changeByKey, type ScreenChoices } from './keys.ts';
import { openScreen } from './openScreen.ts';
import { renderScreen } from './renderScreen.ts';
import type { OpenedStation, Scene, TerminalWindow } from './scene.ts';

/** The screen keeps this many events, more than the window of a terminal shows. */
const MAX_EVENTS = 20;

/** The events among records, each with its station. */
export const eventsIn = (records: readonly StreamRecord[]) =>
  records.flatMap(({ event, station: { id, meta } }) =>
    event ? [{ ...event, id, name: meta.name }] : [],
  );

/** Shows stations on the terminal, and obeys its keys. */
export function screenSink(
  { colour, rule, isUntil, writeDate, ...options }: WatchOptions,
  { io, scene, load, onQuit }: SinkTools,
  terminal: Terminal,
): Sink {
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
  let window: TerminalWindow = { columns, rows, isUnicode, colour, colours };

  function sceneNow(): Scene {
    const { stations, ...status } = scene(choices.order);
    const wanted = fold(choices.filter ?? '');
    const found = stations.filter(({ track: { station } }) =>
      `${station.id} ${fold(station.meta.name)}`.includes(wanted),
    );
    const condition = rule && `${isUntil ? 'until' : 'when'} ${rule.condition.text}`;
    const shown = { condition, writeDate, events, hasKeys, now: io.now() };
    return { ...status, ...shown, ...choices, stations: found };
  }
  /** Loads the opened station, whose former details stay on the screen until then. */
  async function loadOpened(): Promise<void> {
    const id = choices.opened?.id;
    if (id === undefined) return;
    const show = (news: Partial<OpenedStation>): void => {
      if (choices.opened?.id !== id) return;
      choices = { ...choices, opened: { ...choices.opened, ...news } };
      screen.refresh();
    };
    try {
      show({ details: await load(id) });
    } catch (error) {
      if (!(error instanceof VaneError)) throw error;
      show({ trouble: error.message });
    }
  }
  function press(key: string): void {
    if (key === 'suspend') screen.suspend(() => io.keyboard?.suspend());
    else if (key === 'q' && !choices.isTyping) onQuit();
    else {
      const before = choices.opened;
      choices = { ...choices, ...changeByKey(key, sceneNow(), window) };
      if (before === undefined) void loadOpened();
    }
    screen.refresh();
  }

  // Listen to keys before the screen is drawn: in the background, the call suspends vane.
  const stopListening = io.keyboard?.listen(press);
  const screen = openScreen(io, terminal, (room) => {
    window = { ...window, ...room };
    return renderScreen(sceneNow(), window);
  });
  return {
    write(records) {
      const news = eventsIn(records);
      events = [...events, ...news].slice(-MAX_EVENTS);
      if (news.length > 0) screen.bell();
      if (records.some(({ station }) => station.id === choices.opened?.id)) void loadOpened();
      screen.refresh();
    },
    async close(ending) {
      stopListening?.();
      hasKeys = false;
      const { unit, order, filter } = choices;
      choices = { unit, order, filter, top: 0, showsKeys: false };
      await screen.close(ending === 'over');
    },
  };
}
