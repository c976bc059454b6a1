import type { Rows } from './rows.ts';
import type { Station } from './station.ts';

/** Where data come from and on which terms they may be used; carried by every answer. */
export interface Provenance {
  /** Address of the interface's reference page. */
  readonly doc: string;
  /** Address of the data license. */
  readonly license: string;
  /** Text that credits the contributors. */
  readonly attribution: string;
}

/** The frame of every JSON answer. */
export interface Envelope<T> extends Provenance {
  readonly data: T;
}

export type LiveStation = Envelope<Station>;
export type LiveStations = Envelope<readonly Station[]>;

/** What an archive says before its rows; `legend` and `units` name the columns of each. */
export interface ArchiveHead extends Provenance {
  readonly legend: readonly string[];
  readonly units: readonly string[];
}

/** The history of one station over a period. */
export interface Archive extends ArchiveHead {
  readonly rows: Rows;
}
