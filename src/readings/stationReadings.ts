import type { Chunk } from '../domain/readings/chunk.ts';
import type { Position } from '../domain/station.ts';

/** A station to read. */
export interface NamedStation {
  readonly station: number;
  /** The name of the station; undefined if names were not requested. */
  readonly name?: string | undefined;
  readonly position?: Position | undefined;
}

/** The history of one station, from the service or from files. */
export interface StationReadings extends NamedStation {
  /**
   * The chunks in order of time; none for a named station without readings. Read them once, before
   * the next station. Unread chunks are skipped.
   */
  readonly chunks: AsyncIterable<Chunk>;
}
