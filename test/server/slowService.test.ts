import { afterEach, expect, it } from 'vitest';
import { type FrontOptions, startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { sendRequest } from '../support/http.ts';
import { openRaw, requestBytes } from '../support/raw-connection.ts';
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
  return { upstream, front };
}

it.each(['/v1/live/110', '/v1/archive/110?start=2023-12-01&stop=2023-12-02', '/plot/110/rose.svg'])(
  'the server responds to %s with 503 and Retry-After if its service does not respond in time, and has the data later',
  async (target) => {
    const { upstream, front } = await setUp({ responseTimeoutMs: 500 });
    upstream.hold();
    const { status, headers, body } = await sendRequest(front.baseUrl, target);
    expect([status, JSON.parse(body).error_code]).toEqual([503, 'upstream_unavailable']);
    expect(headers).toMatchObject({ 'retry-after': '10', 'access-control-allow-origin': '*' });
    upstream.release();
    await until(async () => (await sendRequest(front.baseUrl, target)).status === 200);
    const urls = upstream.arrivals.map(({ url }) => url);
    expect(urls).toEqual([...new Set(urls)]);
    expect(front.defects).toEqual([]);
  },
);

it('an archive that waits for a slow service is not requested after its clients left', async () => {
  const { upstream, front } = await setUp({ concurrency: 1 });
  const archive = (station: number, day: number) =>
    `/v1/archive/${station}?start=2023-0${day}-01&stop=2023-0${day}-02`;
  upstream.hold();
  const first = sendRequest(front.baseUrl, archive(110, 1));
  await until(() => upstream.arrivals.length === 1);
  const leaving = await Promise.all([2, 3, 4, 5].map(() => openRaw(front.baseUrl)));
  for (const [index, { send }] of leaving.entries()) send(requestBytes(archive(110, index + 2)));
  await until(() => front.begun() === 5);
  for (const { socket } of leaving) socket.destroy();
  await until(() => front.outcomes.get(undefined) === 4);
  const last = sendRequest(front.baseUrl, archive(603, 6));
  await until(() => front.begun() === 6);
  upstream.release();
  expect([(await first).status, (await last).status]).toEqual([200, 200]);
  expect(upstream.arrivals.map(({ url }) => url.split('?')[0])).toEqual([
    '/v1/archive/110',
    '/v1/archive/603',
  ]);
  expect(front.defects).toEqual([]);
});
