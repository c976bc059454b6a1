import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUpstream } from '../../src/commands/serve/upstream.ts';
import { createReporter } from '../../src/output/reporter.ts';
import type { TrustProxy } from '../../src/server/edge/clientAddress.ts';
import type { FinishedRequest } from '../../src/server/edge/requestHooks.ts';
import { createMetrics } from '../../src/server/ops/metrics.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import type { StationService } from '../../src/service/service.ts';
import { fakeIo } from './fake-io.ts';
import { FAULTS, type Fault, type FaultName } from './faulty-server.ts';
import { fixtureService } from './fixture-service.ts';
import type { HandClock } from './hand-clock.ts';
import { sendRequest } from './http.ts';

export interface Arrival {
  readonly url: string;
  /** When the request came by the test's clock, milliseconds. */
  readonly atMs: number;
  readonly host: string | undefined;
  readonly cacheControl: string | undefined;
}

/** A service behind `vane serve --upstream`, which can be told to fail. */
export interface TestUpstream {
  readonly baseUrl: string;
  /** All requests to the service in order of arrival. */
  readonly arrivals: Arrival[];
  /** Sets the fault of all following responses. */
  behave(fault: Fault | FaultName): void;
  /** Holds back every response until `release` is called. */
  hold(): void;
  /** Sends the responses held back and holds no more; or sends some, in order of their requests. */
  release(count?: number): void;
  /** Makes the service refuse new connections and break off open ones. */
  kill(): Promise<void>;
  /** Makes the service listen again, on the same port. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

export async function startUpstream(
  clock: HandClock,
  service: StationService = fixtureService,
): Promise<TestUpstream> {
  const sound = await startServer({ service, host: '127.0.0.1', port: 0, now: clock.now });
  const arrivals: Arrival[] = [];
  const held: (() => void)[] = [];
  let fault: Fault = FAULTS.none;
  let isHeld = false;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', headers } = request;
    const { host, 'cache-control': cacheControl } = headers;
    arrivals.push({ url, atMs: clock.now(), host, cacheControl });
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    const truth = await sendRequest(sound.baseUrl, url).catch(() => undefined);
    if (truth === undefined) return void response.destroy();
    const { status, headers: head, body } = truth;
    fault(response, { status, contentType: head['content-type'] ?? '', body });
  };
  const open = async (port: number) => {
    const server = createServer((request, response) => void respond(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  const kill = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const release = (count = Number.POSITIVE_INFINITY): void => {
    if (count > held.length) isHeld = false;
    for (const go of held.splice(0, count)) go();
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    arrivals,
    behave: (next) => {
      fault = typeof next === 'string' ? FAULTS[next] : next;
    },
    hold: () => {
      isHeld = true;
    },
    release,
    kill,
    revive: async () => {
      server = await open(port);
    },
    close: async () => {
      release();
      await kill();
      await sound.close();
    },
  };
}

export interface FrontOptions {
  readonly clock: HandClock;
  readonly staleMs?: number;
  readonly maxResponseBytes?: number;
  readonly concurrency?: number;
  /** Timeout of requests to the service in real time, milliseconds. */
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly trustProxy?: TrustProxy;
  /** Longest times to make and to take a response, in real time, milliseconds. */
  readonly responseTimeoutMs?: number;
  readonly receiveTimeoutMs?: number;
}

export interface Front extends RunningServer {
  /** How many requests clients have sent so far. */
  readonly begun: () => number;
  /** How many requests the server has sent to the service, without retries for archives. */
  readonly sent: () => number;
  /** Age of the live data in milliseconds; infinite without live data. */
  readonly liveAgeMs: () => number;
  /** How many requests of clients have ended with each outcome, such as a cache hit. */
  readonly outcomes: Map<FinishedRequest['cache'], number>;
  readonly defects: unknown[];
}

/** Starts the server of `vane serve --upstream` on the clock of a test. */
export async function startFront(upstreamUrl: string, options: FrontOptions): Promise<Front> {
  const { clock, staleMs = 86_400_000, maxResponseBytes = 256e6, concurrency = 4 } = options;
  const { timeoutMs = 30_000, retries = 0 } = options;
  const { responseTimeoutMs = 50_000, receiveTimeoutMs = 120_000 } = options;
  const cacheFolder = await mkdtemp(join(tmpdir(), 'vane-front-'));
  const io = {
    ...fakeIo({ env: { VANE_CACHE_DIR: cacheFolder } }),
    now: clock.now,
    sleep: clock.sleep,
  };
  const reporter = createReporter(io, { isQuiet: true, isVerbose: false });
  const connection = {
    ...{ baseUrl: upstreamUrl, timeoutMs, retries },
    ...{ isQuiet: true, isVerbose: false, cache: 'use' as const },
  };
  let sent = 0;
  const metrics = createMetrics({ now: clock.now });
  const counting = {
    ...metrics,
    recordUpstreamRequest: () => void sent++,
  };
  const upstream = await openUpstream(
    { connection, isWarm: false, staleMs, concurrency, maxResponseBytes },
    { io, reporter, metrics: counting },
  );
  let begun = 0;
  const outcomes: Front['outcomes'] = new Map();
  const defects: unknown[] = [];
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    now: clock.now,
    responseTimeoutMs,
    receiveTimeoutMs,
    trustProxy: options.trustProxy,
    ...upstream.data,
    onRequest: ({ cache }) => outcomes.set(cache, (outcomes.get(cache) ?? 0) + 1),
    onDefect: (error) => defects.push(error),
  });
  const port = Number(new URL(server.baseUrl).port);
  const countRequest = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.socket.localPort === port) begun++;
  };
  subscribe('http.server.request.start', countRequest);
  return {
    baseUrl: server.baseUrl,
    get responseBytes() {
      return server.responseBytes;
    },
    get unsentBytes() {
      return server.unsentBytes;
    },
    connections: server.connections,
    begun: () => begun,
    sent: () => sent,
    liveAgeMs: () => upstream.live().ageMs ?? Number.POSITIVE_INFINITY,
    outcomes,
    defects,
    async close(graceMs) {
      await server.close(graceMs);
      unsubscribe('http.server.request.start', countRequest);
      await upstream.close();
      await rm(cacheFolder, { recursive: true, force: true });
    },
  };
}
