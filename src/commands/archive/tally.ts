import type { Provenance } from '../../domain/envelope.ts';
import type { VaneError } from '../../errors.ts';
import type { ChunkArchive, ChunkRequest, Repairs } from '../../service/chunks.ts';
import { addMissing, type MissingRange } from '../shared/missing.ts';
import { ColumnChanges } from './columnChanges.ts';
import type { StationSummaries } from './stationSummaries.ts';

/** Counts the chunks, rows, files and failures of an export. */
export class ExportTally {
  chunks = 0;
  rows = 0;
  /** Rows of `--every`. */
  steps = 0;
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
  /** Units of the written columns by their names. */
  units: Readonly<Record<string, string>> | undefined;
  /** Only for a table or a report, since other exports are written without parsing their values. */
  readonly summaries: StationSummaries | undefined;

  constructor(summaries?: StationSummaries) {
    this.summaries = summaries;
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
    this.summaries?.take(request, archive);
    for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
      this.repairs[kind] += repairs[kind];
    }
  }

  /** Counts a chunk as missing. */
  miss(request: ChunkRequest, failure: VaneError): void {
    this.#countChunk(request);
    addMissing(this.missing, request, failure);
    this.summaries?.take(request, undefined);
  }

  #countChunk({ station }: ChunkRequest): void {
    this.chunks++;
    this.stations.add(station);
  }
}
