import type { Provenance } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import type { ReadingColumns } from '../domain/readings/columns.ts';
import type { Position, Station } from '../domain/station.ts';
import type { SpeedUnit } from '../domain/units.ts';

/** A station with its readings. */
export interface PlotStation {
  readonly id: number;
  readonly name: string;
  /** The station's position; undefined if it was never located. */
  readonly position: Position | undefined;
  /** Readings in chunks, in order of time. */
  readonly readings: readonly ReadingColumns[];
  /** The latest measurement and state of the station, for pictures of the kind `now`. */
  readonly live?: Station;
}

/** The data for a picture of any kind. */
export interface PlotData extends Pick<Provenance, 'license' | 'attribution'> {
  readonly stations: readonly PlotStation[];
  /** The period of the picture. It does not extend into the future. */
  readonly period: Period;
  /** IANA name of the picture's time zone, or `utc`. */
  readonly zone: string;
  readonly unit: SpeedUnit;
}

/** The name of a station in titles. A station without a name becomes `station 110`. */
export const stationLabel = ({ name, id }: PlotStation): string => name.trim() || `station ${id}`;
