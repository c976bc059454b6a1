import type { Provenance } from '../../domain/envelope.ts';
import type { VaneError } from '../../errors.ts';
import type { ChunkArchive, ChunkRequest, Repairs } from '../../service/chunks.ts';
import { addMissing, type MissingRange } from '../shared/missing.ts';
import { ColumnChanges } from './columnChanges.ts';
import type { Digest } from './digest.ts';

/** Counts the chunks, rows, files and failures of an export. */
export class ExportTally {
  chunks = 0;
  rows = 0;
  /** Rows that `--append` added. */
  added = 0;
  /** Rows older than the last row of their file, which `--append` cannot add. */
  late = 0;
  readonly stations = new Set<number>();
  readonly files: string[] = [];
  readonly missing: MissingRange[] = [];
  readonly repairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };
  readonly columns = new ColumnChanges();
  provenance: Provenance | undefined;
  /** Only of a table, since other formats are written without parsing their values. */
  readonly digest: Digest | undefined;

  constructor(digest?: Digest) {
    this.digest = digest;
  }

  /**
   * Counts a chunk and its rows.
   * @param wanted names of the written columns; undefined for all
   */
  take(chunk: ChunkArchive, wanted: readonly string[] | undefined): void {
    const { request, archive, repairs } = chunk;
    this.#countChunk(request);
    this.rows += archive.rows.count;
    this.provenance ??= archive;
    this.columns.take(chunk, wanted);
    this.digest?.take(chunk);
    for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
      this.repairs[kind] += repairs[kind];
    }
  }

  /** Counts a chunk as missing. */
  miss(request: ChunkRequest, failure: VaneError): void {
    this.#countChunk(request);
    addMissing(this.missing, request, failure);
  }

  #countChunk({ station }: ChunkRequest): void {
    this.chunks++;
    this.stations.add(station);
  }
}
