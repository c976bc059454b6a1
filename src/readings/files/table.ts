import type { Provenance } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import type { Partition } from './partition.ts';
import type { StationColumns } from './pieces.ts';

/** License and attribution that a file contains beside its readings. */
export type FileProvenance = Partial<Pick<Provenance, 'license' | 'attribution'>>;

/** A file of `--from` whose header is read and whose rows are still to come. */
export interface FileTable {
  /** Whether rows may name their stations: in a column, or in ndjson as a member. */
  readonly namesStations: boolean;
  readonly provenance: FileProvenance;
  /**
   * Reads the rows.
   * @throws UsageError that names the file, the line and the column
   */
  pieces(): AsyncGenerator<StationColumns>;
}

/** How a file is read. */
export interface TableOptions {
  readonly path: string;
  /** The station of rows that name none; undefined if nothing names one. */
  readonly defaultStation: number | undefined;
  readonly partition: Partition;
  /** The time zone of dates that are written without an offset from UTC. */
  readonly zone: string;
  /** Rows outside this period are left out. */
  readonly bounds: Partial<Period>;
  /** Whether positions are wanted; else their columns are not read. */
  readonly hasPositions: boolean;
  readonly note: (sentence: string) => void;
  /** Whether the readings of a station are wanted. @throws UsageError for too many stations */
  readonly wants: (station: number) => boolean;
}
