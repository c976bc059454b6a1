import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import type { Period } from '../../src/domain/period.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';
import {
  NotFoundError,
  NotInterfaceError,
  RefusedError,
  UnavailableError,
  UsageError,
} from '../../src/errors.ts';
import type { RequestLine } from '../../src/server/edge/app.ts';
import { type ServerOptions, startServer } from '../../src/server/server.ts';
import type { StationService } from '../../src/service/service.ts';
import { ARCHIVE_PROVENANCE, fixtureService, NOW } from '../support/fixture-service.ts';
import { ask } from '../support/http.ts';

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

/** A service whose every answer is this promise. */
function serviceThat(answer: (signal?: AbortSignal) => Promise<never>): StationService {
  return {
    live: (_station, { signal }) => answer(signal),
    liveAll: ({ signal }) => answer(signal),
    archive: (_station, _period, { signal } = {}) => answer(signal),
  };
}

const failing = (error: unknown): StationService => serviceThat(() => Promise.reject(error));

describe('errors that the service throws', () => {
  it.each([
    [new NotFoundError('Station 1 is unknown.'), 404, 'station_not_found', 'Station 1 is unknown.'],
    [new RefusedError('Slow down.', 429, 'too_many'), 429, 'too_many', 'Slow down.'],
    [new RefusedError('No.', 403), 403, 'refused', 'No.'],
    [new UnavailableError('No answer.'), 503, 'upstream_unavailable', 'No answer.'],
    [new NotInterfaceError('HTML.'), 503, 'upstream_unavailable', 'HTML.'],
  ])('%s is told to the client', async (error, status, code, message) => {
    const { baseUrl } = await start({ service: failing(error) });
    const targets = ['/v1/live/1', '/v1/live/all', '/v1/archive/1?start=last-day&stop=now'];
    for (const target of targets) {
      const reply = await ask(baseUrl, target);
      expect(reply.status).toBe(status);
      expect(JSON.parse(reply.body)).toEqual({ error_code: code, error_message: message });
    }
  });

  it.each([new TypeError('secret'), 'secret', undefined, { statusCode: 404, message: 'secret' }])(
    'an unexpected error (%s) is reported to the operator, and its text never reaches the client',
    async (defect) => {
      const defects: unknown[] = [];
      const { baseUrl } = await start({
        service: failing(defect),
        onDefect: (error) => defects.push(error),
      });
      const reply = await ask(baseUrl, '/v1/live/1');
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({
        error_code: 'internal_error',
        error_message: 'The server failed while it answered this request.',
      });
      expect(defects).toEqual([defect]);
    },
  );
});

describe('a service with bounds and order of its own', () => {
  const row = (time: string): Reading => [time, null, null, null, null, null, null, null];
  const legend = ['time', 'latitude', 'longitude'];
  const service: StationService = {
    ...fixtureService,
    archive: async () => ({
      ...ARCHIVE_PROVENANCE,
      legend,
      units: legend,
      rows: Rows.ofReadings([
        row('2024-01-02T00:00:00.000Z'),
        row('2024-01-01T12:00:00.000Z'),
        row('2024-01-01T00:00:00.000Z'),
        row('2023-12-31T23:59:59.999Z'),
      ]),
    }),
  };

  it.each(['json', 'csv', 'txt'])('is served half-open and ascending as %s', async (format) => {
    const { baseUrl } = await start({ service });
    const target = `/v1/archive/1?start=2024-01-01&stop=2024-01-02&format=${format}`;
    const { body } = await ask(baseUrl, target);
    expect(body.match(/2\d{3}-[\d-]+T[\d:.]+Z/g)).toEqual([
      '2024-01-01T00:00:00.000Z',
      '2024-01-01T12:00:00.000Z',
    ]);
  });
});

describe('an id that no computer number can hold', () => {
  it.each(['9007199254740993', '-9007199254740993', '9'.repeat(400)])(
    'is not taken for another: %.20s',
    async (id) => {
      const { baseUrl } = await start({ service: failing(new Error('asked for another')) });
      for (const target of [`/v1/live/${id}`, `/v1/archive/${id}?start=last-day&stop=now`]) {
        const reply = await ask(baseUrl, target);
        expect(reply.status).toBe(404);
        expect(JSON.parse(reply.body).error_code).toBe('station_not_found');
      }
    },
  );
});

describe('the clock', () => {
  it('is read once a request', async () => {
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
    await ask(baseUrl, '/v1/archive/110?start=last-hour&stop=now');
    expect(periods.map(({ start, stop }) => stop - start)).toEqual([3_600_000]);
  });
});

