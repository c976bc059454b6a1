import type { ArchiveLines } from './readings/lines.ts';
import type { Station } from './station.ts';

/** Source and license of the data, which every response carries. */
export interface Provenance {
  /** Address of the service's reference page. */
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

/** An archive without its rows; `legend` and `units` are the names and units of the columns. */
export interface ArchiveHead extends Provenance {
  readonly legend: readonly string[];
  readonly units: readonly string[];
}

/** The history of one station over a period. */
export interface Archive extends ArchiveHead {
  readonly rows: ArchiveLines;
}
