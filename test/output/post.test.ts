import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { UnavailableError } from '../../src/errors.ts';
import { createPoster } from '../../src/output/post.ts';
import { NOW } from '../support/fixture-service.ts';
import { type HookReply, startHookServer } from '../support/hook-server.ts';
import { naming } from '../support/naming.ts';
import { until } from '../support/until.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const MINUTE = 60_000;
const MAX_RETRY_MS = 10 * MINUTE;
const SECRET = '/bot123:secret/send?chat=secret';

/** A poster to a server with these responses, in the time of a virtual clock. */
async function posting(
  reply: (arrival: number) => HookReply,
  { timeoutMs = 30_000, proxyEnv = {} } = {},
) {
  let isIdle = (): boolean => true;
  const clock = virtualClock(NOW, () => isIdle());
  const server = await startHookServer(reply, clock.now);
  isIdle = server.isIdle;
  closers.push(() => server.close());
  const troubles: string[] = [];
  const log: string[] = [];
  const poster = createPoster({
    ...{ url: server.baseUrl + SECRET, noun: 'event', timeoutMs, userAgent: 'vane/0' },
    ...{ now: clock.now, sleep: clock.sleep, random: () => 0.5, proxyEnv },
    onTrouble: (sentence) => troubles.push(sentence.replace(server.baseUrl, 'ORIGIN')),
    log: (line) => log.push(line.replace(server.baseUrl, 'ORIGIN')),
  });
  /** Ends the posting; the error about lost documents joins the troubles. */
  const close = (): Promise<void> =>
    clock.run(poster.close()).catch((error: UnavailableError) => {
      troubles.push(error.message.replace(server.baseUrl, 'ORIGIN'));
    });
  closers.push(close);
  return {
    ...{ clock, server, poster, close, troubles, log },
    post: (...bodies: string[]) =>
      poster.post(bodies.map((body) => ({ headers: { 'x-secret': 'header' }, body }))),
    pass: (ms: number) => clock.run(clock.sleep(ms)),
    arrived: () => server.posted.map(({ body }) => body).join(''),
    /** Seconds since the start at which requests arrived. */
    times: () => server.posted.map(({ atMs }) => (atMs - NOW) / 1000),
  };
}

/** The responses of a list in turn, then 200. */
const inTurn =
  (...replies: HookReply[]) =>
  (arrival: number): HookReply =>
    replies[arrival] ?? 200;

