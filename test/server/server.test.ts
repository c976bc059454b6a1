import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import type { Period } from '../../src/domain/period.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import {
  NotFoundError,
  RefusedError,
  UnavailableError,
  UnexpectedResponseError,
  UsageError,
} from '../../src/errors.ts';
import type { FinishedRequest } from '../../src/server/edge/requestHooks.ts';
import { type ServerOptions, startServer } from '../../src/server/server.ts';
import type { StationService } from '../../src/service/service.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { ARCHIVE_PROVENANCE, fixtureService, NOW } from '../support/fixture-service.ts';
import { sendRequest } from '../support/http.ts';
import { naming } from '../support/naming.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function start(options: Partial<ServerOptions> = {}) {
  const server = await startServer({
    service: fixtureService,
    host: '127.0.0.1',
    port: 0,
    now: () => NOW,
    ...options,
  });
  closers.push(server.close);
  return server;
}

/** A service whose every response is this promise. */
function serviceThat(response: (signal?: AbortSignal) => Promise<never>): StationService {
  return {
    live: (_station, { signal }) => response(signal),
    liveAll: ({ signal }) => response(signal),
    archive: (_station, _period, { signal } = {}) => response(signal),
  };
}

const failing = (error: unknown): StationService => serviceThat(() => Promise.reject(error));

describe('the server, when its service throws an error,', () => {
  it.each([
    [new NotFoundError('Station 1 is unknown.'), 404, 'station_not_found', 'Station 1 is unknown.'],
    [new RefusedError('Slow down.', 429, 'too_many'), 429, 'too_many', 'Slow down.'],
    [new RefusedError('No.', 403), 403, 'refused', 'No.'],
    [new UnavailableError('No response.'), 503, 'upstream_unavailable', 'No response.'],
    [new UnexpectedResponseError('HTML.'), 503, 'upstream_unavailable', 'HTML.'],
  ])(
    'the server sends status, code and message of an error of its service to the client: %s',
    async (error, status, code, message) => {
      const { baseUrl } = await start({ service: failing(error) });
      const targets = ['/v1/live/1', '/v1/live/all', '/v1/archive/1?start=last-day&stop=now'];
      for (const target of targets) {
        const reply = await sendRequest(baseUrl, target);
        expect(reply.status).toBe(status);
        expect(JSON.parse(reply.body)).toEqual({ error_code: code, error_message: message });
      }
    },
  );

  it.each([new TypeError('secret'), 'secret', undefined, { statusCode: 404, message: 'secret' }])(
    'the server reports an unexpected error of its service to the operator and hides its text from the client: %s',
    async (defect) => {
      const defects: unknown[] = [];
      const { baseUrl } = await start({
        service: failing(defect),
        onDefect: (error) => defects.push(error),
      });
      const reply = await sendRequest(baseUrl, '/v1/live/1');
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({
        error_code: 'internal_error',
        error_message: expect.not.stringContaining('secret'),
      });
      expect(defects).toEqual([defect]);
    },
  );
});

describe('rows of a service in any order and beyond the period', () => {
  const row = (time: string): ArchiveRow => [time, null, null, null, null, null, null, null];
  const legend = ['time', 'latitude', 'longitude'];
  const service: StationService = {
    ...fixtureService,
    archive: async () => ({
      ...ARCHIVE_PROVENANCE,
      legend,
      units: legend,
      rows: ArchiveLines.ofRows([
        row('2024-01-02T00:00:00.000Z'),
        row('2024-01-01T12:00:00.000Z'),
        row('2024-01-01T00:00:00.000Z'),
        row('2023-12-31T23:59:59.999Z'),
      ]),
    }),
  };

  it.each(['json', 'csv', 'txt'])(
    'the server sorts rows of its service and cuts them to the period, in %s',
    async (format) => {
      const { baseUrl } = await start({ service });
      const target = `/v1/archive/1?start=2024-01-01&stop=2024-01-02&format=${format}`;
      const { body } = await sendRequest(baseUrl, target);
      expect(body.match(/2\d{3}-[\d-]+T[\d:.]+Z/g)).toEqual([
        '2024-01-01T00:00:00.000Z',
        '2024-01-01T12:00:00.000Z',
      ]);
    },
  );
});

describe('a station id beyond 2^53', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['400 digits', '9'.repeat(400)],
  ])(
    'a station id beyond 2^53 gets 404, and is not rounded to another id: %s',
    async (_shown, id) => {
      const { baseUrl } = await start({ service: failing(new Error('requested another')) });
      for (const target of [`/v1/live/${id}`, `/v1/archive/${id}?start=last-day&stop=now`]) {
        const reply = await sendRequest(baseUrl, target);
        expect(reply.status).toBe(404);
        expect(JSON.parse(reply.body).error_code).toBe('station_not_found');
      }
    },
  );
});

describe('the clock of the server', () => {
  it('the server reads the clock once for each request', async () => {
    let now = NOW;
    const periods: Period[] = [];
    const service: StationService = {
      ...fixtureService,
      archive(station, period) {
        periods.push(period);
        return fixtureService.archive(station, period);
      },
    };
    const { baseUrl } = await start({ now: () => now++, service });
    await sendRequest(baseUrl, '/v1/archive/110?start=last-hour&stop=now');
    expect(periods.map(({ start, stop }) => stop - start)).toEqual([3_600_000]);
  });
});

