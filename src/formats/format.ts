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

/** Part of a station's history, ready to be written: units, zone and columns are as asked for. */
export interface ArchiveChunk extends Archive {
  readonly station: number;
}

/** What head an archive's csv and txt carry: the interface's four lines, the names alone, or nothing. */
export const HEADERS = ['service', 'names', 'none'] as const;
export type Header = (typeof HEADERS)[number];

/** How an archive's rows are laid out, where the format leaves a choice. */
export interface ArchiveLayout {
  readonly header: Header;
  /** Rows of several stations come together, so each says whose it is. */
  readonly withStation: boolean;
}

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

/** What a format yields: text, or bytes where it is not a text format. */
export type Piece = string | Uint8Array;

/**
 * One way to write an archive down. At least one chunk comes, all with the columns of the first;
 * those of one station follow each other, their rows ascending.
 */
export interface ArchiveFormat {
  archive(
    chunks: AsyncIterable<ArchiveChunk>,
    layout: ArchiveLayout,
    look: Look,
  ): AsyncIterable<Piece>;
}

/** A format for both. */
export type Format = StationFormat & ArchiveFormat;
