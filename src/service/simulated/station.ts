import type { Position } from '../../domain/station.ts';
import type { Climate } from './weather.ts';

/** What one generation of stations can measure, and how often. */
export interface Hardware {
  readonly cadenceS: number;
  /** A reading is late by 0 to this many seconds. */
  readonly jitterS: number;
  /** 4 reports speeds in steps of 0.25 km/h, 10 in steps of 0.1. */
  readonly stepsPerKmh: number;
  /** Headings it can tell apart around the circle. */
  readonly headings: number;
}

/** Before `untilMs` the station reported another position, or null: it did not know it. */
export interface FormerPosition {
  readonly untilMs: number;
  readonly position: Position | null;
}

/** The months of a year without readings, 1 to 12: from `first` to `last`, across the new year. */
export interface Closure {
  readonly first: number;
  readonly last: number;
}

/** A simulated station. Together with the time it determines every reading. */
export interface SimulatedStation {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly picture: string | null;
  readonly describedMs: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly hardware: Hardware;
  readonly climate: Climate;
  /** Readings exist for `installedMs ≤ time < retiredMs`. */
  readonly installedMs: number;
  readonly retiredMs: number;
  /** The power state that the service shows once the station is retired. */
  readonly retiredState: string | null;
  readonly former: FormerPosition | undefined;
  readonly closure: Closure | undefined;
  readonly isPositionValid: boolean;
  /** Horizontal dilution of precision of the position; undefined leaves the field out. */
  readonly hdop: number | null | undefined;
  /** Share of readings that radio loses, 0 up to 1. */
  readonly lossRate: number;
  /** `meanOnly` has no minimum and maximum, `dead` no wind at all. */
  readonly sensor: 'whole' | 'meanOnly' | 'dead';
  /** Some readings arrive twice: the same row again, or a differing one of the same time. */
  readonly doubles: 'none' | 'identical' | 'differing';
  /** Signal-to-noise ratio, dB: around a typical value, or always the one number. */
  readonly snrDb: { readonly around: number } | number;
}

/** The position that a station reports; null where it does not know it. */
export function positionAt({ climate, former }: SimulatedStation, timeMs: number): Position | null {
  return former !== undefined && timeMs < former.untilMs ? former.position : climate.position;
}