describe('a document to post', () => {
  it('a document of --post is posted with its headers', async () => {
    const { post, pass, server, log } = await posting(inTurn());
    post('a');
    await pass(1000);
    expect(server.posted).toMatchObject([
      { method: 'POST', path: SECRET, body: 'a', headers: { 'x-secret': 'header' } },
    ]);
    expect(log).toEqual(['POST ORIGIN 200, 0 ms']);
  });

  it.each<[string, HookReply]>([
    ['status 500', 500],
    ['status 503', 503],
    ['status 429', 429],
    ['a broken connection', 'reset'],
  ])('a document of --post is posted again after %s, before later documents', async (_, fault) => {
    const { post, pass, arrived, troubles } = await posting(inTurn(fault, fault, fault, 204));
    post('a', 'b');
    post('c');
    await pass(MINUTE);
    expect(arrived()).toBe('aaaabc');
    expect(troubles).toEqual([]);
  });

  it.each(['dribble', 'flood'] as const)(
    'a document of --post counts as posted once the head of the response came, even if the body of the response never ends (%s)',
    async (reply) => {
      const { post, arrived, troubles, server } = await posting(() => reply);
      post(...'a'.repeat(100));
      await until(() => arrived() === 'a'.repeat(100));
      expect(troubles).toEqual([]);
      // Five, and some whose end the server has not seen yet.
      expect(server.connections.maxOpen).toBeLessThan(20);
    },
  );

  it.each([
    ['as soon as its response is too long', 'flood', 30_000],
    ['after the timeout if its response goes on', 'dribble', 200],
  ] as const)('a document of --post has its connection closed %s', async (_, reply, timeoutMs) => {
    const { post, server } = await posting(() => reply, { timeoutMs });
    post('a');
    await until(() => server.posted.length === 1 && server.connections.open === 0);
  });

  it('a document of --post is posted again with waits that grow to half a minute', async () => {
    const { post, pass, times } = await posting(() => 500);
    post('a');
    await pass(2 * MINUTE);
    expect(times()).toEqual([0, 1, 2, 3, 5, 9, 17, 32, 47, 62, 77, 92, 107]);
  });

  it('a document of --post is posted again after the time of Retry-After, but after a second at least', async () => {
    const wait = (seconds: number): HookReply => [429, { 'retry-after': String(seconds) }];
    const { post, pass, times } = await posting(inTurn(wait(400), wait(0), wait(0)));
    post('a');
    await pass(MAX_RETRY_MS);
    expect(times()).toEqual([0, 400, 401, 402]);
  });

  it('a document of --post is given up at once for a Retry-After of more than ten minutes', async () => {
    const { post, pass, arrived, troubles } = await posting(
      inTurn([503, { 'retry-after': '601' }]),
    );
    post('a');
    await pass(1000);
    post('b');
    await pass(1000);
    expect(arrived()).toBe('ab');
    expect(troubles).toEqual([expect.stringMatching(naming('1 event', 'ORIGIN', 503))]);
  });

  it('a document of --post is given up after ten minutes of failures, with one message for all documents', async () => {
    const { post, pass, server, troubles } = await posting(() => 500);
    post('a', 'b');
    await pass(MAX_RETRY_MS + 1);
    const attempts = server.posted.length;
    expect(server.posted.at(-1)?.atMs).toBeLessThanOrEqual(NOW + MAX_RETRY_MS);
    expect(server.posted.at(-1)?.atMs).toBeGreaterThan(NOW + MAX_RETRY_MS - MINUTE);
    expect(troubles).toEqual([expect.stringMatching(naming('2 events', 'ORIGIN', 500))]);
    await pass(MAX_RETRY_MS);
    expect(server.posted.length).toBe(attempts);
  });

  it('a document of --post is given up after ten minutes without a response, and the next document follows', async () => {
    const { post, pass, arrived, times, troubles } = await posting(inTurn('hang'));
    post('a');
    await pass(MINUTE);
    post('b');
    await pass(MAX_RETRY_MS);
    expect(arrived()).toBe('ab');
    expect(times()).toEqual([0, 600]);
    expect(troubles).toEqual([expect.stringMatching(naming('1 event', 'ORIGIN', 'no response'))]);
  });

  it.each([400, 401, 404, 410])(
    'a document of --post is given up at once after status %i',
    async (status) => {
      const { post, pass, arrived, troubles } = await posting(inTurn(status));
      post('a', 'b');
      await pass(MINUTE);
      expect(arrived()).toBe('ab');
      expect(troubles).toEqual([expect.stringMatching(naming('1 event', 'ORIGIN', status))]);
    },
  );

  it.each([301, 302, 307, 308])(
    'a document of --post is not posted to the address that a redirect of status %i names',
    async (status) => {
      const other = await startHookServer();
      closers.push(() => other.close());
      const location = `${other.baseUrl}/token-of-another`;
      const { post, pass, server, troubles } = await posting(() => [status, { location }]);
      post('a');
      await pass(MINUTE);
      expect([server.posted.length, other.posted.length]).toEqual([1, 0]);
      expect(troubles).toEqual([
        expect.stringMatching(naming('1 event', 'ORIGIN', status, 'redirect', other.baseUrl)),
      ]);
    },
  );

  it('a document of --post is posted over a connection that stays open between documents', async () => {
    const { poster, server } = await posting(() => [200, { connection: 'keep-alive' }]);
    poster.post([...'abcdefgh'].map((body) => ({ headers: {}, body })));
    await expect.poll(() => server.posted.length, { timeout: 20_000 }).toBe(8);
    // The next one may begin while the body of a response is still under way.
    expect(new Set(server.posted.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
  });

  it('a document of --post is posted through the proxy that the environment names', async () => {
    const proxy = await startHookServer();
    closers.push(() => proxy.close());
    const { poster } = await posting(() => 200, {
      proxyEnv: { http_proxy: proxy.baseUrl },
    });
    poster.post([{ headers: { title: 'x' }, body: 'a' }]);
    await expect.poll(() => proxy.posted.length, { timeout: 20_000 }).toBe(1);
    expect(proxy.posted[0]).toMatchObject({ method: 'POST', body: 'a', headers: { title: 'x' } });
    expect(proxy.posted[0]?.path).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/bot123:secret/);
  });
});

it('documents of --post are posted in order and never over ten minutes late, whatever the server does', async () => {
  const fault = fc.constantFrom<HookReply>(
    ...[200, 200, 500, 'reset' as const, 'hang' as const, 404],
    [429, { 'retry-after': '90' }],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 12 }), async (replies) => {
      const { post, pass, server, close, clock } = await posting(inTurn(...replies));
      const postedAt = new Map<string, number>();
      for (let number = 0; number < 6; number++) {
        const body = String(number);
        postedAt.set(body, clock.now());
        post(body);
        await pass(3 * MINUTE);
      }
      await close();
      const bodies = server.posted.map(({ body }) => body);
      expect(bodies).toEqual(bodies.toSorted());
      const delays = server.posted.map(({ body, atMs }) => atMs - (postedAt.get(body) ?? 0));
      expect(Math.max(0, ...delays)).toBeLessThanOrEqual(MAX_RETRY_MS);
      await server.close();
      closers.splice(0);
    }),
    { numRuns: 15 },
  );
});

