import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPage } from '../../src/server/page/page.ts';
import { blocksOf } from '../support/documents.ts';
import { startFaultyServer } from '../support/faulty-server.ts';
import { sendRequest } from '../support/http.ts';
import { naming } from '../support/naming.ts';
import { startNginx, whyNoNginx } from '../support/nginx.ts';
import { vane as run } from '../support/run.ts';
import { openTerminal, whyNoTmux } from '../support/tmux.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const vane = (args: readonly string[], env: Record<string, string> = {}) =>
  execaNode(BIN, args, {
    reject: false,
    stripFinalNewline: false,
    forceKillAfterDelay: false,
    cwd: folder,
    env: { VANE_CACHE_DIR: join(folder, 'cache'), ...env },
  });

type Child = ReturnType<typeof vane>;
const addressOf = async (child: Child): Promise<string> =>
  String((await once(child.stdout, 'data'))[0]).trim();

let folder: string;
/** `vane serve --demo`, and `vane serve --upstream` in front of it. */
let demo: Child;
let cache: Child;
let upstream: string;
let front: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-serve-'));
  demo = vane(['serve', '--demo', '--port', '0']);
  upstream = await addressOf(demo);
  const log = ['--log', join(folder, 'access.log')];
  cache = vane(['serve', '--upstream', upstream, '--port', '0', '--warm', ...log]);
  front = await addressOf(cache);
});
afterAll(async () => {
  for (const child of [cache, demo]) child?.kill('SIGTERM');
  await Promise.all([cache, demo]);
  await rm(folder, { recursive: true });
});

describe('vane serve --upstream', () => {
  it('vane serve --upstream serves vane archive and vane live the same data as the service behind it', async () => {
    const now = Date.now();
    const line = ['110', '--start', '2024-01', '--stop', '2024-03', '-f', 'csv', '--no-cache'];
    const archive = (baseUrl: string) => run(['archive', ...line, '--base-url', baseUrl], { now });
    const [direct, through] = await Promise.all([archive(upstream), archive(front)]);
    expect([direct.code, through.code]).toEqual([0, 0]);
    expect(through.out).toBe(direct.out);
    const live = await run(['live', '110', '-f', 'json', '--base-url', front], { now });
    expect(JSON.parse(live.out).data.id).toBe(110);
    for (const path of ['/livez', '/health'])
      expect((await sendRequest(front, path)).status).toBe(200);
    expect((await sendRequest(front, '/metrics')).body).toContain(
      'vane_upstream_requests_total{endpoint="live-with-meta"} 1\n',
    );
  });

  const noNginx = whyNoNginx();
  it.skipIf(noNginx)(
    'vane serve --upstream gets one request from an nginx that caches, for three requests of clients',
    async () => {
      const nginx = await startNginx(Number(new URL(front).port));
      const replies = [];
      for (let i = 0; i < 3; i++) replies.push(await sendRequest(nginx.baseUrl, '/v1/live/110'));
      await nginx.close();
      expect(replies.map(({ headers }) => headers['x-cache-status'])).toEqual([
        'MISS',
        'HIT',
        'HIT',
      ]);
      expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
    },
  );

  it('vane serve --upstream serves the page that other tests open in a browser, and the stations that the page requests', async () => {
    const { status, headers, body } = await sendRequest(front, '/');
    const page = createPage();
    expect({ status, body }).toEqual({ status: 200, body: page.html });
    expect(headers).toMatchObject(page.headers);
    const { data } = JSON.parse((await sendRequest(front, '/v1/live/all')).body);
    expect(data.length).toBeGreaterThan(500);
  });

  it('vane serve --upstream opens its log again at SIGHUP, and goes on', async () => {
    const log = join(folder, 'access.log');
    expect((await sendRequest(front, '/v1/live/603')).status).toBe(200);
    await until(() => existsSync(log));
    await rename(log, `${log}.1`);
    cache.kill('SIGHUP');
    await until(() => existsSync(log));
    expect((await sendRequest(front, '/v1/live/603')).status).toBe(200);
    await until(async () => (await readFile(log, 'utf8')).includes('/v1/live/603'));
  });

  it('vane serve --upstream exits with 0 at SIGTERM, and its access log is complete', async () => {
    expect((await sendRequest(front, '/v1/live/110')).status).toBe(200);
    cache.kill('SIGTERM');
    expect((await cache).exitCode).toBe(0);
    const logs = ['access.log.1', 'access.log'].map((name) => readFile(join(folder, name), 'utf8'));
    const lines = (await Promise.all(logs)).join('').trim().split('\n');
    expect(lines.map((text) => JSON.parse(text)).find(({ url }) => url === '/v1/live/110')).toEqual(
      expect.objectContaining({ status: 200, address: '127.0.0.1', cache: 'miss' }),
    );
  });
});

