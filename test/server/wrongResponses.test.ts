import { afterEach, describe, expect, it } from 'vitest';
import { MAX_PERIOD_MS } from '../../src/domain/period.ts';
import { FAULTS, type Fault } from '../support/faulty-server.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';
import { type FrontOptions, startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { sendRequest } from '../support/http.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Cache-Control of a response that should not change any more. */
const FOR_A_DAY = 'public, max-age=86400';
const CLOSED = '/v1/archive/110?start=2023-12-01&stop=2023-12-02';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(options: Partial<FrontOptions> = {}, service = fixtureService) {
  const clock = handClock();
  const upstream = await startUpstream(clock, service);
  closers.push(upstream.close);
  const front = await startFront(upstream.baseUrl, { clock, ...options });
  closers.push(front.close);
  await sendRequest(front.baseUrl, '/v1/live/110');
  const archives = () => upstream.arrivals.filter(({ url }) => url.includes('archive')).length;
  return { clock, upstream, front, baseUrl: front.baseUrl, archives };
}

const withRows =
  (rows: readonly unknown[]): Fault =>
  (response, truth) =>
    FAULTS.none(response, {
      ...truth,
      body: JSON.stringify({ ...JSON.parse(truth.body), data: rows }),
    });

const rowAt = (time: string) => [time, 1, 1, 1, 1, 1, 90, null];

/** How long a response may be kept by anybody, seconds. */
function maxAge(headers: Readonly<Record<string, string | undefined>>): number {
  return Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0);
}

const rowsOf = (body: string): number => JSON.parse(body).data.length;

describe('serve --upstream, given archive responds without rows,', () => {
  it('serve --upstream caches an archive response without rows for at most 60 s', async () => {
    const { clock, upstream, baseUrl, archives } = await setUp();
    upstream.behave(withRows([]));
    for (const ageMs of [0, 30_000]) {
      const { status, headers, body } = await sendRequest(baseUrl, CLOSED);
      expect([status, rowsOf(body), maxAge(headers)]).toEqual([200, 0, 60]);
      expect(headers.age).toBe(String(ageMs / 1000));
      clock.advance(30_000);
    }
    expect(archives()).toBe(1);
    upstream.behave('none');
    // Wait until the response is on disk.
    await until(async () => rowsOf((await sendRequest(baseUrl, CLOSED)).body) === 288);
    expect((await sendRequest(baseUrl, CLOSED)).headers['cache-control']).toBe(FOR_A_DAY);
    expect(archives()).toBe(2);
  });

  it('serve --upstream lets no client keep a response for a day if the service sent no rows for half of the period', async () => {
    const { upstream, baseUrl } = await setUp();
    upstream.behave((response, truth) =>
      truth.body.includes('2023-12-1')
        ? FAULTS.none(response, truth)
        : withRows([])(response, truth),
    );
    const { headers } = await sendRequest(
      baseUrl,
      '/v1/archive/110?start=2023-11-20&stop=2023-11-28',
    );
    expect(maxAge(headers)).toBe(60);
  });

  it('serve --upstream lets clients keep a response without rows for a day if the 31-day chunk around its period has rows', async () => {
    const { upstream, baseUrl } = await setUp();
    upstream.behave(withRows([rowAt('2023-12-10T00:00:00.000Z')]));
    const { headers, body } = await sendRequest(baseUrl, CLOSED);
    expect([rowsOf(body), headers['cache-control']]).toEqual([0, FOR_A_DAY]);
  });
});

