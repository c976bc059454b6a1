import { type Chunk, describeUnitChange } from '../../domain/readings/chunk.ts';
import { rowsWithin } from '../../domain/readings/columns.ts';
import { writtenColumns } from '../../formats/archiveRows.ts';
import type { StationChunk } from '../../formats/format.ts';
import type { ReadingsAccount } from '../../readings/account.ts';
import type { ArchiveOptions } from './options.ts';
import type { PlannedFile } from './plan.ts';
import {
  type DescribedStation,
  type FirstPosition,
  StationSummarizer,
} from './stationSummaries.ts';

/** What was written to a file; `path` is undefined for stdout. */
export interface WrittenFile {
  readonly path: string | undefined;
  /** Rows that `--append` added. */
  readonly added: number;
  /** Number of rows that `--append` skipped because they are older than the file's last row. */
  readonly late: number;
  /** Whether the format stopped before the last chunk, as a table on a terminal does. */
  readonly endedEarly: boolean;
}

/** Counts what an export writes, and summarizes its stations. */
export class ExportTally {
  /** Number of readings, not counting those left out by --quality. */
  rows = 0;
  /** Number of rows written. With `--every`, a row combines the readings of an interval. */
  written = 0;
  added = 0;
  late = 0;
  /** Whether the export can stop early because the terminal has shown as many rows as it can. */
  endedEarly = false;
  readonly stations = new Set<number>();
  readonly files: string[] = [];
  /** A sentence about the first column whose unit changes within a file; undefined if none does. */
  unitChange: string | undefined;
  /** The unit of each written column, by column name. */
  units: Readonly<Record<string, string>> | undefined;
  readonly #options: ArchiveOptions;
  readonly #plan: readonly PlannedFile[];
  /**
   * Summaries of stations, for a table or a report; undefined for other exports, which need not
   * parse values.
   */
  readonly #summaries: Map<number, DescribedStation> | undefined;

  constructor(options: ArchiveOptions, plan: readonly PlannedFile[]) {
    this.#options = options;
    this.#plan = plan;
    const isSummarized = options.output.format === 'table' || options.report !== undefined;
    this.#summaries = isSummarized ? new Map() : undefined;
  }

  /**
   * Counts the readings of a station, summarizes them if needed, and passes them on. With `--append`,
   * the summary leaves out readings that the file already contains.
   */
  async *observe(station: number, chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    this.stations.add(station);
    const observer = this.#summaries && this.#observerOf(station);
    const last = this.#lastTimeOf(station);
    const after = last === undefined ? {} : { start: last + 1 };
    try {
      for await (const chunk of chunks) {
        this.rows += chunk.count;
        observer?.add(rowsWithin(chunk.columns, after));
        yield chunk;
      }
    } finally {
      if (observer) this.#summaries?.set(station, observer.finish(station));
    }
  }

  /** Counts the rows written to a file, and passes them on. */
  async *countWritten(chunks: AsyncIterable<StationChunk>): AsyncGenerator<StationChunk> {
    const { layout } = this.#options;
    let unit: string | undefined;
    for await (const part of chunks) {
      const { station, chunk } = part;
      const { head, count } = chunk;
      unit ??= head.pressureUnit;
      if (count > 0 && layout.columns.includes('pressure')) {
        this.unitChange ??= describeUnitChange(unit, head.pressureUnit, station);
      }
      this.written += count;
      this.units ??= Object.fromEntries(
        writtenColumns(layout, head).flatMap(({ name, unit }) =>
          name === 'station' ? [] : [[name, unit]],
        ),
      );
      yield part;
    }
  }

  addFile({ path, added, late, endedEarly }: WrittenFile): void {
    this.endedEarly = endedEarly;
    if (path !== undefined) this.files.push(path);
    this.added += added;
    this.late += late;
  }

  /**
   * Summarizes each station, even one whose requests all failed; undefined if no summary is needed.
   */
  summarize({ missing }: ReadingsAccount): readonly DescribedStation[] | undefined {
    if (this.#summaries === undefined) return undefined;
    const failed = new Set(missing.map(({ station }) => station));
    const planned = new Set(this.#plan.flatMap(({ stations }) => stations));
    return [...planned].flatMap((station) => {
      const described = this.#summaries?.get(station);
      if (described) return described;
      return failed.has(station) ? this.#observerOf(station).finish(station) : [];
    });
  }

  /** The first position of the stations as text, and whether a later position differs. */
  describePosition(): FirstPosition {
    const stations = [...(this.#summaries?.values() ?? [])];
    const positions = new Set(stations.flatMap(({ position }) => position ?? []));
    const [position] = positions;
    const hasMoved = positions.size > 1 || stations.some(({ hasMoved }) => hasMoved);
    return { position, hasMoved };
  }

  #observerOf(station: number): StationSummarizer {
    const { period } = this.#options;
    return new StationSummarizer(this.#options, this.#lastTimeOf(station) ?? period.start);
  }

  /** The time of the last row of the station's file that `--append` continues. */
  #lastTimeOf(station: number): number | undefined {
    return this.#plan.find(({ stations }) => stations.includes(station))?.continued?.last?.time;
  }
}
