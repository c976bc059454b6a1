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

/** What there is to be seen at a moment. */
export interface Scene {
  /** In the order asked for. */
  readonly stations: readonly Watched[];
  readonly unit: SpeedUnit;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the next poll is due; undefined while one is under way. */
  readonly nextPollMs: number | 'never' | undefined;
  /** Polls that failed since the last good one, and what the last of them said. */
  readonly failures: { readonly inARow: number; readonly reason: string } | undefined;
  /** When the values were last asked for with success; undefined before that. */
  readonly lastGoodMs: number | undefined;
  /** What happened to alarms, the latest last. */
  readonly events: readonly (AlarmEvent & { readonly name: string })[];
  /** The condition watched for, as the user wrote it. */
  readonly condition: string | undefined;
  /** Writes a date of the interface in the zone asked for. */
  readonly writeDate: (isoUtc: string) => string;
  /** Whether `q` and `u` do something. */
  readonly hasKeys: boolean;
}

/** What the scene has to fit. */
export interface Window {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** Whether the terminal shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}