describe('the address of the server', () => {
  it('the address of the server has the port that the system picked for port 0', async () => {
    const { baseUrl } = await start();
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(200);
  });

  it('the address of the server is 127.0.0.1 or [::1] for localhost', async () => {
    const { baseUrl } = await start({ host: 'localhost' });
    expect(baseUrl).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
    expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(200);
  });

  const hasIpv6 = Object.values(networkInterfaces())
    .flat()
    .some((net) => net?.address === '::1');

  it.skipIf(!hasIpv6)(
    'the address of the server contains an IPv6 address in brackets',
    async () => {
      const { baseUrl } = await start({ host: '::1' });
      expect(baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
      expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(200);
    },
  );

  it('the start of the server fails with a UsageError if the port is in use', async () => {
    const { baseUrl } = await start();
    const port = Number(new URL(baseUrl).port);
    const started = start({ port });
    await expect(started).rejects.toThrow(UsageError);
    await expect(started).rejects.toThrow(naming(port, '127.0.0.1', 'in use', '--port'));
  });

  it('the start of the server fails with a UsageError if its address belongs to another machine', async () => {
    // An address kept for documentation (RFC 5737), which no machine has.
    const started = start({ host: '192.0.2.1' });
    await expect(started).rejects.toThrow(UsageError);
    await expect(started).rejects.toThrow(naming('192.0.2.1', 'this machine', '127.0.0.1'));
  });

  it('the start of the server fails with a UsageError if the port is above 65535', async () => {
    const started = start({ port: 65_536 });
    await expect(started).rejects.toThrow(UsageError);
    await expect(started).rejects.toThrow(naming(65_536, '127.0.0.1'));
  });
});

describe('the log line of a request', () => {
  it('the log line of a request has the target as the client sent it, the status and the bytes sent', async () => {
    const lines: FinishedRequest[] = [];
    const { baseUrl } = await start({ onRequest: (line) => lines.push(line) });
    const { body } = await sendRequest(baseUrl, 'http://example.org/v1/live/110?x');
    await sendRequest(baseUrl, '/v1/live/110', { method: 'HEAD' });
    await sendRequest(baseUrl, '/v1/live/%zz');
    await sendRequest(baseUrl, '/nothing', { method: 'POST' });
    await sendRequest(baseUrl, '/nothing', { method: 'OPTIONS' });
    await expect.poll(() => lines, { timeout: 15_000 }).toHaveLength(5);
    expect(lines).toEqual([
      {
        method: 'GET',
        url: 'http://example.org/v1/live/110?x',
        status: 200,
        bytes: Buffer.byteLength(body),
        ms: expect.any(Number),
        cache: 'miss',
        address: '127.0.0.1',
        referer: undefined,
        agent: undefined,
      },
      expect.objectContaining({ method: 'HEAD', status: 200, bytes: 0 }),
      expect.objectContaining({ url: '/v1/live/%zz', status: 400 }),
      expect.objectContaining({ method: 'POST', url: '/nothing', status: 405 }),
      expect.objectContaining({ method: 'OPTIONS', status: 204, bytes: 0 }),
    ]);
  });
});

/**
 * A service that never responds, but says when it gets a request and rejects when it is told to
 * stop.
 */
function hangingService() {
  const events = new EventEmitter();
  const service = serviceThat(
    (signal) =>
      new Promise((_resolve, reject) => {
        events.emit('requested');
        signal?.addEventListener('abort', () => {
          events.emit('stopped');
          reject(signal.reason);
        });
      }),
  );
  return { service, requested: once(events, 'requested'), stopped: once(events, 'stopped') };
}

async function open(baseUrl: string, bytes: string, allowHalfOpen = false) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(bytes);
  return socket;
}

const REQUEST = 'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\n\r\n';

describe('the server', () => {
  it('the server stops the work on responses when the client leaves, logs them with 499, and reports no internal error', async () => {
    const { service, requested, stopped } = hangingService();
    const lines: FinishedRequest[] = [];
    const defects: unknown[] = [];
    const { baseUrl } = await start({
      service,
      onRequest: (line) => lines.push(line),
      onDefect: (error) => defects.push(error),
    });
    // The second one waits for its turn on the same connection.
    const socket = await open(baseUrl, REQUEST + REQUEST);
    await requested;
    socket.destroy();
    await stopped;
    await expect.poll(() => lines, { timeout: 15_000 }).toHaveLength(2);
    for (const line of lines) expect(line).toMatchObject({ status: 499, bytes: 0 });
    expect(defects).toEqual([]);
  });
});

describe('close of the server', () => {
  it('the server drops connections that are idle, silent, within a request or waiting for a response when it is closed', async () => {
    const { service, requested, stopped } = hangingService();
    const { baseUrl, close } = await start({ service });
    const idle = await open(baseUrl, REQUEST.replace('110', 'abc'));
    await once(idle, 'data');
    const sockets = [
      idle,
      await open(baseUrl, 'GET /v1/live/110 HTTP/1.1\r\nHo'),
      await open(baseUrl, ''),
      await open(baseUrl, REQUEST),
    ];
    await requested;
    const closed = sockets.map((socket) => once(socket.resume(), 'close'));
    await close();
    await stopped;
    await Promise.all(closed);
  });

  it('the server does not wait at its end for a refused client that keeps its half of the connection open', async () => {
    const { baseUrl, close } = await start();
    const sockets = [
      await open(baseUrl, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', true),
      await open(baseUrl, 'hello?\r\n\r\n', true),
    ];
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'end')));
    await close();
    for (const socket of sockets) socket.destroy();
  });

  it('a server that is closed twice closes without an error', async () => {
    const { close } = await start();
    await Promise.all([close(), close()]);
    await close();
  });
});
