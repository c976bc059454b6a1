import type { Archive } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import { archiveDiskCache } from '../../service/disk/archiveCache.ts';
import { liveDiskCache } from '../../service/disk/liveCache.ts';
import type { Counters, StationService } from '../../service/service.ts';
import { openAnswers, openUserCache } from './userCache.ts';

interface DiskCacheOptions {
  readonly refresh: boolean;
  readonly timeoutMs: number;
  readonly baseUrl: string;
  readonly counters: Counters;
  readonly io: Io;
  readonly reporter: Reporter;
}

/** A service whose answers are kept between commands, and what goes with that. */
export interface DiskCaches {
  readonly service: StationService;
  keeps(station: number, period: Period): Promise<boolean>;
  settle(): Promise<void>;
  /** Waits for what is being written, and keeps the cache within its size. */
  close(): Promise<void>;
}

/** Keeps the answers of a service in the cache of this user. */
export async function diskCaches(
  inner: StationService,
  options: DiskCacheOptions,
): Promise<DiskCaches> {
  const { io, reporter, counters } = options;
  let isTroubled = false;
  const onTrouble = (sentence: string): void => {
    if (!isTroubled) reporter.note(sentence);
    isTroubled = true;
  };
  const folder = await openAnswers(io, onTrouble);
  const live =
    folder === undefined
      ? inner
      : liveDiskCache(inner, {
          ...options,
          folder,
          now: io.now,
          sleep: io.sleep,
          random: io.random,
          processes: io.processes,
          onTrouble,
        });
  // Open the archive cache with the first archive: loading cacache takes longer than a live request.
  let opened: ReturnType<typeof openArchives> | undefined;
  async function openArchives() {
    const { cache, maxBytes } = await openUserCache(folder, io, onTrouble);
    const archives = archiveDiskCache(inner, {
      ...options,
      cache,
      now: io.now,
      onFewerRows: reporter.note,
    });
    return { ...archives, trim: () => cache.trim(maxBytes) };
  }
  const archives = () => {
    opened ??= openArchives();
    return opened;
  };
  // An answer is written to disk also where another one has failed meanwhile.
  const underWay = new Set<Promise<Archive>>();
  const archive: StationService['archive'] = (station, period, call) => {
    const answer = archives().then((kept) => kept.archive(station, period, call));
    underWay.add(answer);
    const end = () => void underWay.delete(answer);
    answer.then(end, end);
    return answer;
  };
  return {
    service: { ...live, archive },
    keeps: async (station, period) => (await archives()).keeps(station, period),
    async settle() {
      await Promise.allSettled(underWay);
      await (await opened)?.settle();
    },
    async close() {
      const kept = await opened;
      await kept?.settle();
      if (counters.stored > 0) await kept?.trim();
    },
  };
}
