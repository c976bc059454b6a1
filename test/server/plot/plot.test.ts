import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FIGURE_KINDS } from '../../../src/figures/kinds.ts';
import { readTrustProxy } from '../../../src/server/edge/clientAddress.ts';
import { createPngRenderer } from '../../../src/server/plot/pngThread.ts';
import { type RunningServer, startServer } from '../../../src/server/server.ts';
import { simulatedService } from '../../../src/service/simulated/simulatedService.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import {
  fixtureService,
  NOW,
  networkWith,
  UNKNOWN_STATION,
} from '../../support/fixture-service.ts';
import { startFront, startUpstream } from '../../support/fronts.ts';
import { handClock } from '../../support/hand-clock.ts';
import { sendRequest } from '../../support/http.ts';
import { naming } from '../../support/naming.ts';
import { KINDS_OF_PERIODS } from '../../support/pictures.ts';
import { openRaw, requestBytes } from '../../support/raw-connection.ts';
import { checkXml } from '../../support/strictXml.ts';
import { until } from '../../support/until.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(service = fixtureService) {
  const clock = handClock();
  const upstream = await startUpstream(clock, service);
  const front = await startFront(upstream.baseUrl, {
    clock,
    trustProxy: readTrustProxy('loopback'),
  });
  closers.push(upstream.close, front.close);
  const get = (path: string, headers = {}) =>
    sendRequest(front.baseUrl, `/plot/${path}`, { headers });
  return { clock, upstream, front, get };
}

const SIZE = /^<svg [^>]*width="(\d+)" height="(\d+)"/;

