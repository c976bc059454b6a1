import { ColumnReader, readingsOf } from '../../domain/columnReader.ts';
import type { Columns } from '../../domain/columns.ts';
import type { Period } from '../../domain/period.ts';
import { NAMELESS } from '../../files/readFiles.ts';
import { refuseLongPeriod } from '../../flags/history.ts';
import type { StationStatistics } from '../../formats/format.ts';
import type { Io } from '../../io.ts';
import type { ChunkResult } from '../../service/chunks.ts';
import type { ChunkTally } from '../../session/chunkTally.ts';
import { type Group, Statistics, type StatisticsOptions } from '../../statistics/statistics.ts';

type Options = Omit<StatisticsOptions, 'period'>;

/**
 * Gives the statistics of each station once its chunks are read, unless all its requests failed.
 * @param results `chunksEach` results for each station, station by station
 */
export async function* gatherChunks(
  results: AsyncGenerator<ChunkResult>,
  stations: ReadonlyMap<number, string | undefined>,
  chunksEach: number,
  options: StatisticsOptions,
  tally: ChunkTally,
  { compute }: Pick<Io, 'compute'>,
): AsyncGenerator<StationStatistics> {
  const { period } = options;
  const reader = new ColumnReader();
  let statistics: Statistics | undefined;
  let [chunks, answers] = [0, 0];
  for await (const result of results) {
    const current = statistics ?? new Statistics(options);
    statistics = current;
    const archive = tally.take(result);
    if (archive) {
      current.add(readingsOf(archive.rows, reader));
      answers++;
    }
    chunks++;
    if (chunks < chunksEach) continue;
    const { station } = result.request;
    if (answers > 0) {
      const groups = await compute(() => current.groups());
      yield { station, name: stations.get(station), period, groups };
    }
    statistics = undefined;
    [chunks, answers] = [0, 0];
  }
}

/** A period whose ends the user may leave out; a missing end follows from the readings. */
class GrowingPeriod implements Period {
  start: number;
  stop: number;
  readonly #bounds: Partial<Period>;
  #isBegun = false;

  constructor(bounds: Partial<Period>) {
    this.#bounds = bounds;
    this.start = bounds.start ?? bounds.stop ?? 0;
    this.stop = bounds.stop ?? this.start;
  }

  /** Extends the period to all readings of `columns`, but not past an end that the user gave. */
  include({ time, count }: Columns): void {
    const { start, stop } = this.#bounds;
    if (count === 0) return;
    const first = time.reduce((least, ms) => Math.min(least, ms));
    const last = time.reduce((most, ms) => Math.max(most, ms));
    if (start === undefined) {
      this.start = Math.min(first, stop ?? first, this.#isBegun ? this.start : first);
    }
    if (stop === undefined) this.stop = Math.max(last + 1, this.#isBegun ? this.stop : this.start);
    this.#isBegun = true;
  }

  /**
   * Ends the period one step after the last reading, since a reading stands for the time until the
   * next, but within the group of the last reading. A step counts as an hour at most: a few readings
   * far apart tell nothing of the time between.
   */
  endAfterLast(statistics: Statistics): void {
    const { stepS } = statistics;
    if (this.#bounds.stop !== undefined || !this.#isBegun || stepS === null) return;
    const last = this.stop - 1;
    this.stop = last + 1000 * Math.min(stepS, 3600);
    this.stop = statistics.groupEnd(last);
  }
}

/** Gathers readings of several stations in any order. */
export class Gathering {
  readonly #options: Options;
  readonly #bounds: Partial<Period>;
  readonly #stations = new Map<number, { statistics: Statistics; period: GrowingPeriod }>();

  /**
   * Gathers statistics of stations.
   * @param bounds the ends of the period that the user gave; the readings of a station tell the
   *   others
   */
  constructor(options: Options, bounds: Partial<Period>) {
    this.#options = options;
    this.#bounds = bounds;
  }

  add(station: number, columns: Columns): void {
    const { period, statistics } = this.#find(station);
    period.include(columns);
    statistics.add(columns);
  }

  get isEmpty(): boolean {
    return this.#stations.size === 0;
  }

  /**
   * Whether a station without readings is left out, since no full period is given for which it
   * could be shown as empty.
   */
  lacks(station: number): boolean {
    const { start, stop } = this.#bounds;
    return !this.#stations.has(station) && (start === undefined || stop === undefined);
  }

  /**
   * Gives the statistics of the named stations; `all` means every station with readings.
   * @param namelessName the name of the station that has no id
   */
  async *stations(
    named: readonly number[] | 'all',
    namelessName: string | undefined,
    { compute }: Pick<Io, 'compute'>,
  ): AsyncGenerator<StationStatistics> {
    const known = [...this.#stations.keys()].sort((a, b) => a - b);
    const wanted = named === 'all' ? known : named;
    for (const station of wanted.filter((one) => !this.lacks(one))) {
      const { statistics, period } = this.#find(station);
      const groups = await compute(() => this.#groupsOf(statistics, period));
      const name = station === NAMELESS ? namelessName : undefined;
      yield { station, name, period, groups };
    }
  }

  #find(station: number) {
    let found = this.#stations.get(station);
    if (found === undefined) {
      const period = new GrowingPeriod(this.#bounds);
      found = { period, statistics: new Statistics({ ...this.#options, period }) };
      this.#stations.set(station, found);
    }
    return found;
  }

  #groupsOf(statistics: Statistics, period: GrowingPeriod): readonly Group[] {
    refuseLongPeriod('A table of statistics', period);
    period.endAfterLast(statistics);
    // The end of the period may be known only now: a new Statistics throws if the period has too
    // many groups.
    new Statistics({ ...this.#options, period });
    return statistics.groups();
  }
}
