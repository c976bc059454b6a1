import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startServer } from '../../src/server/server.ts';
import type { StationService } from '../../src/service/service.ts';
import { fixtureService, NOW } from './fixture-service.ts';
import { sendRequest } from './http.ts';

/** The correct response to a request. */
export interface Truth {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Sends a wrong response, made from the correct one. */
export type Fault = (response: ServerResponse, truth: Truth) => void;

const send = (response: ServerResponse, { status, contentType, body }: Truth): void => {
  response.writeHead(status, { 'content-type': contentType });
  response.end(body);
};

const changed =
  (change: (response: Record<string, unknown>) => unknown): Fault =>
  (response, truth) =>
    send(response, { ...truth, body: JSON.stringify(change(JSON.parse(truth.body))) });

const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Fault =>
  (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };

type Row = readonly [string, ...unknown[]];

const changedRows = (change: (rows: readonly Row[]) => readonly Row[]): Fault =>
  changed((response) => ({ ...response, data: change(response.data as readonly Row[]) }));

/** A number for each row, to sort rows in an arbitrary but repeatable order. */
const hashOf = ([time]: Row): number =>
  [...time].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 10_007, 7);

/** Length of a response that is too long, bytes: one more than vane takes. */
const TOO_LONG = 16 * 1024 * 1024 + 1;

/** Faults of a service by name. */
export const FAULTS = {
  none: send,
  html: (response) =>
    send(response, {
      status: 200,
      contentType: 'text/html',
      body: '<!DOCTYPE html><title>Please log in</title>',
    }),
  cutJson: (response, truth) =>
    send(response, { ...truth, body: truth.body.slice(0, truth.body.length / 2) }),
  cutBody: (response, truth) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(truth.body) });
    response.write(truth.body.slice(0, truth.body.length / 2), () => response.destroy());
  },
  reset: (response) => response.socket?.resetAndDestroy(),
  emptyBody: (response, truth) => send(response, { ...truth, body: '' }),
  arrayForObject: changed((response) => [response]),
  arrayForData: changed((response) => ({ ...response, data: [response.data] })),
  stringForNumber: (response, truth) =>
    send(response, {
      ...truth,
      body: truth.body.replace(/(wind_speed_avg":|Z",)[\d.]+/, '$1"12"'),
    }),
  status500: status(500),
  status502: status(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>'),
  status503Soon: status(503, { 'retry-after': '1' }),
  status503: status(503, {}, '{"error_code":"overloaded","error_message":"Come back later."}'),
  status429: status(429, { 'retry-after': '1' }),
  status429ForHours: status(429, { 'retry-after': '7200' }),
  status400: status(400, {}, '{"error_code":"invalid_argument","error_message":"start is odd."}'),
  status403: status(403, {}, '{"error_code":"forbidden","error_message":"Not you\\u001b[2J."}'),
  status404: status(404, { 'content-type': 'text/html' }, '<h1>Not Found</h1>'),
  status413: status(413, {}, '{"error_code":"request_too_large","error_message":"Too much."}'),
  redirect: status(302, { location: 'https://elsewhere.example/v1/' }),
  gzip: (response, truth) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(truth.body));
  },
  brotli: (response, truth) => {
    response.writeHead(200, { 'content-encoding': 'br' });
    response.end(brotliCompressSync(truth.body));
  },
  larger: (response) => void response.end(Buffer.alloc(TOO_LONG, '[')),
  largerUnzipped: (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(TOO_LONG, '[')));
  },
  wrongGzip: (response, truth) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(truth.body);
  },
  silence: () => {},
  repeatedRows: changedRows((rows) => rows.flatMap((row, i) => (i % 7 === 0 ? [row, row] : [row]))),
  shuffledRows: changedRows((rows) => [...rows].sort((a, b) => hashOf(a) - hashOf(b))),
  foreignRows: changedRows((rows) => [
    ['1999-12-31T23:59:59.000Z', 1, 1, 1, 1, 1, 1, null],
    ...rows,
    ['2999-12-31T23:59:59.000Z', 1, 1, 1, 1, 1, 1, null],
  ]),
  otherPeriod: changedRows((rows) =>
    rows.map(([time, ...values]): Row => [time.replace(/^\d{4}/, '1999'), ...values]),
  ),
  noRows: changedRows(() => []),
  stall: (response, truth) => {
    response.writeHead(200, { 'content-type': truth.contentType });
    response.write(truth.body.slice(0, truth.body.length / 2));
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export interface FaultyServer {
  readonly baseUrl: string;
  /** Path and query of each request, in order of arrival. */
  readonly requests: string[];
  /** The greatest number of parallel requests. */
  readonly maxUnderWay: () => number;
  /** Headers of the latest request. */
  readonly headers: () => Record<string, string | string[] | undefined>;
  close(): Promise<void>;
}

/**
 * Chooses the fault of a request. From 0, `attempt` counts the requests for its path, and `arrival`
 * all requests. A plan for parallel requests should go by path, since they arrive in any order.
 */
export type Plan = (path: string, attempt: number, arrival: number) => FaultName;

/**
 * A server with faults by a plan, in front of a correct server. A plan may list the faults of the
 * first requests; later requests have none.
 */
export async function startFaultyServer(
  plan: readonly FaultName[] | Plan,
  service: StationService = fixtureService,
): Promise<FaultyServer> {
  const sound = await startServer({ service, host: '127.0.0.1', port: 0, now: () => NOW });
  const decide: Plan =
    typeof plan === 'function' ? plan : (_path, _attempt, arrival) => plan[arrival] ?? 'none';
  const requests: string[] = [];
  let underWay = 0;
  let maxUnderWay = 0;
  let headers = {};
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const attempt = requests.filter((other) => other === path).length;
    const fault: Fault = FAULTS[decide(path, attempt, requests.length)];
    requests.push(path);
    maxUnderWay = Math.max(maxUnderWay, ++underWay);
    response.on('close', () => underWay--);
    headers = request.headers;
    // A request that is sent to a proxy has an absolute address as its target.
    const { pathname, search } = new URL(request.url ?? '', sound.baseUrl);
    const truth = await sendRequest(sound.baseUrl, pathname + search).catch(() => undefined);
    // Break the connection off if the correct server was closed during the request.
    if (truth === undefined) return void response.destroy();
    const contentType = truth.headers['content-type'] ?? '';
    fault(response, { status: truth.status, contentType, body: truth.body });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    maxUnderWay: () => maxUnderWay,
    headers: () => headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await sound.close();
    },
  };
}
