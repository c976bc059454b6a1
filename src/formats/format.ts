import type { Condition } from '../domain/condition/condition.ts';
import type { RowDocument } from '../domain/document.ts';
import type { Provenance } from '../domain/envelope.ts';
import type { WrittenColumnName } from '../domain/readings/archiveColumns.ts';
import type { Chunk } from '../domain/readings/chunk.ts';
import type { SelectedStation } from '../domain/selection.ts';
import type { SpeedUnit } from '../domain/units.ts';
import type { AlertEvent } from '../domain/watching/alert.ts';
import type { WindSample } from '../domain/watching/recentMeasurements.ts';

/** How speeds and dates are written. */
export interface ValueStyle {
  readonly unit: SpeedUnit;
  /** Writes a date of the service, which is in UTC, in the zone that the user chose. */
  readonly writeDate: (isoUtc: string) => string;
}

/**
 * Stations as the service sent them, in km/h and UTC; a format converts the values that it writes.
 */
export interface StationList extends ValueStyle {
  readonly provenance: Provenance;
  readonly stations: readonly SelectedStation[];
  /** Whether one station was requested by its id; the service then sends an object, not a list. */
  readonly isSingle: boolean;
  readonly withMeta: boolean;
  /** The conditions of favourites, by station; only a table of `vane live` shows whether they hold. */
  readonly conditions?: ReadonlyMap<number, Condition>;
  /** The time at which ages of measurements are taken, milliseconds since 1970. */
  readonly now: number;
}

/** A part of a station's history. */
export interface StationChunk {
  readonly station: number;
  readonly chunk: Chunk;
  /** Name of the station, given for formats with the trait `isSeries`. */
  readonly name?: string | undefined;
}

/** The lines before an archive's rows in csv and txt: the service's four, column names, or none. */
export const HEADER_CHOICES = ['service', 'names', 'none'] as const;
export type HeaderChoice = (typeof HEADER_CHOICES)[number];

/** The layout of an archive's rows. */
export interface ArchiveLayout extends ValueStyle {
  /** Name of the time zone that times are written in, also the unit of the column `time`. */
  readonly zone: string;
  readonly header: HeaderChoice;
  /** The columns in their order; `station` is among them if rows name their station. */
  readonly columns: readonly WrittenColumnName[];
  /** Whether the user chose the columns by `--columns`. */
  readonly isChosen?: boolean;
}

/** The abilities of the output, a terminal, pipe or file. */
export interface OutputCapabilities {
  readonly colour: boolean;
  /**
   * Width of the window in cells; undefined for a file or pipe, where lines may have any length.
   */
  readonly width: number | undefined;
  /**
   * Most lines of a table, two windows full; undefined where all of it is wanted, or the output is
   * no terminal.
   */
  readonly maxLines?: number | undefined;
  /** Whether the output shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** The traits of a format. */
export interface FormatTraits {
  /** The explanation of the format in the manual page. */
  readonly meaning: string;
  /** File name endings that choose the format; by default its name, such as `.csv`. */
  readonly endings?: readonly string[];
  /** Whether the output is compressed binary data: not for a terminal, and not worth a `.gz`. */
  readonly isBinary?: boolean;
  /** Whether documents of rows show stations with their names. */
  readonly namesStations?: boolean;
  /** The outputs that contain license and source; in csv and txt only with `--header service`. */
  readonly carriesProvenance?: readonly ('stations' | 'archive' | 'rows')[];
}

/** A format for a list of stations, which it writes in pieces of text. */
export interface StationFormat {
  stations(list: StationList, look: OutputCapabilities): Iterable<string>;
}

/** A part of the output: text, or the bytes of a binary format. */
export type OutputPiece = string | Uint8Array;

/**
 * A format for an archive, which gets at least one chunk. All chunks have the same columns. Chunks
 * of one station follow each other, with rows ascending by time.
 */
export interface ArchiveFormat {
  /** Whether `--header` chooses the lines before the rows. */
  readonly hasHeader?: boolean;
  /** The values of `--header` with which each row has the id of its station. */
  readonly stationHeaders: readonly HeaderChoice[];
  /** Whether each row is a point of a time series, which needs a time and its station's name. */
  readonly isSeries?: boolean;
  /** How rows of an existing file are split into fields for `--append`, which continues it. */
  readonly rows?: 'csv' | 'tabs' | 'json';
  archive(
    chunks: AsyncIterable<StationChunk>,
    layout: ArchiveLayout,
    look: OutputCapabilities,
  ): AsyncIterable<OutputPiece>;
}

/** A format for lists of stations and for archives. */
export type Format = StationFormat & ArchiveFormat;

/** License and source of the data, as records contain them. */
export type Credit = Pick<Provenance, 'license' | 'attribution'>;

/** A record of `vane watch`: a new measurement, or an event of an alert with its measurement. */
export interface WatchRecord extends SelectedStation {
  /** License and source of the data; undefined before the first response of the service. */
  readonly credit: Credit | undefined;
  /** Measurements of the last hour, ascending by time, for the trend. */
  readonly samples: readonly WindSample[];
  /** The time at which the measurement's age is taken, milliseconds since 1970. */
  readonly now: number;
  /** The event of an alert; undefined if the record is a new measurement. */
  readonly event: AlertEvent | undefined;
}

/** How the values of all records of `vane watch` are written. */
export interface WatchRecordStyle extends ValueStyle {
  /** Whether an alert is set, so that some records are events. */
  readonly withEvents: boolean;
}

/** A format for the records of `vane watch`, with whole lines for each record. */
export interface WatchRecordFormat {
  /** The lines that begin a file, such as column names; empty for most formats. */
  head(style: WatchRecordStyle): string;
  /** A record as whole lines; empty if the format cannot express it, such as an event. */
  record(record: WatchRecord, style: WatchRecordStyle): string;
}

/** How the values of a document of rows are written. */
export interface DocumentStyle extends ValueStyle {
  readonly zone: string;
}

/** A format for documents of flat rows: statistics and checks. */
export interface RowFormat {
  document(
    document: RowDocument,
    style: DocumentStyle,
    look: OutputCapabilities,
  ): AsyncIterable<string>;
}
