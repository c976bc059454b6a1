import type { Station } from '../../domain/station.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import type { AlarmEvent } from '../../domain/watching/event.ts';
import type { Sample } from '../../domain/watching/track.ts';

/** One thing to tell: a new measurement, or an event of an alarm with the measurement it rests on. */
export interface StreamRecord {
  readonly station: Station;
  /** Kilometres from `--near`, where that was given. */
  readonly distanceKm: number | undefined;
  /** Those of the last hour, ascending; for the trend. */
  readonly samples: readonly Sample[];
  /** Milliseconds since 1970 that ages count from. */
  readonly now: number;
  /** Undefined for a measurement. */
  readonly event: AlarmEvent | undefined;
}

/** How values are written down in every record. */
export interface StreamStyle {
  readonly unit: SpeedUnit;
  /** Writes a date of the interface in the zone asked for. */
  readonly writeDate: (isoUtc: string) => string;
  /** Whether an alarm is armed, so that some records are events. */
  readonly withEvents: boolean;
}

/** One way to write down what a watch brings, whole lines a record. */
export interface StreamFormat {
  /** What stands at the start of a file; empty for most. */
  head(style: StreamStyle): string;
  /** Whole lines, or nothing where the format has no place for such a record. */
  record(record: StreamRecord, style: StreamStyle): string;
}
