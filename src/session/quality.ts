import { ColumnReader } from '../domain/columnReader.ts';
import { type Columns, pickRows } from '../domain/columns.ts';
import { type FlaggedBatch, FlaggedBatches } from '../domain/quality/flaggedBatches.ts';
import { type Flag, QUALITIES, type Quality } from '../domain/quality/limits.ts';
import { FLAG_COLUMN } from '../domain/reading.ts';
import { Rows } from '../domain/rows.ts';
import { countOf } from '../domain/text.ts';
import type { Reporter } from '../output/reporter.ts';
import type { ChunkArchive, ChunkResult } from '../service/chunks.ts';

/** Leaves out readings by their flags. */
export class QualitySieve {
  readonly #quality: Quality;
  readonly #now: number;
  #leftOut = 0;

  /** @param now milliseconds since 1970, when the command began */
  constructor(quality: Quality, now: number) {
    this.#quality = quality;
    this.#now = now;
  }

  /**
   * Passes chunks on, station by station, without the readings to leave out. A chunk waits until the
   * flags of all its readings are final, which may take those of the next.
   * @param hasFlags whether each row gets its flag as a further column
   */
  async *sieve(results: AsyncIterable<ChunkResult>, hasFlags = false): AsyncGenerator<ChunkResult> {
    if (this.#quality === 'all' && !hasFlags) return yield* results;
    const reader = new ColumnReader();
    let station: number | undefined;
    let batches = new FlaggedBatches<ChunkResult>(this.#now);
    const give = ({ batch, flags }: FlaggedBatch<ChunkResult>): ChunkResult =>
      'failure' in batch ? batch : this.#sieveChunk(batch, flags, hasFlags);
    for await (const result of results) {
      if (result.request.station !== station) {
        yield* batches.finish().map(give);
        station = result.request.station;
        batches = new FlaggedBatches(this.#now);
      }
      const rows = 'failure' in result ? Rows.ofReadings([]) : result.archive.rows;
      yield* batches.add(result, reader.read(rows)).map(give);
    }
    yield* batches.finish().map(give);
  }

  /**
   * Passes readings out of files on, which come in order of time, without those to leave out.
   * @returns `take` for the next readings of a station, and `end` for the time after the last
   */
  sieveColumns(pass: (station: number, columns: Columns) => void) {
    /** By station, the readings that wait, and the times left out, which further rows may have. */
    const stations = new Map<number, [FlaggedBatches<Columns>, gone: Set<number>]>();
    const give = (station: number, given: FlaggedBatch<Columns>[], gone: Set<number>): void => {
      for (const { batch, flags } of given) {
        const kept = new Set(this.#keptOf(flags));
        for (const [row, ms] of batch.time.entries()) if (!kept.has(row)) gone.add(ms);
        const rows = Int32Array.from(kept).filter((row) => !gone.has(batch.time[row] as number));
        pass(station, rows.length === batch.count ? batch : pickRows(batch, rows));
      }
    };
    const take = (station: number, columns: Columns): void => {
      const [batches, gone] = stations.get(station) ?? [new FlaggedBatches(this.#now), new Set()];
      stations.set(station, [batches, gone]);
      give(station, batches.add(columns, columns), gone);
    };
    const end = (): void => {
      for (const [station, [batches, gone]] of stations) give(station, batches.finish(), gone);
    };
    return this.#quality === 'all' ? { take: pass, end } : { take, end };
  }

  /** Notes how many readings were left out. */
  note({ note }: Pick<Reporter, 'note'>): void {
    if (this.#leftOut === 0) return;
    const [fail, are] = this.#leftOut === 1 ? ['fails', 'is'] : ['fail', 'are'];
    const why = this.#quality === 'pass' ? `${fail} or ${are} suspect` : fail;
    note(`Left out ${countOf(this.#leftOut, 'reading')} that ${why} (--quality ${this.#quality}).`);
  }

  /** Finds the readings to keep, and counts the others. */
  #keptOf(flags: readonly Flag[]): number[] {
    const leftOut: readonly Flag[] = QUALITIES[this.#quality];
    const kept = [...flags.keys()].filter((row) => !leftOut.includes(flags[row] as Flag));
    this.#leftOut += flags.length - kept.length;
    return kept;
  }

  #sieveChunk(chunk: ChunkArchive, flags: readonly Flag[], hasFlags: boolean): ChunkResult {
    const { archive } = chunk;
    const kept = this.#keptOf(flags);
    if (!hasFlags && kept.length === flags.length) return chunk;
    const lines = archive.rows.lines.split('\n');
    const endOf = (row: number): string => (hasFlags ? `,${flags[row]}\n` : '\n');
    const rows = Rows.ofLines(kept.map((row) => lines[row] + endOf(row)).join(''), kept.length);
    if (!hasFlags) return { ...chunk, archive: { ...archive, rows } };
    const legend = [...archive.legend, FLAG_COLUMN.name];
    const units = [...archive.units, FLAG_COLUMN.unit];
    return { ...chunk, archive: { ...archive, rows, legend, units } };
  }
}
