import { describeUnitChange } from '../../domain/envelope.ts';
import type { ArchiveChunk } from '../../formats/format.ts';
import type { ChunkResult, Repairs } from '../../service/chunks.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import type { StationArchive } from './everyStep.ts';
import type { StationSummaries } from './stationSummaries.ts';

/** A file, or stdout without a path, that is written, with the rows of `--append`. */
export interface Written {
  readonly path: string | undefined;
  /** Rows that `--append` added. */
  readonly added: number;
  /** Rows older than the last row of the file, which `--append` cannot add. */
  readonly late: number;
  /** Whether the format ended before the last chunk, as a table on a terminal does. */
  readonly isCut: boolean;
}

/** Counts what an export reads and writes, and how the rows differ from the service's responses. */
export class ExportTally extends ChunkTally {
  /** Rows written; with `--every` each has all readings of a step of time. */
  written = 0;
  added = 0;
  late = 0;
  /** Whether the rest of the export is not wanted: a terminal has shown as much as it has room for. */
  isCut = false;
  readonly stations = new Set<number>();
  readonly files: string[] = [];
  readonly repairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };
  /** A sentence on the first column whose unit changes within a file; undefined if none does. */
  unitChange: string | undefined;
  /** The unit of each written column, by the column's name. */
  units: Readonly<Record<string, string>> | undefined;
  /** Statistics for a table or a report; other exports are written without parsing their values. */
  readonly summaries: StationSummaries | undefined;

  constructor(summaries?: StationSummaries) {
    super();
    this.summaries = summaries;
  }

  /** Counts responses of the service and failures of requests, and passes the responses on. */
  async *takeResults(results: AsyncIterable<ChunkResult>): AsyncGenerator<StationArchive> {
    for await (const result of results) {
      const { station } = result.request;
      const archive = this.take(result);
      this.summaries?.take(result.request, archive);
      if ('failure' in result) continue;
      this.stations.add(station);
      for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
        this.repairs[kind] += result.repairs[kind];
      }
      yield { station, archive: result.archive };
    }
  }

  /** Counts the rows that are written to one file, and passes them on. */
  async *takeChunks(chunks: AsyncIterable<ArchiveChunk>): AsyncGenerator<ArchiveChunk> {
    let first: ArchiveChunk | undefined;
    for await (const chunk of chunks) {
      const { station, legend, units, rows } = chunk;
      first ??= chunk;
      this.unitChange ??= describeUnitChange(first, chunk, station);
      this.written += rows.count;
      this.units ??= Object.fromEntries(legend.map((name, i) => [name, units[i] ?? '']));
      yield chunk;
    }
  }

  takeFile({ path, added, late, isCut }: Written): void {
    this.isCut = isCut;
    if (path !== undefined) this.files.push(path);
    this.added += added;
    this.late += late;
  }
}
