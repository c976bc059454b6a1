import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.ts';
import { InterruptedError, UsageError } from '../../src/errors.ts';
import { startReportServer, startServer } from '../../src/server/server.ts';
import { fakeIo } from '../support/fake-io.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';
import { startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { sendRequest } from '../support/http.ts';
import { openRaw, requestBytes } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** `vane serve --demo` with further arguments, until the test is over. */
async function serve(...args: string[]) {
  const io = fakeIo();
  const done = run(['serve', '--demo', '--port', '0', ...args], io);
  closers.push(async () => {
    io.interrupt(new InterruptedError('SIGINT'));
    expect(await done).toBe(0);
  });
  await until(() => io.out() !== '');
  return { baseUrl: io.out().trim(), err: io.err };
}

const SPELLINGS = [
  '/livez',
  '/health',
  '/metrics',
  '/%6detrics',
  '/metrics?x=1',
  'http://a/metrics',
];

describe('vane serve', () => {
  it('vane serve forbids pages of another origin to read /livez, /health and /metrics, and allows all other paths', async () => {
    const { baseUrl } = await serve();
    for (const target of SPELLINGS) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
        const { headers } = await sendRequest(baseUrl, target, { method });
        const open = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
        expect([target, method, open]).toEqual([target, method, []]);
      }
    }
    for (const target of ['/', '/openapi.json', '/v1/live/110', '/v1/live/x', '/nothing']) {
      const { headers } = await sendRequest(baseUrl, target);
      expect([target, headers['access-control-allow-origin']]).toEqual([target, '*']);
    }
    expect((await sendRequest(baseUrl, '/health')).body).toContain('"status":"ok"');
    expect((await sendRequest(baseUrl, '/metrics')).body).toContain('vane_requests_total');
  });

  it('vane serve responds to /health and /metrics only at the port of --metrics-port if the option is set', async () => {
    const { baseUrl, err } = await serve('--metrics-port', '0');
    const [, own = ''] = /metrics .*(http:\/\/127\.0\.0\.1:\d+)/.exec(err()) ?? [];
    for (const path of ['/health', '/metrics']) {
      expect((await sendRequest(baseUrl, path)).status).toBe(404);
      const { status, headers } = await sendRequest(own, path);
      expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined]);
    }
    expect((await sendRequest(own, '/v1/live/110')).status).toBe(404);
    expect(JSON.parse((await sendRequest(baseUrl, '/health')).body).error_message).not.toMatch(
      /health/,
    );
    expect((await sendRequest(own, '/metrics', { method: 'POST' })).status).toBe(405);
    expect((await sendRequest(own, '/metrics')).body).toContain('vane_requests_total');
  });

  it('vane serve responds to /livez with 200 at both ports above the rate limit, without counting it', async () => {
    const { baseUrl, err } = await serve('--metrics-port', '0', '--rate', '1');
    const [own = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(err()) ?? [];
    const targets = ['/livez', '/livez?verbose', '/', '/', '/livez'];
    const statuses = [];
    for (const target of targets) statuses.push((await sendRequest(baseUrl, target)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    const { status, headers, body } = await sendRequest(own, '/livez');
    expect([status, headers['cache-control'], body]).toEqual([200, 'no-store', '{"status":"ok"}']);
    expect((await sendRequest(baseUrl, '/livez', { method: 'HEAD' })).status).toBe(200);
  });

  it('vane serve responds to /livez at the port of --metrics-port while the other port has no connection left', async () => {
    const { baseUrl, err } = await serve('--metrics-port', '0', '--max-connections', '1');
    const [own = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(err()) ?? [];
    const connection = await openRaw(baseUrl);
    connection.send(requestBytes('/livez'));
    expect((await connection.next())?.status).toBe(200);
    await expect(sendRequest(baseUrl, '/livez')).rejects.toThrow();
    expect((await sendRequest(own, '/livez')).status).toBe(200);
    connection.socket.destroy();
  });

  it('vane serve responds to /livez with 200, and /health with 503 after a second, while its service does not respond', async () => {
    const clock = handClock();
    const upstream = await startUpstream(clock);
    upstream.hold();
    const io = { ...fakeIo(), now: clock.now, sleep: clock.sleep };
    const done = run(['serve', '--upstream', upstream.baseUrl, '--port', '0', '--no-cache'], io);
    closers.push(async () => {
      upstream.release();
      io.interrupt(new InterruptedError('SIGINT'));
      await done;
      await upstream.close();
    });
    await until(() => upstream.arrivals.length === 1);
    const sleepers = clock.sleepers;
    const health = sendRequest(io.out().trim(), '/health');
    await until(() => clock.sleepers === sleepers + 1);
    clock.advance(1000);
    expect((await sendRequest(io.out().trim(), '/livez')).status).toBe(200);
    const { status, body } = await health;
    expect([status, JSON.parse(body)]).toEqual([503, { status: 'not_ready', live_age_s: null }]);
    expect(clock.sleepers).toBe(sleepers);
    upstream.release();
    await until(async () => (await sendRequest(io.out().trim(), '/health')).status === 200);
  });

  it('vane serve writes a line when its service begins to fail, and one when the service responds again', async () => {
    const clock = handClock();
    const upstream = await startUpstream(clock);
    const io = { ...fakeIo(), now: clock.now, sleep: clock.sleep };
    const done = run(['serve', '--upstream', upstream.baseUrl, '--port', '0', '--no-cache'], io);
    closers.push(async () => {
      io.interrupt(new InterruptedError('SIGINT'));
      await done;
      await upstream.close();
    });
    await until(() => io.out() !== '');
    const isReady = async () => (await sendRequest(io.out().trim(), '/health')).status === 200;
    await until(isReady);
    expect(io.err()).not.toContain('the last live data is served');
    await upstream.kill();
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(60_000);
      await sendRequest(io.out().trim(), '/v1/live/all');
    }
    await until(async () => !(await isReady()));
    expect(io.err().match(/the last live data is served/g)).toHaveLength(1);
    await upstream.revive();
    clock.advance(60_000);
    await until(isReady);
    expect(io.err().match(/responds again.* since .*Z\b/g)).toHaveLength(1);
  });

  it('vane serve refuses --metrics-port 70000', async () => {
    const io = fakeIo();
    expect(await run(['serve', '--demo', '--metrics-port', '70000'], io)).toBe(2);
    expect(io.err()).toMatch(/--metrics-port .*65535.*“70000”/);
  });
});

describe('the server of --metrics-port', () => {
  it('vane serve names --metrics-port in the error if the port of that option is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    closers.push(async () => other.close());
    const { port } = other.address() as { port: number };
    const started = startReportServer(port, {});
    await expect(started).rejects.toThrow(UsageError);
    await expect(started).rejects.toThrow('--metrics-port');
  });
});

it('a private document of the server cannot be read by pages of other origins', async () => {
  const server = await startServer({
    ...{ service: fixtureService, host: '127.0.0.1', port: 0, now: () => NOW },
    privateDocuments: { '/own': () => ({ headers: { 'content-type': 'text/plain' }, body: 'x' }) },
  });
  closers.push(server.close);
  const { status, headers, body } = await sendRequest(server.baseUrl, '/own');
  expect([status, body, headers['access-control-allow-origin']]).toEqual([200, 'x', undefined]);
  expect(headers['x-content-type-options']).toBe('nosniff');
});
