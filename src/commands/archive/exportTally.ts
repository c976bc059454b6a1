import type { Archive } from '../../domain/envelope.ts';
import type { ChunkResult, Repairs } from '../../service/chunks.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { ColumnChanges } from './columnChanges.ts';
import type { StationSummaries } from './stationSummaries.ts';

export class ExportTally extends ChunkTally {
  /** Rows written with `--every`, each from all readings of a step of time. */
  steps = 0;
  /** Rows that `--append` added. */
  added = 0;
  /** Rows older than the last row of their file, which `--append` cannot add. */
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
   * Counts an answer of the service, or the failure of its request.
   * @param wanted names of the written columns; undefined for all
   */
  override take(result: ChunkResult, wanted?: readonly string[]): Archive | undefined {
    const archive = super.take(result);
    this.stations.add(result.request.station);
    this.summaries?.take(result.request, archive);
    if ('failure' in result) return undefined;
    this.columns.take(result, wanted);
    for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
      this.repairs[kind] += result.repairs[kind];
    }
    return archive;
  }
}
