import { once } from 'node:events';
import type { Io } from '../../io.ts';
import { createReporter } from '../../output/reporter.ts';
import { openRotatingFile } from '../../output/rotatingFile.ts';
import { checkOutputTarget, makeParentFolders, writeToStream } from '../../output/write.ts';
import { LIVENESS_DOCUMENT } from '../../server/edge/liveness.ts';
import type { FinishedRequest } from '../../server/edge/requestHooks.ts';
import { createAccessLog } from '../../server/ops/accessLog.ts';
import { createMetrics, createOperatorDocuments, endpointLabel } from '../../server/ops/metrics.ts';
import { createPublicDocuments } from '../../server/page/page.ts';
import {
  type ReportServer,
  type RunningServer,
  startReportServer,
  startServer,
} from '../../server/server.ts';
import { simulatedService } from '../../service/simulated/simulatedService.ts';
import { VERSION } from '../../version.ts';
import type { ServeOptions } from './options.ts';
import { createRateLimit } from './rate.ts';
import { openUpstream } from './upstream.ts';

/** How long open requests may still run while the server stops. */
const GRACE_MS = 1500;

/** Runs the server until a signal ends it. Prints the address once the server accepts requests. */
export async function runServe(options: ServeOptions, io: Io): Promise<void> {
  const reporter = createReporter(io, options);
  const { note } = reporter;
  const { host, port, metricsPort, logPath, rate, trustProxy, maxConnections } = options;
  if (logPath !== undefined && logPath !== '-') {
    await checkOutputTarget({ path: logPath, isGzip: false }, io);
    await makeParentFolders(logPath, io);
  }
  const log = logPath === undefined ? undefined : openLog(logPath, io, note);
  const stopListening = io.onHangUp(() => {
    log?.reopen().catch((error: Error) => note(error.message));
  });
  let server: RunningServer | undefined;
  const metrics = createMetrics({
    now: io.now,
    server: () => server,
    live: () => upstream?.live() ?? ALWAYS_FRESH,
  });
  const upstream =
    options.upstream && (await openUpstream(options.upstream, { io, reporter, metrics }));
  const reports = createOperatorDocuments(
    metrics,
    async () => upstream?.checkLive() ?? ALWAYS_FRESH,
  );
  const onRequest = (line: FinishedRequest, route: string | undefined): void => {
    const { method, url, status, bytes, ms, cache } = line;
    metrics.recordRequest(endpointLabel(route), status, bytes, ms / 1000);
    if (cache) metrics.recordResponse(cache);
    if (!options.isVerbose) return;
    const how = cache ? ` ${cache}` : '';
    reporter.detail(`${method} ${url} ${status} ${bytes} bytes ${ms.toFixed(1)} ms${how}`);
  };
  const onDefect = (error: unknown): void => {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    note(`A request failed: ${trace}`);
  };
  let reportServer: ReportServer | undefined;
  try {
    if (metricsPort !== undefined) {
      reportServer = await startReportServer(metricsPort, reports);
      note(`Health and metrics are at ${reportServer.baseUrl}.`);
    }
    server = await startServer({
      ...(upstream?.data ?? { service: simulatedService(io.now) }),
      host,
      port,
      trustProxy,
      maxConnections,
      onRequest,
      onDefect,
      logger: log?.logger,
      now: io.now,
      documents: createPublicDocuments(VERSION, options.tiles),
      privateDocuments: reportServer ? LIVENESS_DOCUMENT : reports,
      rateLimit: rate && createRateLimit(rate, reporter),
    });
    io.stdout.write(`${server.baseUrl}\n`);
    if (io.stderrTerminal) {
      const source = options.upstream?.connection.baseUrl;
      const what = source === undefined ? 'a simulated network' : `a cache of ${source}`;
      note(`Serving ${what}: a page with a map at /, data at /v1, pictures at /plot.`);
      note('Press Ctrl-C to stop.');
    }
    const begun = upstream?.begin(io.signal);
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await server.close(GRACE_MS);
    await begun;
  } finally {
    stopListening();
    await reportServer?.close();
    await log?.close();
    await upstream?.close();
  }
}

const ALWAYS_FRESH = { ageMs: 0, isFresh: true };

function openLog(path: string, io: Io, onTrouble: (sentence: string) => void) {
  const file = path === '-' ? undefined : openRotatingFile(path, io);
  const write = (text: string) =>
    file ? file.write(text, () => '') : writeToStream(io.stdout, text);
  const { logger, close } = createAccessLog({ write, onTrouble, now: io.now });
  return {
    logger,
    reopen: async () => file?.reopen(),
    async close() {
      await close();
      await file?.close();
    },
  };
}