describe('the address', () => {
  it('has the port that was picked', async () => {
    const { baseUrl } = await start();
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect((await ask(baseUrl, '/v1/live/110')).status).toBe(200);
  });

  it('of localhost is one of this machine', async () => {
    const { baseUrl } = await start({ host: 'localhost' });
    expect(baseUrl).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
    expect((await ask(baseUrl, '/v1/live/110')).status).toBe(200);
  });

  const hasIpv6 = Object.values(networkInterfaces())
    .flat()
    .some((net) => net?.address === '::1');

  it.skipIf(!hasIpv6)('of IPv6 is in brackets', async () => {
    const { baseUrl } = await start({ host: '::1' });
    expect(baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await ask(baseUrl, '/v1/live/110')).status).toBe(200);
  });

  it('that is in use is a wrong usage', async () => {
    const { baseUrl } = await start();
    const port = Number(new URL(baseUrl).port);
    await expect(start({ port })).rejects.toThrow(
      new UsageError(
        `Port ${port} on 127.0.0.1 is in use; choose another with --port (0 picks a free one).`,
      ),
    );
  });

  it('of another machine is a wrong usage', async () => {
    // An address kept for documentation (RFC 5737), which no machine has.
    await expect(start({ host: '192.0.2.1' })).rejects.toThrow(
      new UsageError(
        '192.0.2.1 is not an address of this machine; use one that is, such as 127.0.0.1.',
      ),
    );
  });

  it('with an impossible port is a wrong usage', async () => {
    await expect(start({ port: 65_536 })).rejects.toThrow(
      new UsageError('Port 65536 on 127.0.0.1 cannot be listened on (ERR_SOCKET_BAD_PORT).'),
    );
  });
});

describe('the line of a request', () => {
  it('has the target as it came, the status and the bytes sent', async () => {
    const lines: RequestLine[] = [];
    const { baseUrl } = await start({ onRequest: (line) => lines.push(line) });
    const { body } = await ask(baseUrl, 'http://example.org/v1/live/110?x');
    await ask(baseUrl, '/v1/live/110', { method: 'HEAD' });
    await ask(baseUrl, '/v1/live/%zz');
    await ask(baseUrl, '/nothing', { method: 'POST' });
    await ask(baseUrl, '/nothing', { method: 'OPTIONS' });
    await expect.poll(() => lines, { timeout: 15_000 }).toHaveLength(5);
    expect(lines).toEqual([
      {
        method: 'GET',
        url: 'http://example.org/v1/live/110?x',
        status: 200,
        bytes: Buffer.byteLength(body),
        ms: expect.any(Number),
        outcome: 'miss',
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

/** A service that never answers, but says when it is asked and rejects when it is told to stop. */
function hangingService() {
  const events = new EventEmitter();
  const service = serviceThat(
    (signal) =>
      new Promise((_resolve, reject) => {
        events.emit('asked');
        signal?.addEventListener('abort', () => {
          events.emit('stopped');
          reject(signal.reason);
        });
      }),
  );
  return { service, asked: once(events, 'asked'), stopped: once(events, 'stopped') };
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

describe('a client that leaves', () => {
  it('a client that leaves stops the work on its answer, and is no defect', async () => {
    const { service, asked, stopped } = hangingService();
    const lines: RequestLine[] = [];
    const defects: unknown[] = [];
    const { baseUrl } = await start({
      service,
      onRequest: (line) => lines.push(line),
      onDefect: (error) => defects.push(error),
    });
    const socket = await open(baseUrl, REQUEST);
    await asked;
    socket.destroy();
    await stopped;
    await expect.poll(() => lines, { timeout: 15_000 }).toHaveLength(1);
    expect(lines[0]).toMatchObject({ status: 499, bytes: 0 });
    expect(defects).toEqual([]);
  });
});

describe('close', () => {
  it('drops connections that are idle, half-sent, silent or waiting for an answer', async () => {
    const { service, asked, stopped } = hangingService();
    const { baseUrl, close } = await start({ service });
    const idle = await open(baseUrl, REQUEST.replace('110', 'abc'));
    await once(idle, 'data');
    const sockets = [
      idle,
      await open(baseUrl, 'GET /v1/live/110 HTTP/1.1\r\nHo'),
      await open(baseUrl, ''),
      await open(baseUrl, REQUEST),
    ];
    await asked;
    const closed = sockets.map((socket) => once(socket.resume(), 'close'));
    await close();
    await stopped;
    await Promise.all(closed);
  });

  it('close does not wait for a refused client that keeps its half of the connection open', async () => {
    const { baseUrl, close } = await start();
    const sockets = [
      await open(baseUrl, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', true),
      await open(baseUrl, 'hello?\r\n\r\n', true),
    ];
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'end')));
    await close();
    for (const socket of sockets) socket.destroy();
  });

  it('may be called again', async () => {
    const { close } = await start();
    await Promise.all([close(), close()]);
    await close();
  });
});
