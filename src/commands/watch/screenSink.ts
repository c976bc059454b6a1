import { SPEED_UNIT_NAMES, type SpeedUnit } from '../../domain/units.ts';
import type { Scene } from '../../formats/screen/scene.ts';
import { renderScreen } from '../../formats/screen/screen.ts';
import { type Io, showsUnicode, type Terminal } from '../../io.ts';
import { openScreen } from '../../output/screen.ts';
import type { Sink } from './sink.ts';

export interface ScreenSinkOptions {
  /** The current scene but for the fields that the screen itself keeps. */
  readonly scene: () => Omit<Scene, 'unit' | 'now' | 'events' | 'hasKeys'>;
  readonly unit: SpeedUnit;
  readonly colour: boolean;
  /** Called when `q` is pressed. */
  readonly onQuit: () => void;
}

/** Number of events to keep, more than any window shows. */
const MAX_EVENTS = 20;

/** Shows a watch on the screen of a terminal, with keys to quit and to change the unit. */
export function screenSink(
  { scene, unit: firstUnit, colour, onQuit }: ScreenSinkOptions,
  io: Io,
  terminal: Terminal,
): Sink {
  const isUnicode = showsUnicode(io.env);
  let unit = firstUnit;
  let events: Scene['events'] = [];
  let hasKeys = io.keyboard !== undefined;
  const onKey: Readonly<Record<string, () => void>> = {
    q: onQuit,
    u() {
      const next = (SPEED_UNIT_NAMES.indexOf(unit) + 1) % SPEED_UNIT_NAMES.length;
      unit = SPEED_UNIT_NAMES[next] as SpeedUnit;
      screen.refresh();
    },
    suspend: () => screen.suspend(() => io.keyboard?.suspend()),
  };
  // A process in the background is stopped by this call, so listen before the screen is drawn.
  const stopListening = io.keyboard?.listen((key) => {
    if (Object.hasOwn(onKey, key)) onKey[key]?.();
  });
  const screen = openScreen(io, terminal, (room) =>
    renderScreen(
      { ...scene(), unit, events, hasKeys, now: io.now() },
      { ...room, isUnicode, colour },
    ),
  );
  return {
    write(records) {
      const news = records.flatMap(({ event, station }) =>
        event === undefined ? [] : [{ ...event, name: station.meta.name }],
      );
      events = [...events, ...news].slice(-MAX_EVENTS);
      if (news.length > 0) screen.bell();
      screen.refresh();
    },
    async close(ending) {
      stopListening?.();
      hasKeys = false;
      await screen.close(ending === 'over');
    },
  };
}