describe('serve --upstream, given archive rows from outside the requested period,', () => {
  const foreign = withRows([rowAt('2019-01-01T00:00:00.000Z'), rowAt('2031-01-01T00:00:00.000Z')]);

  it.each([
    ['weeks', CLOSED],
    ['hours', '/v1/archive/110?start=2024-01-15&stop=2024-01-15T06'],
  ])(
    'serve --upstream responds with 503 and caches nothing if no archive row of the service lies in the period, which ended %s ago',
    async (_, target) => {
      const { clock, upstream, front, baseUrl, archives } = await setUp();
      upstream.behave(foreign);
      for (let times = 0; times < 3; times++) {
        const { status, headers, body } = await sendRequest(baseUrl, target);
        expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
        expect(headers['cache-control']).toBe('no-store');
      }
      // Remembered like other failures.
      expect(archives()).toBe(1);
      upstream.behave('none');
      clock.advance(5000);
      const { status, body } = await sendRequest(baseUrl, target);
      expect([status, rowsOf(body) > 0, front.defects]).toEqual([200, true, []]);
    },
  );

  it('serve --upstream responds with 200 without rows if the only archive row is exactly at the end of the 31-day chunk', async () => {
    const { upstream, baseUrl } = await setUp();
    const stop = new Date(Math.floor(NOW / MAX_PERIOD_MS) * MAX_PERIOD_MS).toISOString();
    upstream.behave(withRows([rowAt(stop)]));
    const { status, body } = await sendRequest(baseUrl, CLOSED);
    expect([status, rowsOf(body)]).toEqual([200, 0]);
  });
});

it.each([{ 'cache-control': 'no-cache' }, { pragma: 'no-cache' }])(
  'serve --upstream requests data no more often for clients that send %o',
  async (headers) => {
    const { upstream, baseUrl } = await setUp();
    const open = '/v1/archive/110?start=2024-01-15&stop=2024-01-15T06';
    for (const target of ['/v1/live/110', open, CLOSED]) {
      for (let times = 0; times < 3; times++) {
        expect((await sendRequest(baseUrl, target, { headers })).status).toBe(200);
      }
    }
    expect(upstream.arrivals).toHaveLength(3);
  },
);

describe('serve --upstream whose clock is wrong', () => {
  const dated =
    (ms: () => number): Fault =>
    (response, { status, contentType, body }) => {
      const date = new Date(ms()).toUTCString();
      response.writeHead(status, { 'content-type': contentType, date }).end(body);
    };
  /** In the window that is open by the clock of the service. */
  const RECENT = '/v1/archive/110?start=2024-01-10&stop=2024-01-11';

  it.each([
    ['after an earlier response', true],
    ['at the first response', false],
  ])(
    'serve --upstream lets clients keep an archive for a day only if its period is over by the Date header of the service, with a clock 40 days ahead, %s',
    async (_, isRequested) => {
      const clock = handClock(NOW + 40 * DAY);
      const upstream = await startUpstream(clock);
      closers.push(upstream.close);
      upstream.behave(dated(() => clock.now() - 40 * DAY));
      const front = await startFront(upstream.baseUrl, { clock });
      closers.push(front.close);
      if (isRequested) await sendRequest(front.baseUrl, '/v1/live/110');
      const { headers } = await sendRequest(front.baseUrl, RECENT);
      expect(maxAge(headers)).toBe(60);
      const before = upstream.arrivals.length;
      clock.advance(MINUTE);
      expect(maxAge((await sendRequest(front.baseUrl, RECENT)).headers)).toBe(60);
      expect(upstream.arrivals).toHaveLength(before + 1);
      expect((await sendRequest(front.baseUrl, CLOSED)).headers['cache-control']).toBe(FOR_A_DAY);
    },
  );

  it.each([
    ['a minute', MINUTE],
    ['two days', 2 * DAY],
    ['400 days', 400 * DAY],
  ] as const)(
    'serve --upstream lets no response be cached for more time when its clock is set back by %s',
    async (_, ms) => {
      const { clock, upstream, baseUrl } = await setUp();
      const open = '/v1/archive/110?start=2024-01-15&stop=2024-01-15T06';
      const targets = ['/v1/live/110', '/v1/live/all', '/v1/live-with-meta/110?callback=f', open];
      for (const target of targets) await sendRequest(baseUrl, target);
      clock.advance(-ms);
      const arrived = upstream.arrivals.length;
      for (const target of targets) {
        const { headers } = await sendRequest(baseUrl, target);
        expect([target, maxAge(headers) <= 61]).toEqual([target, true]);
        expect(Number(headers['x-accel-expires'])).toBeLessThanOrEqual(60);
      }
      // And the service gets a request at once, instead of when the clock is where it was.
      await until(() => upstream.arrivals.length > arrived);
    },
  );

  it('serve --upstream serves stale data no longer when its clock is set back while the service fails', async () => {
    const { clock, upstream, front, baseUrl } = await setUp({ staleMs: 10 * MINUTE });
    upstream.behave('status500');
    clock.advance(-2 * DAY);
    const { status, headers } = await sendRequest(baseUrl, '/v1/live/110');
    expect(status).toBe(200);
    expect(Number(headers['x-accel-expires'])).toBeLessThanOrEqual(60);
    await until(() => upstream.arrivals.length >= front.sent());
    clock.advance(10 * MINUTE);
    expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(503);
  });

  it('serve --upstream requests missing data again after its clock was set back', async () => {
    const { clock, upstream, baseUrl } = await setUp({ staleMs: MINUTE });
    upstream.behave('status500');
    clock.advance(2 * MINUTE);
    expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(503);
    upstream.behave('none');
    clock.advance(-2 * DAY);
    expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(200);
  });
});

