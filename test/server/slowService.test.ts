import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type FrontOptions, startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { ask } from '../support/http.ts';
import { until } from '../support/until.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(options: Partial<FrontOptions> = {}) {
  const clock = handClock();
  const upstream = await startUpstream(clock);
  const front = await startFront(upstream.baseUrl, { clock, timeoutMs: 600_000, ...options });
  closers.push(upstream.close, front.close);
  return { clock, upstream, front };
}

it.each(['/v1/live/110', '/v1/archive/110?start=2023-12-01&stop=2023-12-02', '/plot/110/rose.svg'])(
  '%s of a service that does not answer is 503 with Retry-After after 50 s, and the data come later',
  async (target) => {
    const { clock, upstream, front } = await setUp();
    upstream.hold();
    const asked = ask(front.baseUrl, target);
    await until(() => upstream.arrivals.length === 1 && clock.sleepers > 0);
    clock.advance(49_999);
    expect(await Promise.race([asked, turn('none')])).toBe('none');
    clock.advance(1);
    const { status, headers, body } = await asked;
    expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
    expect(headers).toMatchObject({ 'retry-after': '10', 'access-control-allow-origin': '*' });
    const again = ask(front.baseUrl, target);
    upstream.release();
    expect((await again).status).toBe(200);
    const urls = upstream.arrivals.map(({ url }) => url);
    expect(urls).toEqual([...new Set(urls)]);
    expect(clock.sleepers).toBe(0);
  },
);