describe('documents that wait to be posted', () => {
  it('at most 1,000 documents of --post wait: the oldest are dropped, and one message says so', async () => {
    const { post, pass, server, troubles } = await posting(inTurn('hang', 200, 200, 'hang'));
    post('first');
    await pass(1000);
    post(...Array.from({ length: 1500 }, (_, number) => `${number} `));
    expect(troubles).toEqual([expect.stringMatching(naming('501 events', 'ORIGIN', 1000))]);
    await pass(MAX_RETRY_MS - 500);
    const bodies = server.posted.map(({ body }) => body);
    expect(bodies).toEqual(['first', '501 ', '502 ', '503 ']);
  });

  it('documents of --post that wait are still posted when the watch ends', async () => {
    const { post, close, arrived, troubles } = await posting(inTurn(500, 500));
    post('a', 'b');
    await close();
    expect([arrived(), troubles]).toEqual(['aaab', []]);
  });

  it('documents of --post that wait are given up ten seconds after the watch ends', async () => {
    const { post, close, clock, server, troubles } = await posting(() => 'hang');
    post('a', 'b');
    await close();
    expect(clock.now()).toBe(NOW + 10_000);
    expect(server.posted.length).toBe(1);
    expect(troubles).toEqual([expect.stringMatching(naming('2 events', 'ORIGIN', 'no response'))]);
  });
});

it('documents of --post that were given up earlier are counted once more when the watch ends', async () => {
  const { post, pass, close, troubles } = await posting(inTurn(404, 200, 410));
  post('a', 'b', 'c');
  await pass(MINUTE);
  troubles.splice(0);
  await close();
  expect(troubles).toEqual([expect.stringMatching(naming('2 events', 'ORIGIN', 410))]);
});

it('messages and the log hide the path and query of the address of --post', async () => {
  const replies: HookReply[] = [500, 'reset', [301, { location: SECRET }], 404, 'hang'];
  const { post, pass, close, troubles, log } = await posting(inTurn(...replies));
  for (const body of 'abcd') {
    post(body);
    await pass(MINUTE);
  }
  await close();
  expect(log.length).toBeGreaterThan(3);
  expect(troubles.length).toBeGreaterThan(1);
  expect([...log, ...troubles].join('\n')).not.toMatch(/secret|bot123/);
});
