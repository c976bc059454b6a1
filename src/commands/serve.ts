import { once } from 'node:events';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { GlobalFlags } from '../options.ts';
import { openFollowed } from '../output/follow.ts';
import { createReporter, type Reporter } from '../output/reporter.ts';
import { checkTarget, writeNow } from '../output/write.ts';
import { createAccessLog } from '../server/accessLog.ts';
import { type ClientAddress, createClientAddress } from '../server/clientAddress.ts';
import { createDocuments, createReports, endpointOf } from '../server/documents.ts';
import { createMetrics } from '../server/metrics.ts';
import { type ReportServer, startReports } from '../server/reports.ts';
import { type RequestLine, type RunningServer, startServer } from '../server/server.ts';
import { simulatedService } from '../service/simulated.ts';
import { VERSION } from '../version.ts';
import { type Connection, readBaseUrl, readConnection } from './connection.ts';
import { readDurationMs, readInteger } from './flags.ts';
import { openRateLimit, type Rate, readRate } from './serveRate.ts';
import { openUpstream } from './upstream.ts';
import { readSize } from './userCache.ts';

export interface ServeFlags extends GlobalFlags {
  readonly host: string;
  readonly port: string;
  readonly upstream?: string;
  readonly warm?: true;
  readonly stale: string;
  readonly upstreamConcurrency: string;
  readonly memory: string;
  readonly rate?: string;
  readonly trustProxy?: string;
  readonly maxConnections: string;
  readonly log?: string;
  readonly metricsHost?: string;
  readonly metricsPort?: string;
}

/** What `vane serve` was asked. */
export interface ServeRequest {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The service in front of which to be; undefined for the simulated network. */
  readonly upstream: UpstreamRequest | undefined;
  /** Where alone /health and /metrics are; undefined for the address of everything else. */
  readonly reports: { readonly host: string; readonly port: number } | undefined;
  readonly rate: Rate | undefined;
  readonly addressOf: ClientAddress;
  readonly maxConnections: number;
  /** `-` is stdout. */
  readonly logPath: string | undefined;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
}

export interface UpstreamRequest {
  readonly connection: Connection & { readonly baseUrl: string };
  readonly isWarm: boolean;
  readonly staleMs: number;
  /** Archive requests under way at once. */
  readonly concurrency: number;
  readonly maxAnswerBytes: number;
}

/** @throws UsageError */
export function readServeRequest(flags: ServeFlags, io: Io): ServeRequest {
  if (flags.host.trim() === '') {
    throw new UsageError('--host takes an address such as 127.0.0.1; 0.0.0.0 is every network.');
  }
  const upstream = readUpstream(flags, io);
  return {
    host: flags.host,
    port: readInteger('--port', flags.port, 0, 65_535),
    reports: readReports(flags),
    upstream,
    rate: readRate(flags.rate, upstream !== undefined),
    addressOf: createClientAddress(flags.trustProxy),
    maxConnections: readInteger('--max-connections', flags.maxConnections, 1, 1_000_000),
    logPath: flags.log,
    isQuiet: flags.quiet ?? false,
    isVerbose: flags.verbose ?? false,
  };
}

function readReports({ metricsHost, metricsPort }: ServeFlags): ServeRequest['reports'] {
  if (metricsPort !== undefined) {
    const port = readInteger('--metrics-port', metricsPort, 0, 65_535);
    return { host: metricsHost ?? '127.0.0.1', port };
  }
  if (metricsHost === undefined) return undefined;
  throw new UsageError('--metrics-host needs a port beside it; give one with --metrics-port.');
}