describe('GET /plot', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      ...{ service: fixtureService, host: '127.0.0.1', port: 0, now: () => NOW },
    });
  });
  afterAll(() => server.close());
  const get = (path: string) => sendRequest(server.baseUrl, `/plot/${path}`);

  it.each([
    ['series', 'last 24 hours', '2024-01-14 12:00'],
    ['rose', 'last 30 days', '2023-12-16 12:00'],
    ['calendar', 'last year', '2023-01-15 12:00'],
    ['pattern', 'last year', '2023-01-15 12:00'],
  ])(
    'GET /plot/<station>/%s.svg responds with an SVG of the %s that names the station, for pages of any origin',
    async (kind, _, start) => {
      const { status, headers, body } = await get(`110/${kind}.svg`);
      expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body).toMatch(/^<svg .*<\/svg>\n$/s);
      expect(body).toContain('<title id="title">Dune du Pilat: ');
      expect(body).toContain(`${start} to 2024-01-15 12:00`);
    },
  );

  it('GET /plot draws the period, unit, zone, theme and size that its query names', async () => {
    const { body } = await get(
      '110/series.svg?start=2024-01-10&stop=2024-01-12T12:00&units=kn&tz=europe/paris&theme=dark&width=700&height=400',
    );
    expect(body).toContain('2024-01-10 00:00 to 2024-01-12 12:00 · Europe/Paris · kn');
    expect(body.match(SIZE)?.slice(1)).toEqual(['700', '400']);
    expect(body).toContain('#0d1117');
    expect(body).not.toContain('prefers-color-scheme');
  });

  it.each(KINDS_OF_PERIODS)(
    'GET /plot draws impossible values as missing in %s.svg',
    async (kind) => {
      const speeds = [1e308, -1e308, 12, 460];
      const rows = Array.from({ length: 200 }, (_, i): ArchiveRow => {
        const time = new Date(NOW - (200 - i) * 300_000).toISOString();
        const speed = speeds[i % speeds.length] as number;
        return [time, 44.5, -1.2, speed, speed, speed, 3 * i, null];
      });
      const { get: draw } = await setUp(networkWith({ 110: rows }));
      const period = 'start=2024-01-14T20:00&stop=2024-01-15T12:00';
      const { status, body } = await draw(`110/${kind}.svg?${period}`);
      expect(status).toBe(200);
      expect(body).not.toMatch(/NaN|Infinity|e\+/);
      expect(body).toContain('192 readings');
    },
  );

  it.each(KINDS_OF_PERIODS)(
    'GET /plot draws %s.svg exactly as high as its query says',
    async (kind) => {
      for (const height of [120, 200, 900]) {
        const { status, body } = await get(`110/${kind}.svg?start=7d&width=500&height=${height}`);
        expect([status, ...(body.match(SIZE)?.slice(1) ?? [])]).toEqual([200, '500', `${height}`]);
      }
    },
  );

  it.each([
    ['series', 'start=7d', '2024-01-08 12:00 to 2024-01-15 12:00'],
    ['series', 'start=yesterday&stop=today', '2024-01-14 to 2024-01-15'],
    ['series', 'start=2024-01-10%2009:30&stop=2024-1-11', '2024-01-10 09:30 to 2024-01-11 00:00'],
    ['series', 'start=1d&mark=15kn', '>27.8'],
    ['series', 'start=1d&units=kn&mark=15', '>15'],
    ['calendar', 'start=7d&where=avg%20%3E%2010kn', 'time of avg &#62; 10kn by day'],
    ['calendar', 'start=7d&value=gust', 'highest gust by day'],
    ['rose', 'start=7d&units=kn&classes=1,50', '>1–50<'],
    ['rose', 'where=hour%20in%2010..18&start=7d', 'wind rose where hour in 10..18</title>'],
    ['rose', 'where=hour%20%3C%202&tz=Asia/Tokyo&start=7d', '168 of 2,016 readings'],
    ['rose', 'where=avg%20%3E%2010kn&value=gust&start=7d', 'wind rose of gusts where avg'],
    ['rose', 'by=season', '2023-01-15 12:00 to 2024-01-15 12:00'],
    ['rose', 'by=season', '>DJF</text>'],
    ['pattern', 'by=month-of-year&start=60d', '>Dec</text>'],
  ])(
    'GET /plot draws a %s with the arguments of vane plot in the forms of the command line, as %s',
    async (kind, query, text) => {
      const { status, body } = await get(`110/${kind}.svg?${query}`);
      expect([status, body.includes(text)]).toEqual([200, true]);
    },
  );

  it('GET /plot draws several stations, each once, and limits the sum of their days', async () => {
    const { body } = await get('110,7,110/series.svg');
    expect(body).toContain('<title id="title">2 stations: wind</title>');
    expect(body).toContain('>Dune du Pilat</text>');
    const year = await get('110,41/calendar.svg');
    expect([year.status, year.body.includes('2023-07-16 12:00 to 2024-01-15 12:00')]).toEqual([
      200,
      true,
    ]);
    const long = await get('110,41/calendar.svg?start=184d');
    expect([long.status, JSON.parse(long.body).error_message]).toEqual([
      413,
      expect.stringContaining('183'),
    ]);
    const ids = Array.from({ length: 13 }, (_, index) => index + 1);
    expect((await get(`${ids}/series.svg`)).status).toBe(400);
    expect((await get('110,/series.svg')).status).toBe(400);
    const panels = await get('110,7/rose.svg?by=month-of-year&start=7d');
    expect([panels.status, JSON.parse(panels.body).error_message]).toEqual([
      400,
      expect.stringMatching(/12 panels.*by=month-of-year.*1 station\./),
    ]);
    const unknown = await get(`110,${UNKNOWN_STATION}/series.png`);
    expect([unknown.status, unknown.body.includes(String(UNKNOWN_STATION))]).toEqual([404, true]);
  });

  it('GET /plot accepts a relative start such as last-week, and draws no time after now', async () => {
    const { body } = await get('110/series.svg?start=last-week&stop=2030');
    expect(body).toContain('2024-01-08 12:00 to 2024-01-15 12:00');
  });

  it('GET /plot counts each reading once when the period spans several 31-day chunks', async () => {
    const { body } = await get('110/rose.svg?start=2023-11-15&stop=2024-01-15');
    expect(body).toContain(`${(61 * 288).toLocaleString('en')} readings`);
  });

  it.each([
    ['height=119', 400, 'height'],
    ['mark=fast', 400, 'mark'],
    ['where=avg+%3E', 400, 'where'],
    ['where=distance+%3C+5km', 400, 'where'],
    ['where=avg+%3E+5kn&value=gust', 400, 'where'],
    ['value=hours', 400, 'where'],
    ['value=lull', 400, 'value'],
    ['classes=10,5', 400, 'classes'],
    ['width=199', 400, 'width'],
    ['height=2001', 400, 'height'],
    ['width=1e3', 400, 'width'],
    ['units=furlong', 400, 'units'],
    ['theme=pink', 400, 'theme'],
    ['sectors=7', 400, 'sectors'],
    ['by=month', 400, 'by'],
    ['by=season&by=season', 400, 'by'],
    ['tz=Mars/Olympus', 400, 'tz'],
    ['tz=utc%2B99', 400, 'tz'],
    ['start=soon', 400, 'start'],
    ['stop=last-day', 400, 'stop'],
    ['start=2024-01-10&stop=2024-01-09', 400, 'stop'],
    ['width=300&width=400', 400, 'width'],
    ['unit=kn', 400, 'use units'],
    ['knots', 400, 'use units=kn'],
    ['from=7d', 400, 'use start'],
    ['to=now&t=1', 400, 'use stop'],
    ['timezone=utc', 400, 'use tz'],
    ['start=2022', 413, 'start'],
  ])('GET /plot with %s gets %i, and the error names the argument', async (query, status, name) => {
    const reply = await get(`110/series.svg?${query}`);
    expect(reply.status).toBe(status);
    const { error_code, error_message } = JSON.parse(reply.body);
    expect(error_code).toBe(status === 413 ? 'request_too_large' : 'invalid_argument');
    expect(error_message).toMatch(new RegExp(`\\b${name}\\b.*\\.$`));
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['calendar', 'by=season', ['by', 'rose', 'pattern', 'calendar']],
    ['series', 'by=month-of-year', ['by', 'rose', 'pattern', 'series']],
    ['calendar', 'mark=15kn', ['mark', 'series', 'calendar']],
    ['rose', 'value=hours', ['value hours', 'calendar', 'pattern', 'rose']],
    ['series', 'sectors=8', ['sectors', 'rose', 'series']],
  ])(
    'GET /plot refuses for a %s the argument %s, which would have no effect',
    async (kind, query, names) => {
      const { status, body } = await get(`110/${kind}.svg?${query}`);
      expect(status).toBe(400);
      expect(JSON.parse(body).error_message).toMatch(naming(...names));
    },
  );

  it.each([
    '110/series.gif',
    '110/series',
    '110/wind.svg',
    '110/series.svg.svg',
    '110/__proto__.svg',
  ])('GET /plot/%s gets 404, since there is no such picture', async (path) => {
    const { status, body } = await get(path);
    expect([status, JSON.parse(body).error_code]).toEqual([404, 'not_found']);
  });

  it('GET /plot responds with 404 to an unknown station and with 400 to a station that is no number', async () => {
    const { get, upstream } = await setUp();
    expect((await get(`${UNKNOWN_STATION}/series.svg`)).status).toBe(404);
    expect(upstream.arrivals.filter(({ url }) => url.includes('archive'))).toEqual([]);
    expect((await get('all/series.svg')).status).toBe(400);
    const png = await get(`${UNKNOWN_STATION}/series.png`);
    expect([png.status, JSON.parse(png.body).error_code]).toEqual([404, 'station_not_found']);
    expect((await get('9007199254740993/series.svg')).status).toBe(404);
  });

  it.each([UNKNOWN_STATION, '9007199254740993', `110,${UNKNOWN_STATION}`])(
    'GET /plot/%s/rose.svg gets 404, and a sentence as a picture of the requested size',
    async (id) => {
      const { status, headers, body } = await get(`${id}/rose.svg?width=300&height=150&theme=dark`);
      expect([status, headers['content-type']]).toEqual([404, 'image/svg+xml; charset=utf-8']);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(body.match(SIZE)?.slice(1)).toEqual(['300', '150']);
      expect(body).toMatch(/unknown|such a long id/);
      checkXml(body);
    },
  );

  it.each(KINDS_OF_PERIODS)(
    'GET /plot responds with 200 and a sentence in the picture to %s.svg of a period without readings',
    async (kind) => {
      const { status, body } = await get(`110/${kind}.svg?start=2001-05&stop=2001-06&height=200`);
      expect([status, body.match(SIZE)?.[2]]).toEqual([200, '200']);
      expect(body).toContain('>No reading from 2001-05-01 to 2001-06-01, UTC.</text>');
    },
  );

  it('GET /plot responds with 503 and Retry-After while the service is down', async () => {
    const { get, upstream } = await setUp();
    await upstream.kill();
    const { status, headers, body } = await get('110/series.svg');
    expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('GET /plot writes a hostile station name as text, not as markup', async () => {
    for (const kind of FIGURE_KINDS) {
      const { body } = await get(`7/${kind}.svg`);
      expect(body).not.toContain('<b>');
      expect(body).not.toContain('\u001b');
      expect(body).toContain('&#60;b&#62;=1+1');
    }
  });

  it.each([41, 603, 19])(
    'GET /plot draws no NaN, Infinity or undefined for station %i, which has few readings or none',
    async (id) => {
      for (const kind of FIGURE_KINDS) {
        const { status, body } = await get(`${id}/${kind}.svg`);
        expect([kind, status]).toEqual([kind, 200]);
        expect(body).not.toMatch(/NaN|Infinity|undefined/);
      }
      const { status, body } = await get(`${id}/series.svg?start=2030&stop=2031`);
      expect([status, /NaN|Infinity/.test(body)]).toEqual([200, false]);
    },
  );
});

