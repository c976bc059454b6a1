import type { Columns } from '../domain/columns.ts';
import type { Archive, Provenance } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import type { SelectedStation } from '../domain/selection.ts';
import type { SpeedUnit } from '../domain/units.ts';
import type { AlarmEvent } from '../domain/watching/alarm.ts';
import type { Sample } from '../domain/watching/track.ts';
import type { Group, GroupKey } from '../statistics/statistics.ts';

/** How values are written. */
export interface ValueStyle {
  readonly unit: SpeedUnit;
  /** Writes a date of the interface in the zone asked for. */
  readonly writeDate: (isoUtc: string) => string;
}

/**
 * Stations as the service sent them, in km/h and UTC; a format converts the values that it writes.
 */
export interface StationList extends ValueStyle {
  readonly provenance: Provenance;
  readonly stations: readonly SelectedStation[];
  /**
   * Whether one station was asked for by its id, which the interface answers with an object, not a
   * list.
   */
  readonly isSingle: boolean;
  readonly withMeta: boolean;
  /** The time from which ages are counted back, milliseconds since 1970. */
  readonly now: number;
}

/** Part of a station's history, ready to be written in the unit, zone and columns asked for. */
export interface ArchiveChunk extends Archive {
  readonly station: number;
  /** Computes the interface's columns from the rows: speeds in the unit asked for, times in UTC. */
  readonly columns: () => Columns;
  /** Name of the station, for formats with the trait `isSeries`. */
  readonly name?: string | undefined;
  /** Whether rows are steps of `--every`: the interface's columns, then those of STEP_COLUMNS. */
  readonly isSteps?: boolean;
}

/** The lines before an archive's rows in csv and txt: the service's four, column names, or none. */
export const HEADERS = ['service', 'names', 'none'] as const;
export type Header = (typeof HEADERS)[number];

/** How an archive's rows are laid out, where the format leaves a choice. */
export interface ArchiveLayout {
  readonly header: Header;
  /** The index of the column `station` in a row; undefined without this column. */
  readonly stationAt: number | undefined;
  /** Whether missing values are `null` with any header, as in a file that an earlier vane began. */
  readonly writesNull?: boolean;
}

/** Abilities of the output: a terminal, a pipe or a file. */
export interface Look {
  readonly colour: boolean;
  /**
   * Width of the window in cells; undefined for a file or pipe, where lines may have any length.
   */
  readonly columns: number | undefined;
  /** Whether characters beyond ASCII are shown. */
  readonly isUnicode: boolean;
}

/** A format for stations, written in pieces of text. */
export interface StationFormat {
  stations(list: StationList, look: Look): Iterable<string>;
}

/** A part of a document: text, or bytes of a binary format. */
export type Piece = string | Uint8Array;

/**
 * A format for an archive. At least one chunk comes, and all chunks have the columns of the first.
 * Chunks of one station follow each other, with ascending rows.
 */
export interface ArchiveFormat {
  archive(
    chunks: AsyncIterable<ArchiveChunk>,
    layout: ArchiveLayout,
    look: Look,
  ): AsyncIterable<Piece>;
}

/** A format for stations and archives. */
export type Format = StationFormat & ArchiveFormat;

/**
 * A record of `vane watch`: a new measurement, or an event of an alarm with the measurement that
 * the event rests on.
 */
export interface StreamRecord extends SelectedStation {
  /** Samples of the last hour, ascending, from which the trend is computed. */
  readonly samples: readonly Sample[];
  /** The time from which ages are counted back, milliseconds since 1970. */
  readonly now: number;
  /** The event of an alarm; undefined for a record of a measurement. */
  readonly event: AlarmEvent | undefined;
}

/** How the values of every record are written. */
export interface StreamStyle extends ValueStyle {
  /** Whether an alarm is armed, so that some records are events. */
  readonly withEvents: boolean;
}

/** A format for the records of `vane watch`, with whole lines for each record. */
export interface StreamFormat {
  /** The lines at the start of a file; empty for most formats. */
  head(style: StreamStyle): string;
  /** Whole lines; empty where the format has no place for the record, such as an event. */
  record(record: StreamRecord, style: StreamStyle): string;
}

/** The statistics of one station, as groups in order. */
export interface StationStatistics {
  readonly station: number;
  /** The name of the station; undefined where it was not requested. */
  readonly name: string | undefined;
  readonly period: Period;
  readonly groups: readonly Group[];
}

/** Classes of speed, each up to the lowest speed of the next. */
export interface SpeedClasses {
  /** The lowest speed of each class in the unit asked for; the first is 0. */
  readonly lowest: readonly number[];
  /** Whether the classes are the Beaufort forces. */
  readonly isBeaufort: boolean;
}

/** Statistics of one station after the other, in km/h; a format converts the speeds. */
export interface StatisticsList extends ValueStyle {
  readonly zone: string;
  readonly by: readonly GroupKey[];
  /** Classes of speed of the rose; undefined without a rose. */
  readonly classes: SpeedClasses | undefined;
  readonly stations: AsyncIterable<StationStatistics>;
  /** License and source as far as they are known; complete once the first station has come. */
  readonly provenance: () => Partial<Provenance>;
}

/** A format for statistics, written in pieces of text. */
export interface StatisticsFormat {
  statistics(list: StatisticsList, look: Look): AsyncIterable<string>;
}
