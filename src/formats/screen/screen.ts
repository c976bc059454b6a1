import type { SelectedStation } from '../../domain/selection.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import type { AlarmEvent } from '../../domain/watching/event.ts';
import type { Track } from '../../domain/watching/track.ts';

/** A station on the screen. */
export interface Watched {
  readonly track: Track;
  readonly distanceKm: SelectedStation['distanceKm'];
  /** Whether its alarm's condition holds now. */
  readonly isAlarmed: boolean;
}

/** Everything that the screen shows at one moment. */
export interface Scene {
  /** In the order of the request. */
  readonly stations: readonly Watched[];
  readonly unit: SpeedUnit;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the next poll is due; undefined while one is under way. */
  readonly nextPollMs: number | 'never' | undefined;
  /** Polls that failed since the last good one, and the reason of the last. */
  readonly failures: { readonly inARow: number; readonly reason: string } | undefined;
  /** Time of the last successful poll; undefined before the first. */
  readonly lastGoodMs: number | undefined;
  /** Changes of alarms, the latest last. */
  readonly events: readonly (AlarmEvent & { readonly name: string })[];
  /** The condition of the alarm, as the user wrote it. */
  readonly condition: string | undefined;
  /** Writes a date of the interface in the zone that the user chose. */
  readonly writeDate: (isoUtc: string) => string;
  /** Whether the keys `q` and `u` work. */
  readonly hasKeys: boolean;
}

/** The terminal that the screen must fit. */
export interface Window {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** Whether the terminal shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}
