import type { Period } from '../domain/period.ts';
import { Chunk, chunkMetadataOf, NO_REPAIRS, type RowRepairs } from '../domain/readings/chunk.ts';
import type { ArchiveLines } from '../domain/readings/lines.ts';
import { InterruptedError, NotFoundError, VaneError } from '../errors.ts';
import { mapOrdered, type OrderedOptions } from './ordered.ts';
import type { StationService } from './service.ts';

/** A request for one chunk of a station's archive: at most 31 days. */
export interface ChunkRequest {
  readonly station: number;
  readonly period: Period;
}

/** The chunk that a request returned, or why the request failed. */
export type ChunkResult =
  | { readonly request: ChunkRequest; readonly chunk: Chunk }
  | { readonly request: ChunkRequest; readonly failure: VaneError };

interface ChunkOptions extends Pick<OrderedOptions, 'concurrency' | 'signal'> {
  /** Whether a failed request becomes a result instead of an exception. */
  readonly keepGoing: boolean;
}

/**
 * Fetches chunks of archives concurrently and yields them in the order of their requests. Whatever
 * the service sends, the rows of a chunk are in order of time, within `start ≤ time < stop`, and
 * without repetitions.
 * @throws every failure of a StationService, unless `keepGoing`
 */
export async function* fetchChunks(
  service: StationService,
  requests: Iterable<ChunkRequest>,
  options: ChunkOptions,
): AsyncGenerator<ChunkResult> {
  const unknownStations = new Map<number, NotFoundError>();
  const fetchOne = async (request: ChunkRequest, signal: AbortSignal): Promise<ChunkResult> => {
    const { station, period } = request;
    try {
      const unknown = unknownStations.get(station);
      if (unknown) throw unknown;
      return { request, chunk: await fetchChunk(service, station, period, signal) };
    } catch (error) {
      const isFailure = error instanceof VaneError && !(error instanceof InterruptedError);
      if (!options.keepGoing || !isFailure || signal.aborted) throw error;
      if (error instanceof NotFoundError) unknownStations.set(station, error);
      return { request, failure: error };
    }
  };
  // Hold twice as many chunks as there are concurrent requests, so that requests continue while
  // chunks wait for the consumer.
  const backpressure = 2 * options.concurrency;
  yield* mapOrdered(requests, fetchOne, { ...options, backpressure });
}

/**
 * Fetches one chunk of a station. Whatever the service sends, its rows are in order of time, within
 * the period, and without repetitions.
 * @throws every failure of a StationService
 */
export async function fetchChunk(
  service: Pick<StationService, 'archive'>,
  station: number,
  period: Period,
  signal?: AbortSignal,
): Promise<Chunk> {
  const archive = await service.archive(station, period, signal ? { signal } : {});
  const { lines, repairs } = tidyLines(archive.rows, period);
  return Chunk.ofLines(period, chunkMetadataOf(archive), lines, repairs);
}

/**
 * Sorts the rows of a period and drops identical copies. Different rows with the same time are both
 * kept.
 */
export function tidyLines(
  rows: ArchiveLines,
  period: Period,
): { lines: ArchiveLines; repairs: RowRepairs } {
  if (rows.isAscending(period)) return { lines: rows, repairs: NO_REPAIRS };
  const ordered = rows.within(period);
  const lines = ordered.isAscending(period) ? ordered : ordered.distinct();
  const repairs = {
    outside: rows.count - ordered.count,
    disordered: countDescents(rows),
    repeated: ordered.count - lines.count,
    conflicting: lines.count - new Set(lines.times()).size,
  };
  return { lines, repairs };
}

function countDescents(rows: ArchiveLines): number {
  let descents = 0;
  let latest = '';
  for (const time of rows.times()) {
    if (time < latest) descents++;
    else latest = time;
  }
  return descents;
}
