import type { Position } from '../../domain/station.ts';
import type { Climate } from './weather.ts';

/** How often and how finely the stations of one hardware generation measure. */
export interface Hardware {
  readonly cadenceS: number;
  /** Greatest delay of a reading, seconds. */
  readonly jitterS: number;
  /** Resolution of speeds: 4 means steps of 0.25 km/h, 10 steps of 0.1. */
  readonly stepsPerKmh: number;
  /** Number of distinct headings around the circle. */
  readonly headings: number;
}

/** Everything that the readings of a simulated station depend on, besides the time. */
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
  /** Power state after the station is retired. */
  readonly retiredState: string | null;
  /** The position that the station reported before `untilMs`; null is an unknown position. */
  readonly former: { readonly untilMs: number; readonly position: Position | null } | undefined;
  /** Months (1 to 12) without readings, from `first` to `last` of the next year. */
  readonly closure: { readonly first: number; readonly last: number } | undefined;
  readonly isPositionValid: boolean;
  /** Horizontal dilution of precision of the position; undefined leaves the field out. */
  readonly hdop: number | null | undefined;
  /** Seconds from a reading to the station's contact with the service; negative is earlier. */
  readonly contactLagS: number;
  /** Whether the dates of the station have milliseconds other than 0. */
  readonly hasMilliseconds: boolean;
  /** Share of readings that the radio loses, 0 up to 1. */
  readonly lossRate: number;
  /** The wind sensor: `meanOnly` reports no minimum and maximum, `dead` reports no wind at all. */
  readonly sensor: 'whole' | 'meanOnly' | 'dead';
  /** Whether some readings have a second row of the same time, identical or differing. */
  readonly doubles: 'none' | 'identical' | 'differing';
  /** Signal-to-noise ratio, dB: varying around a typical value, or constant. */
  readonly snrDb: { readonly around: number } | number;
}

/** The position that a station reports at a time; null if unknown. */
export function positionAt({ climate, former }: SimulatedStation, timeMs: number): Position | null {
  return former !== undefined && timeMs < former.untilMs ? former.position : climate.position;
}
