import type { Archive, Provenance } from '../envelope.ts';
import type { Period } from '../period.ts';
import { quoteExcerpt } from '../text.ts';
import { DEPRECATED_PRESSURE_UNIT } from './archiveColumns.ts';
import type { ReadingColumns } from './columns.ts';
import type { ArchiveLines } from './lines.ts';
import { parseLines } from './readLines.ts';

/** What a response says about its rows. Files may lack license and attribution. */
export interface ChunkMetadata extends Partial<Provenance> {
  /** The unit of the pressure; the units of all other columns are fixed. */
  readonly pressureUnit: string;
}

/** How the rows of a chunk were changed after the response arrived. */
export interface RowRepairs {
  /** Number of rows dropped because they are outside the chunk's period. */
  readonly outside: number;
  /** Number of rows that came out of order and were sorted. */
  readonly disordered: number;
  /** Number of rows dropped because they repeat another row. */
  readonly repeated: number;
  /** Number of rows that have the time of another row but other values. They are kept. */
  readonly conflicting: number;
}

export const NO_REPAIRS: RowRepairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };

/**
 * A part of a station's history in order of time. Different rows of the same time are all kept.
 * This is a class, since spreading an object would call the getter of `columns` and so parse every
 * chunk.
 */
export class Chunk {
  /** The requested period; for files, the period that the rows cover. */
  readonly period: Period;
  readonly head: ChunkMetadata;
  readonly repairs: RowRepairs;
  /** The rows as the service wrote them; undefined once a step has changed them. */
  readonly lines: ArchiveLines | undefined;
  #columns: ReadingColumns | undefined;

  private constructor(chunk: Omit<Chunk, 'columns' | 'count' | 'with'>, columns?: ReadingColumns) {
    this.period = chunk.period;
    this.head = chunk.head;
    this.repairs = chunk.repairs;
    this.lines = chunk.lines;
    this.#columns = columns;
  }

  /** Creates a chunk from lines of the service. */
  static ofLines(
    period: Period,
    head: ChunkMetadata,
    lines: ArchiveLines,
    repairs: RowRepairs = NO_REPAIRS,
  ): Chunk {
    return new Chunk({ period, head, lines, repairs });
  }

  static ofColumns(period: Period, head: ChunkMetadata, columns: ReadingColumns): Chunk {
    return new Chunk({ period, head, lines: undefined, repairs: NO_REPAIRS }, columns);
  }

  /** The rows as numbers, parsed on first use. */
  get columns(): ReadingColumns {
    this.#columns ??= parseLines(this.lines as ArchiveLines);
    return this.#columns;
  }

  /** Number of rows. */
  get count(): number {
    return this.lines?.count ?? this.columns.count;
  }

  /**
   * Returns this chunk with other rows and without lines, or this chunk itself if the rows are the
   * same.
   */
  with(columns: ReadingColumns): Chunk {
    return columns === this.#columns
      ? this
      : new Chunk({ ...this.#facts(), lines: undefined }, columns);
  }

  #facts(): Pick<Chunk, 'period' | 'head' | 'repairs'> {
    return { period: this.period, head: this.head, repairs: this.repairs };
  }
}

/** Maximum length of a unit in messages. */
const MAX_SHOWN = 40;

/**
 * A sentence about a unit of pressure that differs in a later part of an archive; undefined if the
 * units are equal.
 */
export function describeUnitChange(
  first: string,
  later: string,
  station: number,
): string | undefined {
  if (first === later) return undefined;
  const [before, after] = [first, later].map((unit) => quoteExcerpt(unit, MAX_SHOWN));
  return (
    `The unit of pressure changes from ${before} to ${after} at station ${station}; ` +
    'the values are not converted, and all stand under the first unit.'
  );
}

/** The metadata of an archive's response. */
export function chunkMetadataOf({
  doc,
  license,
  attribution,
  units,
}: Omit<Archive, 'rows'>): ChunkMetadata {
  return { doc, license, attribution, pressureUnit: units.at(-1) ?? DEPRECATED_PRESSURE_UNIT };
}
