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

/** Stations to be written, as they came; a format converts the values that it shows. */
export interface StationList extends ValueStyle {
  readonly provenance: Provenance;
  readonly stations: readonly SelectedStation[];
  /** Exactly one station was asked for by its id: the interface answers an object, not a list. */
  readonly isSingle: boolean;
  readonly withMeta: boolean;
  /** Milliseconds since 1970 that ages count from. */
  readonly now: number;
}

/** Part of a station's history, ready to be written: units, zone and columns are as asked for. */
export interface ArchiveChunk extends Archive {
  readonly station: number;
  /** Computes the interface's columns from the rows: speeds in the unit asked for, times in UTC. */
  readonly columns: () => Columns;
  /** Name of the station, for formats with the trait `isSeries`. */
  readonly name?: string | undefined;
  /** Rows are steps: the columns of the interface, then those of STEP_COLUMNS. */
  readonly isSteps?: boolean;
}

/** The lines before an archive's rows in csv and txt: the interface's four, the names, or none. */
export const HEADERS = ['service', 'names', 'none'] as const;
export type Header = (typeof HEADERS)[number];

/** How an archive's rows are laid out, where the format leaves a choice. */
export interface ArchiveLayout {
  readonly header: Header;
  /** The place of the column `station` among the others; undefined where there is none. */
  readonly stationAt: number | undefined;
  /** Write missing values as `null` with any header, as in a file of an earlier version. */
  readonly writesNull?: boolean;
}

/** Abilities of the output: a terminal, a pipe or a file. */
export interface Look {
  readonly colour: boolean;
  /** Width to fit; undefined where nothing needs to fit, as in a file or pipe. */
  readonly columns: number | undefined;
  /** Whether characters beyond ASCII are shown. */
  readonly isUnicode: boolean;
}

/** One way to write stations down, in pieces of text. */
export interface StationFormat {
  stations(list: StationList, look: Look): Iterable<string>;
}

/** A part of a document: text, or bytes of a binary format. */
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

/** A format for stations and archives. */
export type Format = StationFormat & ArchiveFormat;

/** A new measurement, or an event of an alarm with the measurement that it rests on. */
export interface StreamRecord extends SelectedStation {
  /** Samples of the last hour, ascending; the trend is computed from them. */
  readonly samples: readonly Sample[];
  /** Milliseconds since 1970 that ages count from. */
  readonly now: number;
  /** The event of an alarm; undefined for a record of a measurement. */
  readonly event: AlarmEvent | undefined;
}

/** Form of the values in every record. */
export interface StreamStyle extends ValueStyle {
  /** Whether an alarm is armed, so that some records are events. */
  readonly withEvents: boolean;
}

/** One way to write the records of a watch, whole lines a record. */
export interface StreamFormat {
  /** The lines at the start of a file; empty for most formats. */
  head(style: StreamStyle): string;
  /** Whole lines, or nothing where the format has no place for such a record. */
  record(record: StreamRecord, style: StreamStyle): string;
}

/** The groups of one station, in order. */
export interface StationStatistics {
  readonly station: number;
  /** The name of the station; undefined where it was not requested. */
  readonly name: string | undefined;
  readonly period: Period;
  readonly groups: readonly Group[];
}

/** Classes of speed, each up to the next. */
export interface SpeedClasses {
  /** The lowest speed of each class in the unit asked for; the first is 0. */
  readonly lowest: readonly number[];
  /** Whether the classes are the Beaufort forces. */
  readonly isBeaufort: boolean;
}

/** Statistics to be written, of one station after the other. Speeds came in km/h. */
export interface StatisticsList extends ValueStyle {
  readonly zone: string;
  readonly by: readonly GroupKey[];
  /** Classes of speed of the rose; undefined without one. */
  readonly classes: SpeedClasses | undefined;
  readonly stations: AsyncIterable<StationStatistics>;
  /** Source and license as far as they are known once the first station comes. */
  readonly provenance: () => Partial<Provenance>;
}

/** One way to write statistics. */
export interface StatisticsFormat {
  statistics(list: StatisticsList, look: Look): AsyncIterable<string>;
}
