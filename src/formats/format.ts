import type { Archive, Provenance } from '../domain/envelope.ts';
import type { SelectedStation } from '../domain/selection.ts';
import type { SpeedUnit } from '../domain/units.ts';

/** Stations to be written, as they came; a format converts what it shows. */
export interface StationList {
  readonly provenance: Provenance;
  readonly stations: readonly SelectedStation[];
  /** Exactly one station was asked for by its id: the interface answers an object, not a list. */
  readonly isSingle: boolean;
  readonly withMeta: boolean;
  readonly unit: SpeedUnit;
  /** Writes a date of the interface in the zone asked for. */
  readonly writeDate: (isoUtc: string) => string;
  /** Milliseconds since 1970 that ages count from. */
  readonly now: number;
}

/** Part of one station's history, ready to be written: units, zone and columns are as asked for. */
export interface ArchiveChunk extends Archive {
  readonly station: number;
}

/** What head an archive's csv and txt carry: the interface's four lines, the names alone, or nothing. */
export const HEADERS = ['service', 'names', 'none'] as const;
export type Header = (typeof HEADERS)[number];

/** How the place that the text goes to can show it. */
export interface Look {
  readonly colour: boolean;
  /** Width to fit; undefined where nothing needs to fit, as in a file or pipe. */
  readonly columns: number | undefined;
}

/** One way to write stations down, in pieces of text. */
export interface StationFormat {
  stations(list: StationList, look: Look): Iterable<string>;
}

/** One way to write an archive down too. At least one chunk comes. */
export interface Format extends StationFormat {
  archive(chunks: AsyncIterable<ArchiveChunk>, header: Header, look: Look): AsyncIterable<string>;
}