it('vane serve --upstream exits with 0 within seconds of SIGTERM while its service hangs, for everything or for archives', async () => {
  const ends = [/./, /archive/].map(async (hanging) => {
    let held = 0;
    const service = createHttpServer(async ({ url = '' }, response) => {
      if (hanging.test(url)) held++;
      else response.end((await sendRequest(upstream, url)).body);
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as { port: number };
    const address = `http://127.0.0.1:${port}`;
    const child = vane(['serve', '--upstream', address, '--port', '0', '--warm']);
    const baseUrl = await addressOf(child);
    const pictures = Array.from({ length: 12 }, (_, i) => `/plot/110/rose.png?width=${300 + i}`);
    const paths = ['/v1/live/110', '/v1/archive/110?start=last-day&stop=now', ...pictures];
    const requested = Promise.allSettled(paths.map((path) => sendRequest(baseUrl, path)));
    await until(() => held > 0);
    const begunMs = performance.now();
    child.kill('SIGTERM');
    expect((await child).exitCode).toBe(0);
    // A request to the service would go on for 30 s.
    expect(performance.now() - begunMs).toBeLessThan(15_000);
    await requested;
    service.close();
  });
  await Promise.all(ends);
});

describe('vane serve --demo', () => {
  it('vane serve --demo draws pictures, and exits with 0 at SIGTERM while a picture is being drawn', async () => {
    const embedded = blocksOf('docs/reference/http.md').find(({ language }) => language === 'html');
    const [, documented = ''] = /8080\/([^"]+)"/.exec(embedded?.text ?? '') ?? [];
    const [svg, png, coastline] = await Promise.all(
      [documented, 'plot/110/series.png', 'coastline.txt'].map(async (path) => {
        const response = await fetch(`${upstream}/${path}`);
        return { type: response.headers.get('content-type'), body: await response.text() };
      }),
    );
    expect(svg?.type).toBe('image/svg+xml; charset=utf-8');
    expect(svg?.body).toMatch(/^<svg .*readings.*<\/svg>\n$/s);
    expect(png).toEqual({ type: 'image/png', body: expect.stringContaining('PNG') });
    expect(coastline?.body).toMatch(/^m.*\nm.*/);
    const open = fetch(`${upstream}/plot/110/series.png?units=kn`);
    demo.kill('SIGTERM');
    await open.catch(() => {});
    const { exitCode, stdout, stderr } = await demo;
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

const noTmux = whyNoTmux();
it.skipIf(noTmux)(
  'vane serve says on a terminal, on stderr, what it serves and how to stop it',
  async () => {
    const out = join(folder, 'address');
    const terminal = await openTerminal(100, 12);
    onTestFinished(terminal.close);
    const line = `${process.execPath} ${BIN} serve --demo --port 0 > ${out}; echo "[$?]"`;
    await terminal.type(line, 'Enter');
    const stop = 'Press Ctrl-C to stop.';
    const shown = await terminal.until((rows) => rows.includes(stop));
    expect(shown[shown.indexOf(stop) - 1]).toMatch(/simulated network: .*map at \/, .*\/plot/);
    await terminal.type('C-c');
    await terminal.until((rows) => rows.some((row) => row.endsWith('[0]')));
    expect(await readFile(out, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  },
);

describe('a start of the server:', () => {
  it.each([
    ['serve 8080', /“8080”.*--port 8080/],
    ['serve --demo lake', naming('“lake”', 'vane serve --help')],
    ['serve', /--demo.*--upstream/],
    ['serve --demo --upstream http://a', /--demo.*--upstream/],
    ['serve --upstream ftp://a', /--upstream .*“ftp:\/\/a”/],
    ['serve --upstream http://a --base-url http://b', /--upstream.*--base-url/],
    ['serve --demo --rate 0', /--rate .*“0”/],
    ['serve --demo --trust-proxy nobody', /--trust-proxy .*“nobody”/],
    ['serve --upstream http://a --memory lots', /--memory .*“lots”/],
    ['serve --demo --log package.json/folder.log', /package\.json .*folder/],
  ])('vane %s exits with 2, and the error names %s', async (line, names) => {
    const { code, err } = await run(line.split(' '));
    expect(err).toMatch(names);
    expect(code).toBe(2);
  });

  it('vane serve exits with 2 where the port is in use, and the error names --port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, err } = await run(['serve', '--demo', '--port', String(port)]);
    other.close();
    expect(err).toMatch(naming(port, '127.0.0.1', 'in use', '--port'));
    expect(code).toBe(2);
  });

  it('vane serve starts despite an upstream that sends HTML and a cache that cannot be written, and reports both', async () => {
    const server = await startFaultyServer(() => 'html');
    await writeFile(join(folder, 'file'), '');
    const child = vane(['serve', '--upstream', server.baseUrl, '--port', '0'], {
      VANE_CACHE_DIR: join(folder, 'file', 'cache'),
    });
    const stderr: string[] = [];
    child.stderr.on('data', (text) => stderr.push(String(text)));
    const baseUrl = await addressOf(child);
    const reply = await sendRequest(baseUrl, '/v1/live/110');
    expect([reply.status, JSON.parse(reply.body).error_code]).toEqual([
      503,
      'upstream_unavailable',
    ]);
    expect((await sendRequest(baseUrl, '/health')).status).toBe(503);
    expect((await sendRequest(baseUrl, '/')).status).toBe(200);
    await expect
      .poll(() => stderr.join(''), { timeout: 15_000 })
      .toMatch(naming(join(folder, 'file', 'cache'), 'HTML', 'only archives'));
    child.kill('SIGINT');
    const { exitCode, stdout } = await child;
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${baseUrl}\n` });
    await server.close();
  });
});
