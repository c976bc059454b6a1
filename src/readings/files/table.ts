import type { Provenance } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import type { Partition } from './partition.ts';
import type { StationColumns } from './pieces.ts';

/** License and attribution, if a file contains them. */
export type FileProvenance = Partial<Pick<Provenance, 'license' | 'attribution'>>;

/** A file of `--from` after its header was read, before its rows. */
export interface FileTable {
  /** Whether rows may name their stations, in a column or as a member of ndjson. */
  readonly namesStations: boolean;
  readonly provenance: FileProvenance;
  /**
   * Reads the rows.
   * @throws UsageError that names the file, the line and the column
   */
  pieces(): AsyncGenerator<StationColumns>;
}

/** How to read a file. */
export interface TableOptions {
  readonly path: string;
  /** The station of rows that name none; undefined if nothing else names it. */
  readonly defaultStation: number | undefined;
  readonly partition: Partition;
  /** The time zone of dates without an offset from UTC. */
  readonly zone: string;
  /** Rows outside this period are left out. */
  readonly bounds: Partial<Period>;
  /** Whether to read the columns with positions. */
  readonly hasPositions: boolean;
  readonly note: (sentence: string) => void;
  /**
   * Whether to keep the readings of a station.
   * @throws UsageError for too many stations
   */
  readonly wants: (station: number) => boolean;
}
