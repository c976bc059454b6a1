import type { Condition } from '../domain/condition/condition.ts';
import type { RowDocument } from '../domain/document.ts';
import type { Provenance } from '../domain/envelope.ts';
import type { WrittenColumnName } from '../domain/readings/archiveColumns.ts';
import type { Chunk } from '../domain/readings/chunk.ts';
import type { SelectedStation } from '../domain/selection.ts';
import type { SpeedUnit } from '../domain/units.ts';
import type { AlertEvent } from '../domain/watching/alert.ts';
import type { WindSample } from '../domain/watching/recentMeasurements.ts';

/** The unit and time zone in which values are written. */
export interface ValueStyle {
  readonly unit: SpeedUnit;
  /** Converts a date of the service, which is in UTC, to the chosen zone. */
  readonly writeDate: (isoUtc: string) => string;
}

/** Stations as the service sent them, in km/h and UTC. Formats convert the values. */
export interface StationList extends ValueStyle {
  readonly provenance: Provenance;
  readonly stations: readonly SelectedStation[];
  /**
   * Whether one station was requested by its id. The service then sends an object instead of a
   * list.
   */
  readonly isSingle: boolean;
  readonly withMeta: boolean;
  /** The conditions of favourites by station, for the table of `vane live`. */
  readonly conditions?: ReadonlyMap<number, Condition>;
  /** The current time, for the age of measurements, milliseconds since 1970. */
  readonly now: number;
}

/** A chunk of an archive, and its station. */
export interface StationChunk {
  readonly station: number;
  readonly chunk: Chunk;
  /** The station's name; only set for formats with the trait `isSeries`. */
  readonly name?: string | undefined;
}

/**
 * The choices of `--header` for csv and txt: the service's four lines, column names, or nothing.
 */
export const HEADER_CHOICES = ['service', 'names', 'none'] as const;
export type HeaderChoice = (typeof HEADER_CHOICES)[number];

/** The columns, header and style of an archive's rows. */
export interface ArchiveLayout extends ValueStyle {
  /** The name of the time zone of all times, which is also the unit of the column `time`. */
  readonly zone: string;
  readonly header: HeaderChoice;
  /** The columns in order. They include `station` if rows name their station. */
  readonly columns: readonly WrittenColumnName[];
  /** Whether the user chose the columns with `--columns`. */
  readonly isChosen?: boolean;
}

/** What the output supports, depending on whether it is a terminal, a pipe or a file. */
export interface OutputCapabilities {
  readonly colour: boolean;
  /** Width of the window in cells; undefined for a file or pipe, which has no maximum width. */
  readonly width: number | undefined;
  /** Maximum number of lines of a table: two windows full. Undefined for no limit. */
  readonly maxLines?: number | undefined;
  /** Whether the output shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** What a format can do. */
export interface FormatTraits {
  /** The explanation of the format in the manual page. */
  readonly meaning: string;
  /** The file name endings that choose the format; by default its name, such as `.csv`. */
  readonly endings?: readonly string[];
  /**
   * Whether the output is compressed binary data, which is not for terminals and does not get
   * smaller by `.gz`.
   */
  readonly isBinary?: boolean;
  /** Whether documents of rows contain the names of stations. */
  readonly namesStations?: boolean;
  /**
   * The kinds of output that contain license and attribution. For csv and txt, only with `--header
   * service`.
   */
  readonly carriesProvenance?: readonly ('stations' | 'archive' | 'rows')[];
}

/** Writes a list of stations in pieces of text. */
export interface StationFormat {
  stations(list: StationList, look: OutputCapabilities): Iterable<string>;
}

/** A part of the output: text, or bytes of a binary format. */
export type OutputPiece = string | Uint8Array;

/**
 * Writes an archive of at least one chunk. All chunks have the same columns. The chunks of a
 * station come together, in order of time.
 */
export interface ArchiveFormat {
  /** Whether `--header` chooses the lines before the rows. */
  readonly hasHeader?: boolean;
  /** The values of `--header` that require a column with the station's id. */
  readonly stationHeaders: readonly HeaderChoice[];
  /**
   * Whether each row becomes a point of a time series, which needs a time and its station's name.
   */
  readonly isSeries?: boolean;
  /** How `--append` splits the rows of an existing file into fields; undefined if it cannot. */
  readonly rows?: 'csv' | 'tabs' | 'json';
  archive(
    chunks: AsyncIterable<StationChunk>,
    layout: ArchiveLayout,
    look: OutputCapabilities,
  ): AsyncIterable<OutputPiece>;
}

/** A format for lists of stations and for archives. */
export type Format = StationFormat & ArchiveFormat;

/** The license and attribution of the data. */
export type Credit = Pick<Provenance, 'license' | 'attribution'>;

/**
 * A record of `vane watch`: a new measurement, or an event of an alert with the latest measurement.
 */
export interface WatchRecord extends SelectedStation {
  /** License and attribution; undefined before the service's first response. */
  readonly credit: Credit | undefined;
  /** Measurements of the last hour in order of time, for the trend. */
  readonly samples: readonly WindSample[];
  /** The current time, for the age of the measurement, milliseconds since 1970. */
  readonly now: number;
  /** The event of an alert; undefined for a new measurement. */
  readonly event: AlertEvent | undefined;
}

/** The style of all records of `vane watch`. */
export interface WatchRecordStyle extends ValueStyle {
  /** Whether an alert is set, so that records can be events. */
  readonly withEvents: boolean;
}

/** Writes records of `vane watch`, each as whole lines. */
export interface WatchRecordFormat {
  /** The lines at the start of a file, such as column names; empty for most formats. */
  head(style: WatchRecordStyle): string;
  /**
   * Writes a record as whole lines; empty if the format cannot express it, for example an event.
   */
  record(record: WatchRecord, style: WatchRecordStyle): string;
}

/** The style of the values in a document of rows. */
export interface DocumentStyle extends ValueStyle {
  readonly zone: string;
}

/** Writes documents of flat rows, such as statistics and checks. */
export interface RowFormat {
  document(
    document: RowDocument,
    style: DocumentStyle,
    look: OutputCapabilities,
  ): AsyncIterable<string>;
}
