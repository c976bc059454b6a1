import { SPEED_UNIT_NAMES, type SpeedUnit } from '../../domain/units.ts';
import { renderScreen } from '../../formats/screen/render.ts';
import type { Scene } from '../../formats/screen/screen.ts';
import { type Io, showsUnicode, type Terminal } from '../../io.ts';
import { openScreen } from '../../output/screen.ts';
import type { Sink } from './sink.ts';

/** What a screen is asked to show. */
export interface View {
  /** What there is to see now, but for what the screen itself knows. */
  readonly see: () => Omit<Scene, 'unit' | 'now' | 'events' | 'hasKeys'>;
  readonly unit: SpeedUnit;
  readonly colour: boolean;
  /** Called when the person has seen enough. */
  readonly onQuit: () => void;
}

/** More events than any window shows. */
const MAX_EVENTS = 20;

/** Shows a watch to a person, who may press keys. */
export function screenSink(view: View, io: Io, terminal: Terminal): Sink & { refresh(): void } {
  const isUnicode = showsUnicode(io.env);
  let { unit } = view;
  let events: Scene['events'] = [];
  let hasKeys = io.keyboard !== undefined;
  const onKey: Readonly<Record<string, () => void>> = {
    q: view.onQuit,
    u() {
      const next = (SPEED_UNIT_NAMES.indexOf(unit) + 1) % SPEED_UNIT_NAMES.length;
      unit = SPEED_UNIT_NAMES[next] as SpeedUnit;
      screen.refresh();
    },
    suspend: () => screen.suspend(() => io.keyboard?.suspend()),
  };
  // First, since one in the background is stopped here and must not have drawn yet.
  const stopListening = io.keyboard?.listen((key) => {
    if (Object.hasOwn(onKey, key)) onKey[key]?.();
  });
  const screen = openScreen(io, terminal, (room) =>
    renderScreen(
      { ...view.see(), unit, events, hasKeys, now: io.now() },
      { ...room, isUnicode, colour: view.colour },
    ),
  );
  return {
    refresh: () => screen.refresh(),
    tell(records) {
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