function readUpstream(flags: ServeFlags, io: Io): UpstreamRequest | undefined {
  const { upstream, demo, baseUrl } = flags;
  if (baseUrl !== undefined) {
    throw new UsageError('vane serve takes the service it asks from --upstream, not --base-url.');
  }
  if (demo && upstream !== undefined) {
    throw new UsageError('--demo and --upstream name two different services; give one of them.');
  }
  if (demo) return undefined;
  if (upstream === undefined) {
    throw new UsageError(
      'vane serve needs to know what to serve: --demo for the simulated network, or --upstream with the address of a service.',
    );
  }
  return {
    connection: {
      ...readConnection(flags, io),
      lifetime: 'service',
      baseUrl: readBaseUrl('--upstream', upstream),
    },
    isWarm: flags.warm ?? false,
    staleMs: readDurationMs('--stale', flags.stale),
    concurrency: readInteger('--upstream-concurrency', flags.upstreamConcurrency, 1, 16),
    maxAnswerBytes: readSize('--memory', flags.memory),
  };
}

/** What is under way when the server is to end may take this long. */
const GRACE_MS = 10_000;

/** Serves until the command is ended. Its stdout begins with one line: the address, once it answers. */
export async function runServe(request: ServeRequest, io: Io): Promise<void> {
  const reporter = createReporter(io, request);
  const { logPath } = request;
  if (logPath !== undefined && logPath !== '-')
    await checkTarget({ path: logPath, isGzip: false }, io);
  const log = logPath === undefined ? undefined : openLog(logPath, io, reporter);
  const metrics = createMetrics({ now: io.now, live: () => upstream?.live() ?? ALWAYS_FRESH });
  const upstream =
    request.upstream && (await openUpstream(request.upstream, { io, reporter, metrics }));
  let server: RunningServer | undefined;
  const reports = createReports({
    metrics,
    checkLive: async () => upstream?.checkLive() ?? ALWAYS_FRESH,
    async onRead() {
      metrics.setAnswersHeld(server?.answerBytes ?? 0);
      metrics.setAnswersUnsent(server?.unsentBytes ?? 0);
      metrics.setConnections((await server?.connections()) ?? 0);
    },
  });
  const onRequest = (line: RequestLine): void => {
    metrics.recordRequest(endpointOf(line.url), line.status, line.bytes, line.ms / 1000);
    if (line.outcome) metrics.recordAnswer(line.outcome);
    log?.log({ ...line, cache: line.outcome });
    if (request.isVerbose) reporter.detail(describe(line));
  };
  const { host, port, rate, addressOf, maxConnections } = request;
  const common = {
    ...{ host, port, addressOf, maxConnections, onRequest, now: io.now },
    documents: createDocuments(VERSION),
    privateDocuments: request.reports ? {} : reports,
    rateLimit: rate && openRateLimit(rate, io.now, reporter),
    onDefect: (error: unknown) => reporter.note(`A request failed: ${describeDefect(error)}`),
  };
  let reportServer: ReportServer | undefined;
  try {
    if (request.reports) {
      reportServer = await startReports({ ...request.reports, documents: reports });
      reporter.note(`Health and metrics are at ${reportServer.baseUrl}.`);
    }
    server = await startServer(
      upstream ? { ...common, ...upstream.data } : { ...common, service: simulatedService(io.now) },
    );
    io.stdout.write(`${server.baseUrl}\n`);
    const begun = upstream?.begin(io.signal);
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await server.close(GRACE_MS);
    await begun;
  } finally {
    await reportServer?.close();
    await log?.close();
    await upstream?.close();
  }
}

const ALWAYS_FRESH = { ageMs: 0, isFresh: true };

function openLog(path: string, io: Io, reporter: Reporter) {
  const file = path === '-' ? undefined : openFollowed(path);
  const log = createAccessLog({
    write: (text) => (file ? file.write(text, () => '') : writeNow(io.stdout, text)),
    now: io.now,
    sleep: io.sleep,
    onTrouble: reporter.note,
  });
  return {
    ...log,
    async close() {
      await log.close();
      await file?.close();
    },
  };
}

function describe({ method, url, status, bytes, ms, outcome }: RequestLine): string {
  const how = outcome ? ` ${outcome}` : '';
  return `${method} ${url} ${status} ${bytes} bytes ${ms.toFixed(1)} ms${how}`;
}

function describeDefect(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
