import { ColumnReader, readingsOf } from '../../domain/columnReader.ts';
import { NAMELESS } from '../../files/readFiles.ts';
import { refuseLongPeriod } from '../../flags/history.ts';
import type { StationStatistics } from '../../formats/format.ts';
import type { Io } from '../../io.ts';
import type { ChunkResult } from '../../service/chunks.ts';
import type { ChunkTally } from '../../session/chunkTally.ts';
import { Statistics, type StatisticsOptions } from '../../statistics/statistics.ts';
import type { PossibleReadings } from '../possibleReadings.ts';

/**
 * Gives the statistics of each station once its chunks are read, unless all its requests failed.
 * @param results `chunksEach` results for each station, station by station
 */
export async function* gatherChunks(
  results: AsyncGenerator<ChunkResult>,
  stations: ReadonlyMap<number, string | undefined>,
  chunksEach: number,
  options: StatisticsOptions,
  { tally, readings }: { readonly tally: ChunkTally; readonly readings: PossibleReadings },
  { compute }: Pick<Io, 'compute'>,
): AsyncGenerator<StationStatistics> {
  const reader = new ColumnReader();
  let statistics: Statistics | undefined;
  let [chunks, responses] = [0, 0];
  for await (const result of results) {
    const current = statistics ?? new Statistics(options);
    statistics = current;
    const archive = tally.take(result);
    if (archive) {
      current.add(readings.take(readingsOf(archive.rows, reader)));
      responses++;
    }
    chunks++;
    if (chunks < chunksEach) continue;
    const { station } = result.request;
    if (responses > 0) {
      const groups = await compute(() => current.groups());
      const { period, missing } = current;
      yield { station, name: stations.get(station), period, groups, missing };
    }
    statistics = undefined;
    [chunks, responses] = [0, 0];
  }
}

/**
 * Gives the statistics of stations of files.
 * @param found the statistics of stations with readings; others have those of `empty`
 * @param namelessName the name of the station that has no id
 */
export async function* gatherStations(
  shown: readonly number[],
  found: ReadonlyMap<number, Statistics>,
  empty: Statistics,
  namelessName: string | undefined,
  { compute }: Pick<Io, 'compute'>,
): AsyncGenerator<StationStatistics> {
  for (const station of shown) {
    const statistics = found.get(station) ?? empty;
    const { period, missing } = statistics;
    refuseLongPeriod('A table of statistics', period);
    const groups = await compute(() => statistics.groups());
    const name = station === NAMELESS ? namelessName : undefined;
    yield { station, name, period, groups, missing };
  }
}