describe('the cache of pictures at /plot', () => {
  it('the server draws a picture once a minute for 30 requests at once', async () => {
    const { front, get, clock, upstream } = await setUp();
    for (const [misses, length] of [
      [1, 30],
      [2, 10],
    ] as const) {
      const replies = await Promise.all(Array.from({ length }, () => get('110/rose.svg?units=kn')));
      expect(new Set(replies.map(({ status, body }) => status + body)).size).toBe(1);
      expect(front.outcomes.get('miss')).toBe(misses);
      clock.advance(60_000);
    }
    expect(upstream.arrivals.length).toBeLessThan(10);
  });

  it('the server draws a picture of the simulated network once for 30 requests at once', async () => {
    const outcomes: unknown[] = [];
    const server = await startServer({
      service: simulatedService(() => NOW),
      ...{ host: '127.0.0.1', port: 0, now: () => NOW },
      onRequest: ({ cache }) => outcomes.push(cache),
    });
    closers.push(server.close);
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => sendRequest(server.baseUrl, '/plot/110/series.svg')),
    );
    expect(new Set(replies.map(({ status, body }) => status + body)).size).toBe(1);
    expect(outcomes.filter((outcome) => outcome === 'miss')).toHaveLength(1);
    expect(replies[0]?.headers['cache-control']).toMatch(/max-age=60\b/);
    const unknown = await sendRequest(server.baseUrl, '/plot/110,99999/rose.svg');
    expect(unknown.body).toMatch(/>[^<]*99999[^<]*<\/text>/);
  });

  it('the server draws a picture of 12 stations without a warning of Node', async () => {
    const warnings: string[] = [];
    const take = ({ message }: Error) => warnings.push(message);
    process.on('warning', take);
    closers.push(async () => void process.off('warning', take));
    const { get } = await setUp(simulatedService(() => NOW));
    const { status } = await get('110,603,832,1500,41,2,3,12,17,19,33,43/rose.svg?start=1d');
    expect({ status, warnings }).toEqual({ status: 200, warnings: [] });
  });

  it('the cache of pictures shares a picture between relative and absolute dates of the same period, whatever unknown arguments there are', async () => {
    const { front, get } = await setUp();
    await get('110/series.svg');
    await get('110/series.svg?start=2024-01-14T12:00Z&stop=now&t=1&ts=2');
    await get('110/series.svg?v=3');
    expect(front.outcomes.get('hit')).toBe(2);
    await get('110/rose.svg?start=7d&where=hour%20in%2010..18');
    await get('110/rose.svg?start=7d&where=hour+in+10..18');
    expect(front.outcomes.get('hit')).toBe(3);
    const other = await get('110/rose.svg?start=7d&where=hour+in+10..17');
    expect(other.body).toContain('hour in 10..17');
  });

  it('the server lets clients keep a picture of an open period for a minute, and of a closed period for a day', async () => {
    const { get } = await setUp();
    const open = await get('110/series.svg');
    expect(open.headers['cache-control']).toMatch(/^public, max-age=60, stale/);
    const closed = await get('110/series.svg?start=2023-12-01&stop=2023-12-02');
    expect(closed.headers['cache-control']).toMatch(/^public, max-age=86400, stale/);
    expect(closed.headers['x-accel-expires']).toBe('86400');
    const etag = closed.headers.etag as string;
    const again = await get('110/series.svg?start=2023-12-01&stop=2023-12-02', {
      'if-none-match': etag,
    });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('the server serves the last picture for as long as --stale while the service is down, and says that the picture is stale', async () => {
    const { get, clock, upstream } = await setUp();
    const { body } = await get('110/series.svg?units=kn&minute=1');
    await upstream.kill();
    clock.advance(3_600_000);
    const stale = await get('110/series.svg?minute=2&units=kn');
    expect([stale.status, stale.body]).toEqual([200, body]);
    expect(stale.headers).toMatchObject({ age: '3600', warning: '110 - "Response is Stale"' });
    expect(body).toContain('to 2024-01-15 12:00');
    expect((await get('110/series.svg')).status).toBe(503);
    clock.advance(86_400_000);
    expect((await get('110/series.svg?units=kn')).status).toBe(503);
    await upstream.revive();
    clock.advance(60_000);
    expect((await get('110/series.svg?units=kn')).status).toBe(200);
  });

  it('the server serves the last picture after a second while the service hangs, and the next one once the service responds', async () => {
    const { get, clock, upstream } = await setUp();
    const { body } = await get('110/series.svg');
    upstream.hold();
    clock.advance(3_600_000);
    const stale = await get('110/series.svg');
    expect([stale.status, stale.body]).toEqual([200, body]);
    expect(stale.headers).toMatchObject({ age: '3600', warning: '110 - "Response is Stale"' });
    upstream.release();
    await until(async () => (await get('110/series.svg')).body.includes('to 2024-01-15 13:00'));
  });

  it('the server shows the new name of a station in a picture of a closed period within a day', async () => {
    let name = 'Old name';
    const { get, clock } = await setUp({
      ...fixtureService,
      async liveAll(options) {
        const { data, ...head } = await fixtureService.liveAll(options);
        return { ...head, data: data.map((one) => ({ ...one, meta: { ...one.meta, name } })) };
      },
    });
    const picture = () => get('110/series.svg?start=2023-12-01&stop=2023-12-02');
    expect((await picture()).body).toContain('Old name');
    name = 'New name';
    clock.advance(86_400_000);
    expect((await picture()).body).toContain('New name');
  });

  it('the server compresses SVG pictures for gzip clients', async () => {
    const { get } = await setUp();
    const { headers } = await get('110/series.svg', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
  });
});

describe('many pictures requested at once', () => {
  const picture = (index: number) =>
    `110/series.svg?start=2023-12-01&stop=2023-12-01T03&width=${300 + index}`;
  const addressOf = (index: number) => ({ 'x-forwarded-for': `192.0.2.${index}` });

  it('of many pictures requested at once, those beyond the 66 that the queue can contain are refused, and the others are drawn', async () => {
    const { get, upstream, front } = await setUp();
    const most = 66;
    await get('110/series.svg?width=200');
    upstream.hold();
    const requested = Array.from({ length: 70 }, (_, index) =>
      get(picture(index), addressOf(index)),
    );
    await until(() => front.outcomes.get(undefined) === 70 - most);
    upstream.release();
    const replies = await Promise.all(requested);
    const refused = replies.filter(({ status }) => status === 503);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(most);
    expect(refused).toHaveLength(70 - most);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('many pictures of a slow service for one client leave room for the pictures of others', async () => {
    const { get, upstream } = await setUp();
    await get('7/series.svg?start=2023-12-01&stop=2023-12-02');
    upstream.hold();
    const slow = Array.from({ length: 8 }, (_, index) => get(picture(index), addressOf(0)));
    await until(() => upstream.arrivals.some(({ url }) => url.startsWith('/v1/archive/110')));
    const other = await get('7/rose.svg?start=2023-12-01&stop=2023-12-02', addressOf(1));
    expect(other.status).toBe(200);
    const requested = get('41/series.svg?start=2023-12-01&stop=2023-12-02', addressOf(2));
    await until(() => upstream.arrivals.some(({ url }) => url.startsWith('/v1/archive/41')));
    upstream.release();
    expect((await requested).status).toBe(200);
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  });

  it('pictures whose clients left are not drawn, so that the pictures of others are', async () => {
    const { upstream, front, get } = await setUp();
    await get('110/series.svg?width=200');
    upstream.hold();
    const leaving = await Promise.all(Array.from({ length: 52 }, () => openRaw(front.baseUrl)));
    for (const [index, { send }] of leaving.entries()) {
      send(requestBytes(`/plot/${picture(index)}`, addressOf(index)));
    }
    await until(() => front.begun() === 53);
    for (const { socket } of leaving) socket.destroy();
    await until(() => front.outcomes.get(undefined) === 52);
    const other = get('7/series.svg?start=2023-12-01&stop=2023-12-02');
    await until(() => upstream.arrivals.some(({ url }) => url.startsWith('/v1/archive/7')));
    upstream.release();
    expect((await other).status).toBe(200);
    expect(front.outcomes.get('miss')).toBe(2);
    expect(front.defects).toEqual([]);
  });

  it('pictures in the queue are refused when the server stops, so that it ends at once', async () => {
    const { front, get } = await setUp();
    const requested = Array.from({ length: 12 }, (_, index) =>
      get(`110/calendar.png?width=${900 + index}`, addressOf(index)),
    );
    await until(() => front.begun() === 12);
    await front.close(600_000);
    closers.pop();
    const statuses = (await Promise.all(requested)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(8);
    expect(front.defects).toEqual([]);
  });

  it('many pictures of one closed period request its readings from the service once', async () => {
    const { get, upstream } = await setUp();
    for (const kind of KINDS_OF_PERIODS)
      await get(`110/${kind}.svg?start=2023-11-20&stop=2023-12-20`);
    const archives = upstream.arrivals.filter(({ url }) => url.includes('/archive/'));
    expect(new Set(archives.map(({ url }) => url)).size).toBe(archives.length);
  });
});

describe('a PNG picture', () => {
  const draw = createPngRenderer();
  const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
  const svg = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${content}</svg>`;

  it('a PNG picture has the width and height that its query names, and is not compressed for gzip clients', async () => {
    const { front } = await setUp();
    const response = await fetch(`${front.baseUrl}/plot/41/series.png?width=300&height=450`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-encoding')).toBeNull();
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(sizeOf(png)).toEqual([300, 450]);
  });

  it('a PNG picture of the server shows text', async () => {
    const [empty, full] = await Promise.all([
      draw(svg('')),
      draw(svg('<text x="10" y="50" style="font:20px \'DejaVu Sans\'">Wind</text>')),
    ]);
    expect(full.length).toBeGreaterThan(empty.length + 100);
  });

  it('a PNG picture leaves the thread of the server free while it is drawn', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const many = '<circle cx="50" cy="50" r="40" opacity=".1"/>'.repeat(100);
    await draw(svg(many));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });

  it('a PNG picture is drawn by a new thread after another PNG failed, and after that thread died', async () => {
    await expect(draw('<svg')).rejects.toThrow();
    const started = once(process, 'worker');
    expect(sizeOf(await draw(svg('')))).toEqual([200, 100]);
    const [thread] = (await started) as [Worker];
    await thread.terminate();
    expect(sizeOf(await draw(svg('')))).toEqual([200, 100]);
  });
});
