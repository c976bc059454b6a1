import type { Archive } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import { Rows } from '../domain/rows.ts';
import { InterruptedError, NotFoundError, VaneError } from '../errors.ts';
import { mapOrdered, type OrderedOptions } from './ordered.ts';
import type { StationService } from './service.ts';

/** A request for one chunk of a station's archive: a period of at most 31 days. */
export interface ChunkRequest {
  readonly station: number;
  readonly period: Period;
}

/** Numbers of rows of a response, by kind of repair. */
export interface Repairs {
  /** Rows outside the period of the chunk; they are dropped. */
  readonly outside: number;
  /** Rows that came after a row of a later time; they are sorted into place. */
  readonly disordered: number;
  /** Identical copies of a row; they are dropped. */
  readonly repeated: number;
  /** Rows with the time of another row but other values; they are kept. */
  readonly conflicting: number;
}

/** The rows of one chunk of an archive, after repairs. */
export interface ChunkArchive {
  readonly request: ChunkRequest;
  readonly archive: Archive;
  readonly repairs: Repairs;
}

export type ChunkResult =
  | ChunkArchive
  | { readonly request: ChunkRequest; readonly failure: VaneError };

export interface ChunkOptions extends Pick<OrderedOptions, 'concurrency' | 'signal'> {
  /** Whether a failed request is yielded as a result instead of thrown. */
  readonly keepGoing: boolean;
}

/**
 * Fetches chunks of archives concurrently and yields them in the order of their requests. The rows
 * of a chunk ascend by time, lie in `start ≤ time < stop` and never repeat, even if the service
 * sends them otherwise.
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
      const archive = await service.archive(station, period, { signal });
      const { rows, repairs } = tidyRows(archive.rows, period);
      return { request, archive: { ...archive, rows }, repairs };
    } catch (error) {
      const isFailure = error instanceof VaneError && !(error instanceof InterruptedError);
      if (!options.keepGoing || !isFailure || signal.aborted) throw error;
      if (error instanceof NotFoundError) unknownStations.set(station, error);
      return { request, failure: error };
    }
  };
  // Hold twice as many chunks as requests may run at once, so that requests go on while chunks wait
  // for the consumer.
  const backpressure = 2 * options.concurrency;
  yield* mapOrdered(requests, fetchOne, { ...options, backpressure });
}

const NOTHING_REPAIRED: Repairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };

/**
 * The rows of a period sorted by time, without identical copies. Two different rows of the same
 * time are both kept.
 */
export function tidyRows(rows: Rows, period: Period): { rows: Rows; repairs: Repairs } {
  if (rows.isAscending(period)) return { rows, repairs: NOTHING_REPAIRED };
  const ordered = rows.within(period);
  const single = ordered.isAscending(period) ? ordered : dropRepeated(ordered);
  const repairs = {
    outside: rows.count - ordered.count,
    disordered: countDescents(rows),
    repeated: ordered.count - single.count,
    conflicting: single.count - new Set(single.times()).size,
  };
  return { rows: single, repairs };
}

function dropRepeated({ readings }: Rows): Rows {
  const distinct = new Map(readings.map((reading) => [JSON.stringify(reading), reading]));
  return Rows.ofReadings([...distinct.values()]);
}

function countDescents(rows: Rows): number {
  let descents = 0;
  let latest = '';
  for (const time of rows.times()) {
    if (time < latest) descents++;
    else latest = time;
  }
  return descents;
}
