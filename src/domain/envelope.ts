import type { ArchiveLines } from './readings/lines.ts';
import type { Station } from './station.ts';

/** License and attribution, which every response contains. */
export interface Provenance {
  /** Address of the service's documentation. */
  readonly doc: string;
  /** Address of the data license. */
  readonly license: string;
  /** Text that credits the contributors. */
  readonly attribution: string;
}

/** A JSON response of the Live interface. */
interface Envelope<T> extends Provenance {
  readonly data: T;
}

export type LiveStation = Envelope<Station>;
export type LiveStations = Envelope<readonly Station[]>;

/**
 * The part of an archive without the rows; `legend` and `units` list the column names and units.
 */
export interface ArchiveHead extends Provenance {
  readonly legend: readonly string[];
  readonly units: readonly string[];
}

/** The history of one station over a period. */
export interface Archive extends ArchiveHead {
  readonly rows: ArchiveLines;
}
