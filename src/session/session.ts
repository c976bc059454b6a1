import type { Period } from '../domain/period.ts';
import type { ConnectionOptions } from '../flags/connection.ts';
import { formatAge } from '../formats/humanReadable.ts';
import type { Io } from '../io.ts';
import { createReporter, type Reporter } from '../output/reporter.ts';
import { liveDiskCache } from '../service/disk/liveCache.ts';
import { httpService } from '../service/http/http.ts';
import type { TransportOptions } from '../service/http/transport.ts';
import {
  createRequestCounters,
  type RequestCounters,
  type StationService,
} from '../service/service.ts';
import { splitOnTooLarge } from '../service/splitOnTooLarge.ts';
import { VERSION } from '../version.ts';
import { openArchiveCache } from './diskCache.ts';

/** The open service of a running command, with reporter and counters. */
export interface Session extends AsyncDisposable {
  readonly service: StationService;
  /** Whether the cache on disk contains a station's archive for a period. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when all running requests have ended and their responses are on disk. */
  settle(): Promise<void>;
  readonly baseUrl: string;
  /** The name of the service in messages. */
  readonly serviceName: string;
  readonly reporter: Reporter;
  readonly counters: RequestCounters;
  /** Aborts when the command is interrupted, and when the session is closed. */
  readonly signal: AbortSignal;
}

/**
 * Opens the service of a connection. Use `await using` to close it even after a failure. Await
 * everything that uses the session: a returned promise would outlive it.
 * @param notes sentences to print first
 */
export async function openSession(
  connection: ConnectionOptions & Pick<TransportOptions, 'client'>,
  io: Io,
  notes: readonly string[] = [],
): Promise<Session> {
  const reporter = createReporter(io, connection);
  for (const note of notes) reporter.note(note);
  const counters = createRequestCounters();
  const demo =
    connection.baseUrl === undefined
      ? await (await import('../server/server.ts')).startDemoServer(io.now)
      : undefined;
  const baseUrl = connection.baseUrl ?? (demo?.baseUrl as string);
  // The simulated network has a different port each time, so messages call it by name.
  const serviceName = connection.baseUrl ?? 'the simulated network';
  const http = httpService({
    ...connection,
    ...httpClientOptions(io, reporter),
    ...{ baseUrl, serviceName, counters },
    // The simulated network runs on this machine, so its requests use no proxy.
    proxyEnv: demo ? {} : io.env,
    onLongWait: (subject, waitMs) =>
      reporter.note(`The service asks vane to wait ${waitMs / 1000} s before ${subject}.`),
  });
  const end = new AbortController();
  const direct = splitOnTooLarge(http);
  const cached = cacheOnDisk(direct, { ...connection, baseUrl, counters, reporter }, io);
  return {
    ...cached,
    baseUrl,
    serviceName,
    reporter,
    counters,
    signal: AbortSignal.any([io.signal, end.signal]),
    async [Symbol.asyncDispose]() {
      // Abort requests that still run because the output failed.
      end.abort();
      await cached.settle();
      await cached.trim();
      await http.close();
      await demo?.close();
    },
  };
}

/** The options of the HTTP client that all commands share. */
export function httpClientOptions({ now, sleep, random }: Io, { detail, note }: Reporter) {
  return { userAgent: `vane/${VERSION}`, now, sleep, random, log: detail, note };
}

type Caching = Pick<ConnectionOptions, 'cache' | 'timeoutMs'> &
  Pick<Session, 'baseUrl' | 'counters' | 'reporter'>;

/** Wraps a station service so that this user's cache on disk keeps its responses. */
function cacheOnDisk(inner: StationService, options: Caching, io: Io) {
  const { note } = options.reporter;
  const { now, sleep } = io;
  const archives = openArchiveCache(inner, { ...options, now, note, onFewerRows: note }, io);
  const live = liveDiskCache(inner, {
    ...options,
    ...{ cache: archives.cache, now, sleep, refresh: options.cache === 'refresh' },
    onEarlyRefresh: (ageMs) =>
      note(
        `Live data were requested ${formatAge(ageMs)} ago, and --refresh requests them again. The service allows one request every 60 s.`,
      ),
  });

  /** Running requests. If one fails, the responses of the others are still cached. */
  const underWay = new Set<Promise<unknown>>();
  const archive: StationService['archive'] = async (...request) => {
    const response = archives.archive(...request);
    underWay.add(response);
    return response.finally(() => underWay.delete(response));
  };
  return {
    service: { ...live, archive },
    keeps: archives.keeps,
    async settle() {
      await Promise.allSettled(underWay);
      await archives.settle();
    },
    trim: archives.trim,
  };
}
