import type { Chunk } from '../domain/readings/chunk.ts';
import type { Position } from '../domain/station.ts';

/** A station that a command reads. */
export interface NamedStation {
  readonly station: number;
  /** The name of the station; undefined if names were not requested. */
  readonly name?: string | undefined;
  readonly position?: Position | undefined;
}

/** The history of one station, from the service or from files. */
export interface StationReadings extends NamedStation {
  /**
   * The chunks in order of time; none for a named station without readings. They are read once, before
   * the next station; chunks that are not read are skipped.
   */
  readonly chunks: AsyncIterable<Chunk>;
}
