import type { ArchiveChunk } from '../../formats/format.ts';
import type { ChunkResult, Repairs } from '../../service/chunks.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { ColumnChanges } from './columnChanges.ts';
import type { StationArchive } from './everyStep.ts';
import type { StationSummaries } from './stationSummaries.ts';

/** A file, or stdout without a path, that is written, with the rows of `--append`. */
export interface Written {
  readonly path: string | undefined;
  /** Rows that `--append` added. */
  readonly added: number;
  /** Rows older than the last row of the file, which `--append` cannot add. */
  readonly late: number;
}

/** Counts what an export reads and writes, and how the rows differ from the service's answers. */
export class ExportTally extends ChunkTally {
  /** Rows written with `--every`, each from all readings of a step of time. */
  steps = 0;
  added = 0;
  late = 0;
  readonly stations = new Set<number>();
  readonly files: string[] = [];
  readonly repairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };
  readonly columns = new ColumnChanges();
  /** The unit of each written column, by the column's name. */
  units: Readonly<Record<string, string>> | undefined;
  /** Statistics for a table or a report; other exports are written without parsing their values. */
  readonly summaries: StationSummaries | undefined;

  constructor(summaries?: StationSummaries) {
    super();
    this.summaries = summaries;
  }

  /**
   * Counts answers of the service and failures of requests, and passes the answers on.
   * @param wanted names of the written columns; undefined for all
   */
  async *takeResults(
    results: AsyncIterable<ChunkResult>,
    wanted: readonly string[] | undefined,
  ): AsyncGenerator<StationArchive> {
    for await (const result of results) {
      const { station } = result.request;
      const archive = this.take(result);
      this.stations.add(station);
      this.summaries?.take(result.request, archive);
      if ('failure' in result) continue;
      this.columns.take(result, wanted);
      for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
        this.repairs[kind] += result.repairs[kind];
      }
      yield { station, archive: result.archive };
    }
  }

  /** Counts the rows that are written, and passes them on. */
  async *takeChunks(chunks: AsyncIterable<ArchiveChunk>): AsyncGenerator<ArchiveChunk> {
    for await (const chunk of chunks) {
      const { legend, units, isSteps, rows } = chunk;
      if (isSteps) this.steps += rows.count;
      this.units ??= Object.fromEntries(legend.map((name, i) => [name, units[i] ?? '']));
      yield chunk;
    }
  }

  takeFile({ path, added, late }: Written): void {
    if (path !== undefined) this.files.push(path);
    this.added += added;
    this.late += late;
  }
}
