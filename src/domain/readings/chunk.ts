import type { Archive, Provenance } from '../envelope.ts';
import type { Period } from '../period.ts';
import { quoteExcerpt } from '../text.ts';
import { DEPRECATED_PRESSURE_UNIT } from './archiveColumns.ts';
import type { Columns } from './columns.ts';
import type { ArchiveLines } from './lines.ts';
import { parseLines } from './readLines.ts';

/** What a chunk's document says beside its rows; files may lack license and source. */
export interface ChunkMetadata extends Partial<Provenance> {
  /** The unit of the pressure; all other units are fixed. */
  readonly pressureUnit: string;
}

/** How the rows of a chunk differ from those of the response. */
export interface RowRepairs {
  /** Rows outside the period of the chunk; they are dropped. */
  readonly outside: number;
  /** Rows that came after a row of a later time; they are sorted into place. */
  readonly disordered: number;
  /** Copies of another row; they are dropped. */
  readonly repeated: number;
  /** Rows with the time of another row but other values; they are kept. */
  readonly conflicting: number;
}

export const NO_REPAIRS: RowRepairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };

/**
 * A part of a station's history, ordered by time; different rows of one time are all kept. It is a
 * class, since spreading an object would run the getter, and so parse every chunk.
 */
export class Chunk {
  /** The requested period; for files, the span of the rows. */
  readonly period: Period;
  readonly head: ChunkMetadata;
  readonly repairs: RowRepairs;
  /** The rows as the service wrote them; undefined once a step has changed a row. */
  readonly lines: ArchiveLines | undefined;
  #columns: Columns | undefined;

  private constructor(chunk: Omit<Chunk, 'columns' | 'count' | 'with'>, columns?: Columns) {
    this.period = chunk.period;
    this.head = chunk.head;
    this.repairs = chunk.repairs;
    this.lines = chunk.lines;
    this.#columns = columns;
  }

  /** A chunk of the service's lines. */
  static ofLines(
    period: Period,
    head: ChunkMetadata,
    lines: ArchiveLines,
    repairs: RowRepairs = NO_REPAIRS,
  ): Chunk {
    return new Chunk({ period, head, lines, repairs });
  }

  static ofColumns(period: Period, head: ChunkMetadata, columns: Columns): Chunk {
    return new Chunk({ period, head, lines: undefined, repairs: NO_REPAIRS }, columns);
  }

  /** The rows as numbers, parsed at the first use. */
  get columns(): Columns {
    this.#columns ??= parseLines(this.lines as ArchiveLines);
    return this.#columns;
  }

  /** Number of rows. */
  get count(): number {
    return this.lines?.count ?? this.columns.count;
  }

  /** This chunk with other rows; it has no lines then. The same chunk if the rows are its own. */
  with(columns: Columns): Chunk {
    return columns === this.#columns
      ? this
      : new Chunk({ ...this.#facts(), lines: undefined }, columns);
  }

  #facts(): Pick<Chunk, 'period' | 'head' | 'repairs'> {
    return { period: this.period, head: this.head, repairs: this.repairs };
  }
}

/** Most characters shown of a unit. */
const MAX_SHOWN = 40;

/**
 * A sentence on the unit of the pressure where it differs in a later part of an archive; undefined if
 * the units are the same.
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

/** What an archive says beside its rows. */
export function chunkMetadataOf({
  doc,
  license,
  attribution,
  units,
}: Omit<Archive, 'rows'>): ChunkMetadata {
  return { doc, license, attribution, pressureUnit: units.at(-1) ?? DEPRECATED_PRESSURE_UNIT };
}
