import { once } from 'node:events';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { openRotatingFile } from '../../output/rotatingFile.ts';
import { checkTarget, writeNow } from '../../output/write.ts';
import type { RequestLine } from '../../server/edge/app.ts';
import { createAccessLog } from '../../server/ops/accessLog.ts';
import { createMetrics, endpointOf } from '../../server/ops/metrics.ts';
import { createReports } from '../../server/ops/reports.ts';
import { createDocuments } from '../../server/page/page.ts';
import { type RunningServer, startReports, startServer } from '../../server/server.ts';
import { simulatedService } from '../../service/simulated/service.ts';
import { VERSION } from '../../version.ts';
import { rateLimitOf } from './rate.ts';
import type { ServeRequest } from './request.ts';
import { openUpstream } from './upstream.ts';

/** Longest time for open requests to finish when the server ends. */
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
  const onRequest = (line: RequestLine, route: string | undefined): void => {
    metrics.recordRequest(endpointOf(route), line.status, line.bytes, line.ms / 1000);
    if (line.outcome) metrics.recordAnswer(line.outcome);
    log?.log(line);
    if (request.isVerbose) reporter.detail(describe(line));
  };
  const { host, port, rate, trustProxy, maxConnections } = request;
  const common = {
    ...{ host, port, trustProxy, maxConnections, onRequest, now: io.now },
    documents: createDocuments(VERSION),
    privateDocuments: request.reports ? {} : reports,
    rateLimit: rate && rateLimitOf(rate, reporter),
    onDefect: (error: unknown) => reporter.note(`A request failed: ${describeDefect(error)}`),
  };
  let reportServer: Awaited<ReturnType<typeof startReports>> | undefined;
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
  const file = path === '-' ? undefined : openRotatingFile(path, io);
  const log = createAccessLog({
    write: (text) => (file ? file.write(text, () => '') : writeNow(io.stdout, text)),
    now: io.now,
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
