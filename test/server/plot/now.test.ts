import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/domain/dates.ts';
import type { StationService } from '../../../src/service/service.ts';
import { fixtureService, UNKNOWN_STATION } from '../../support/fixture-service.ts';
import { startFront, startUpstream } from '../../support/fronts.ts';
import { handClock } from '../../support/hand-clock.ts';
import { sendRequest } from '../../support/http.ts';
import { checkXml } from '../../support/strictXml.ts';
import { until } from '../../support/until.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(service: StationService = fixtureService) {
  const clock = handClock();
  const upstream = await startUpstream(clock, service);
  const front = await startFront(upstream.baseUrl, { clock });
  closers.push(upstream.close, front.close);
  const get = (path: string, headers = {}, method = 'GET') =>
    sendRequest(front.baseUrl, path, { headers, method });
  const archives = () => upstream.arrivals.filter(({ url }) => url.includes('/archive/'));
  return { clock, upstream, front, get, archives };
}

const CACHE_HEADERS = ['cache-control', 'age', 'last-modified', 'x-accel-expires', 'warning'];
const cacheHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(CACHE_HEADERS.map((name) => [name, headers[name]]));

/** The texts that a picture shows. */
const textsOf = (svg: string): string[] =>
  Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text = '']) => text);

describe('GET /plot/<station>/now', () => {
  it('draws the latest measurement in the unit and zone of its query', async () => {
    const { get } = await setUp();
    const { status, headers, body } = await get(
      '/plot/110/now.svg?units=kn&tz=Europe/Paris&width=220',
    );
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    checkXml(body);
    expect(textsOf(body)).toEqual(
      expect.arrayContaining(['WNW 293°', '10', 'gust 15 kn', 'just now', '13:00']),
    );
  });

  it.each([
    ['', [300, 300]],
    ['?width=60', [60, 60]],
    ['?height=75', [75, 75]],
    ['?width=120&height=60', [120, 60]],
  ])('%s has the size %j', async (query, size) => {
    const { get } = await setUp();
    const { body } = await get(`/plot/110/now.svg${query}`);
    expect(
      body
        .match(/width="(\d+)" height="(\d+)"/)
        ?.slice(1)
        .map(Number),
    ).toEqual(size);
  });

  it.each([
    ['width=59', 'width'],
    ['start=1d', 'start'],
    ['stop=now', 'stop'],
    ['where=avg+%3E', 'where'],
    ['where=distance+%3C+5km', 'distance'],
    ['mark=15kn', 'mark'],
    ['value=gust', 'value'],
  ])('responds with 400 to %s, and names the argument', async (query, name) => {
    const { get } = await setUp();
    const { status, body } = await get(`/plot/110/now.svg?${query}`);
    expect([status, JSON.parse(body).error_code]).toEqual([400, 'invalid_argument']);
    expect(JSON.parse(body).error_message).toContain(name);
  });

  it('responds with 404 to an unknown station, with a sentence as a picture', async () => {
    const { get, archives } = await setUp();
    const { status, body } = await get(`/plot/${UNKNOWN_STATION}/now.svg?width=150`);
    expect([status, archives()]).toEqual([404, []]);
    checkXml(body);
  });

  it.each(['svg', 'png'])(
    'has the cache headers of live data as %s, and responds to HEAD',
    async (format) => {
      const { get, clock } = await setUp();
      await get('/v1/live/110');
      clock.advance(20_000);
      const live = await get('/v1/live/110');
      const dial = await get(`/plot/110/now.${format}?width=60`);
      expect(cacheHeaders(dial.headers)).toEqual(cacheHeaders(live.headers));
      expect(dial.headers.age).toBe('20');
      const head = await get(`/plot/110/now.${format}?width=60`, {}, 'HEAD');
      expect([head.status, head.body, head.headers.etag]).toEqual([200, '', dial.headers.etag]);
      const known = await get(`/plot/110/now.${format}?width=60`, {
        'if-none-match': dial.headers.etag as string,
      });
      expect(known.status).toBe(304);
    },
  );

  it('costs the service no request of its own beside the page with its series: one archive a minute for all clients', async () => {
    const { get, clock, upstream, archives } = await setUp();
    const sizes = Array.from({ length: 20 }, (_, index) => 60 + index);
    for (let minute = 1; minute <= 3; minute++) {
      await Promise.all([
        ...sizes.map((size) => get(`/plot/110/now.svg?width=${size}`)),
        get('/plot/110/series.svg'),
      ]);
      expect(archives()).toHaveLength(minute);
      expect(upstream.arrivals.length - archives().length).toBeLessThanOrEqual(minute);
      clock.advance(MINUTE_MS);
    }
  });

  it('draws the dial without the directions of the last hour when the archive fails', async () => {
    const { get, archives } = await setUp({
      ...fixtureService,
      archive: () => Promise.reject(new Error('The archive is broken.')),
    });
    const { status, headers, body } = await get('/plot/110/now.svg');
    expect(status).toBe(200);
    expect(textsOf(body)).toContain('19');
    expect(body).toContain('(c) contributors');
    expect(headers['cache-control']).toMatch(/max-age=60\b/);
    expect(archives().length).toBeGreaterThan(0);
    expect((await get('/plot/110/series.svg')).status).toBe(503);
  });

  it('draws the dial without waiting long for an archive that hangs', async () => {
    const { get, upstream, archives } = await setUp();
    await get('/v1/live/110');
    upstream.hold();
    const dial = get('/plot/110/now.svg');
    await until(() => archives().length === 1);
    expect((await dial).status).toBe(200);
  });

  it('turns grey while the service is down, with the headers of stale live data', async () => {
    const { get, clock, upstream } = await setUp();
    expect(textsOf((await get('/plot/110/now.svg')).body)).toContain('19');
    await upstream.kill();
    clock.advance(10 * MINUTE_MS);
    const { status, headers, body } = await get('/plot/110/now.svg');
    expect([status, textsOf(body).includes('10 min ago')]).toEqual([200, true]);
    expect(headers).toMatchObject({ age: '600', warning: '110 - "Response is Stale"' });
    clock.advance(36 * MINUTE_MS);
    const texts = textsOf((await get('/plot/110/now.svg')).body);
    expect([texts.includes('old'), texts.includes('19')]).toEqual([true, false]);
    clock.advance(24 * 60 * MINUTE_MS);
    expect((await get('/plot/110/now.svg')).status).toBe(503);
  });

  it('colours the dial while its condition holds', async () => {
    const { get } = await setUp();
    const isHeld = async (where: string) =>
      (await get(`/plot/110/now.svg?width=60&where=${encodeURIComponent(where)}`)).body.includes(
        '<path class="held"',
      );
    expect(await isHeld('avg in 8..12kn and state = on')).toBe(true);
    expect(await isHeld('avg > 12kn')).toBe(false);
    expect(await isHeld('hour in 12..14 and trend > -90kn')).toBe(true);
  });

  it('draws the dials of several stations, and one 404 for an unknown one among them', async () => {
    const { get } = await setUp();
    const { status, body } = await get('/plot/110,7,1333/now.svg?width=600');
    expect(status).toBe(200);
    expect(textsOf(body)).toEqual(expect.arrayContaining(['19', 'off', 'old', 'Dune du Pilat']));
    expect((await get(`/plot/110,${UNKNOWN_STATION}/now.svg`)).status).toBe(404);
  });
});