describe('serve --upstream, given JSON nested thousands of levels deep,', () => {
  const nested =
    (field: RegExp, depth: number, [open, close]: readonly [string, string]): Fault =>
    (response, truth) =>
      FAULTS.none(response, {
        ...truth,
        body: truth.body.replace(
          field,
          (found) => `${found}"odd":${open.repeat(depth)}1${close.repeat(depth)},`,
        ),
      });

  const SHAPES = [5000, 20_000].flatMap((depth) =>
    (
      [
        ['arrays', ['[', ']']],
        ['objects', ['{"a":', '}']],
      ] as const
    ).map(([kind, pair]) => [depth, kind, pair] as const),
  );

  it.each(SHAPES)(
    'serve --upstream responds with 503 to live data nested within %i %s, and reports no internal error',
    async (depth, _, pair) => {
      const clock = handClock();
      const upstream = await startUpstream(clock);
      closers.push(upstream.close);
      const front = await startFront(upstream.baseUrl, { clock });
      closers.push(front.close);
      for (const field of [/^\{/, /"data":\[\{/]) {
        upstream.behave(nested(field, depth, pair));
        for (const target of [
          '/v1/live/110',
          '/v1/live/all',
          '/v1/live-with-meta/all?callback=f',
        ]) {
          const { status, body } = await sendRequest(front.baseUrl, target);
          expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
        }
        clock.advance(MINUTE);
      }
      expect(front.defects).toEqual([]);
    },
  );

  it('serve --upstream keeps serving the previous live data when the service sends JSON nested thousands of levels deep', async () => {
    const { clock, upstream, front, baseUrl } = await setUp();
    upstream.behave(nested(/"data":\[\{/, 5000, ['[', ']']));
    clock.advance(MINUTE);
    expect((await sendRequest(baseUrl, '/v1/live/110')).status).toBe(200);
    let times = 0;
    await until(async () => {
      const { headers } = await sendRequest(baseUrl, `/v1/live/7?callback=f${times++}`);
      return headers.warning !== undefined;
    });
    expect(front.defects).toEqual([]);
  });

  it.each(SHAPES)(
    'serve --upstream responds with 503 to an archive nested within %i %s, and reports no internal error',
    async (depth, _, [open, close]) => {
      const { clock, upstream, front, baseUrl } = await setUp();
      const odd = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const faults: Fault[] = [
        nested(/^\{/, depth, [open, close]),
        (response, truth) =>
          FAULTS.none(response, {
            ...truth,
            body: truth.body
              .replace('"pressure"]', '"pressure","odd"]')
              .replace('"(deprecated)"]', '"(deprecated)","odd"]')
              .replaceAll(',null]', `,null,${odd}]`),
          }),
      ];
      for (const fault of faults) {
        upstream.behave(fault);
        for (const target of [CLOSED, '/v1/archive/110?start=2024-01-15&stop=2024-01-15T00:10']) {
          if (fault === faults[1] && target === CLOSED) continue;
          const { status, body } = await sendRequest(baseUrl, target);
          expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
        }
        clock.advance(MINUTE);
      }
      expect(front.defects).toEqual([]);
    },
  );
});
