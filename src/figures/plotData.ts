import type { Provenance } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import type { Columns } from '../domain/readings/columns.ts';
import type { Position } from '../domain/station.ts';
import type { SpeedUnit } from '../domain/units.ts';

/** A station with its readings. */
export interface PlotStation {
  readonly id: number;
  readonly name: string;
  /** Position of the station; undefined for a station that was never located. */
  readonly position: Position | undefined;
  /** Readings in chunks, ascending by time. */
  readonly readings: readonly Columns[];
}

/** The data that a picture of any kind is drawn from. */
export interface PlotData extends Pick<Provenance, 'license' | 'attribution'> {
  readonly stations: readonly PlotStation[];
  /** The period of the picture, which ends now at the latest. */
  readonly period: Period;
  /** IANA name of the time zone of the picture, or `utc`. */
  readonly zone: string;
  readonly unit: SpeedUnit;
}

/** A station's name for a subtitle or a title, such as `station 110` for one without a name. */
export const stationLabel = ({ name, id }: PlotStation): string => name.trim() || `station ${id}`;
