import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Archive } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import {
  NotFoundError,
  NotInterfaceError,
  UnavailableError,
  type VaneError,
} from '../../errors.ts';
import { hasRowIn } from '../columns.ts';
import type { ArchiveDiskCache } from '../disk/archiveCache.ts';
import type { StationService } from '../service.ts';
import { isWithin } from './within.ts';

/** How long a service that could not be reached is not asked for the same again. */
export const RETRY_MS = 5000;

/** Stations and failures remembered; the rest is asked for again. */
const MAX_REMEMBERED = 10_000;

/** Answers read from disk at once: as many files as Node reads at a time. */
const DISK_CONCURRENCY = 4;

export interface UpstreamOptions {
  /** What `keeps` says is on disk does not wait for a slot; without it everything does. */
  readonly service: Pick<StationService, 'archive'> &
    Partial<Pick<ArchiveDiskCache, 'keeps' | 'settle'>> & {
      /** Past everything that is kept, here and on the way. */
      readonly archiveAfresh?: StationService['archive'];
    };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Requests at once, 1 or more. */
  readonly concurrency: number;
  /** How many more may wait for their slot. */
  readonly maxWaiting: number;
  /** Asked before the first question about a station; throws where there is to be none. */
  readonly admit?: ((station: number) => void) | undefined;
}

export interface Upstream {
  /**
   * Asks for what is not asked for already.
   * @param isAfresh whether what is kept on disk is passed over
   * @throws every failure of a StationService: an unknown station's for 60 s without asking for any
   * period of it, an unavailable service's for 5 s without asking for the same again; and
   * UnavailableError at once when too many wait for their slot
   */
  ask(station: number, period: Period, isAfresh?: boolean): Promise<UpstreamAnswer>;
}

export interface UpstreamAnswer {
  readonly archive: Archive;
  /** When it was asked for, not when it began to wait for its slot; milliseconds since 1970. */
  readonly askedMs: number;
}

/** A service that many want much of, asked no more than it can bear. */
export function createUpstream({
  service,
  now,
  concurrency,
  maxWaiting,
  admit = () => {},
}: UpstreamOptions): Upstream {
  const unknown = createFailureMemory<number>(now, POLLING_INTERVAL_MS);
  const failed = createFailureMemory<string>(now, RETRY_MS);
  const known = new LRUCache<number, true>({ max: MAX_REMEMBERED });
  /** Stations that the service is asked about for the first time. */
  const introductions = new Map<number, Promise<void>>();
  /** Stations of which a first question was admitted that has no answer yet. */
  const admitted = new Set<number>();
  const inTurn = pLimit(concurrency);
  const onDisk = pLimit(DISK_CONCURRENCY);

  const archiveAfresh = service.archiveAfresh ?? service.archive;

  async function request(
    station: number,
    period: Period,
    isAfresh: boolean,
  ): Promise<UpstreamAnswer> {
    const askedMs = now();
    try {
      const archive = await (isAfresh
        ? archiveAfresh(station, period)
        : service.archive(station, period));
      known.set(station, true);
      return { archive, askedMs };
    } catch (error) {
      if (error instanceof NotFoundError) {
        known.delete(station);
        unknown.note(station, error);
      } else if (error instanceof UnavailableError || error instanceof NotInterfaceError) {
        failed.note(keyOf(station, period), error);
      }
      throw error;
    } finally {
      admitted.delete(station);
    }
  }

  function admitOnce(station: number): void {
    if (known.has(station) || admitted.has(station)) return;
    admit(station);
    admitted.add(station);
  }

  /** Asks for the first thing of a station alone: if there is no such station, that is enough. */
  async function introduce(
    station: number,
    period: Period,
    isAfresh: boolean,
  ): Promise<UpstreamAnswer> {
    const introduction = introductions.get(station);
    if (introduction !== undefined) await introduction;
    unknown.rethrow(station);
    admitOnce(station);
    const answer = request(station, period, isAfresh);
    if (introduction === undefined && !known.has(station)) {
      const end = () => void introductions.delete(station);
      introductions.set(station, answer.then(end, end));
    }
    return answer;
  }

  /** @returns null for what is kept and says nothing, which an earlier vane took for an answer */
  async function readKept(
    station: number,
    period: Period,
  ): Promise<UpstreamAnswer | null | undefined> {
    if (!(await service.keeps?.(station, period))) return undefined;
    const answer = await onDisk(() => request(station, period, false));
    return hasRowIn(answer.archive, period) ? answer : null;
  }

  return {
    async ask(station, period, isAfresh = false) {
      unknown.rethrow(station);
      const kept = isAfresh ? undefined : await readKept(station, period);
      if (kept) return kept;
      failed.rethrow(keyOf(station, period));
      if (inTurn.activeCount + inTurn.pendingCount >= concurrency + maxWaiting) {
        throw new UnavailableError(
          `More than ${maxWaiting} requests are waiting for the station service. Try again in a minute.`,
        );
      }
      admitOnce(station);
      return inTurn(() => introduce(station, period, isAfresh || kept === null));
    },
  };
}

function keyOf(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/** Failures that come again, for a time, without anybody being asked. */
function createFailureMemory<K extends string | number>(now: () => number, forMs: number) {
  const failures = new LRUCache<K, { readonly error: VaneError; readonly notedMs: number }>({
    max: MAX_REMEMBERED,
  });
  return {
    note(key: K, error: VaneError): void {
      failures.set(key, { error, notedMs: now() });
    },
    rethrow(key: K): void {
      const failure = failures.get(key);
      if (failure !== undefined && isWithin(failure.notedMs, forMs, now())) throw failure.error;
    },
  };
}
