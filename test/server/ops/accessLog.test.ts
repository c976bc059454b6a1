import fc from 'fast-check';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { OutputError } from '../../../src/errors.ts';
import type { FinishedRequest } from '../../../src/server/edge/requestHooks.ts';
import { createAccessLog } from '../../../src/server/ops/accessLog.ts';
import { startServer } from '../../../src/server/server.ts';
import { fixtureService, NOW } from '../../support/fixture-service.ts';
import { sendRequest } from '../../support/http.ts';
import { naming } from '../../support/naming.ts';
import { openRaw, requestBytes } from '../../support/raw-connection.ts';
import { until } from '../../support/until.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const START_MS = Date.UTC(2024, 0, 15);
const TIME = '2024-01-15T00:00:00.000Z';

const LINE: FinishedRequest = {
  address: '203.0.113.7',
  method: 'GET',
  url: '/v1/live/110',
  status: 200,
  bytes: 123,
  ms: 1.2345,
  cache: 'hit',
  referer: undefined,
  agent: undefined,
};
const lineOf = (url: string): FinishedRequest => ({ ...LINE, url });

/** Lets everything happen that needs no time. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A log whose writes are kept, with their times. */
function start(write: (text: string) => Promise<void> = async () => {}) {
  const clock = virtualClock(START_MS);
  const writes: { atMs: number; text: string }[] = [];
  const troubles: string[] = [];
  const { logger, close } = createAccessLog({
    write(text) {
      writes.push({ atMs: clock.now() - START_MS, text });
      return write(text);
    },
    now: clock.now,
    onTrouble: (sentence) => troubles.push(sentence),
  });
  const app = fastify({ logger });
  const log = { log: (line: FinishedRequest) => app.log.access?.(line), close };
  const lines = () =>
    writes.map(({ text }) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    );
  return { clock, app, logger, log, writes, troubles, lines };
}

describe('a line of the access log', () => {
  /** The text that one line is written as. */
  async function write(line: FinishedRequest): Promise<string> {
    const { log, writes } = start();
    log.log(line);
    await log.close();
    return writes.map(({ text }) => text).join('');
  }

  it('a line of the access log is a JSON object that leaves out unknown values', async () => {
    expect(await write({ ...LINE, referer: 'https://example.org/', agent: 'curl/8' })).toBe(
      `{"time":"${TIME}","address":"203.0.113.7","method":"GET","url":"/v1/live/110","status":200,"bytes":123,"ms":1.2,"cache":"hit","referer":"https://example.org/","agent":"curl/8"}\n`,
    );
    expect(await write({ ...LINE, cache: undefined, ms: 0.04 })).toBe(
      `{"time":"${TIME}","address":"203.0.113.7","method":"GET","url":"/v1/live/110","status":200,"bytes":123,"ms":0}\n`,
    );
  });

  it('a line of the access log has no control characters', async () => {
    const hostile = '\u0000\n\r\u001b[2J"\\\u007f\u0085\u009b31m\u2028\u202e\ud800é😀';
    const text = await write({ ...LINE, url: hostile, referer: hostile, agent: hostile });
    expect(text).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(text)).toMatchObject({ url: hostile, referer: hostile, agent: hostile });
  });

  it('a line of the access log has texts of at most 2,000 characters', async () => {
    const long = 'a'.repeat(2001);
    const cut = `${'a'.repeat(1999)}…`;
    const text = await write({ ...LINE, url: long, referer: long, agent: long });
    expect(JSON.parse(text)).toMatchObject({ url: cut, referer: cut, agent: cut });
    const fits = 'a'.repeat(2000);
    expect(JSON.parse(await write(lineOf(fits))).url).toBe(fits);
  });

  it('a line of the access log contains any characters unchanged when it is parsed as JSON', async () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    const text = fc.string({ unit, maxLength: 20 });
    const lines = fc.record(
      { url: text, referer: text, agent: text, address: text },
      { requiredKeys: ['url', 'address'] },
    );
    await fc.assert(
      fc.asyncProperty(lines, async (line) => {
        const written = JSON.parse(await write({ ...LINE, ...line }));
        expect(written).toEqual({ time: TIME, ...LINE, ...line, ms: 1.2 });
      }),
      { seed: 20240115, numRuns: 100 },
    );
  });
});

it('the access log of a server has a line for each request, even for unknown paths and for clients that left', async () => {
  const { log, lines, logger } = start();
  const stuck = new Promise<never>(() => {});
  const server = await startServer({
    service: { ...fixtureService, liveAll: () => stuck },
    ...{ host: '127.0.0.1', port: 0, now: () => NOW, logger },
  });
  const headers = { 'user-agent': 'test', referer: 'http://a/' };
  const { body } = await sendRequest(server.baseUrl, '/v1/live/110', { headers });
  await sendRequest(server.baseUrl, '/nothing?x', { headers: {} });
  const leaving = await openRaw(server.baseUrl);
  leaving.send(requestBytes('/v1/live/all').repeat(2));
  await until(async () => server.unsentBytes >= 10_000);
  leaving.socket.destroy();
  await until(() => server.unsentBytes === 0);
  await server.close();
  await log.close();
  const common = { time: TIME, address: '127.0.0.1', method: 'GET', ms: expect.any(Number) };
  const left = { ...common, url: '/v1/live/all', status: 499, bytes: 0 };
  expect(lines().flat()).toEqual([
    {
      ...{ ...common, url: '/v1/live/110', status: 200, bytes: Buffer.byteLength(body) },
      ...{ cache: 'miss', referer: 'http://a/', agent: 'test' },
    },
    expect.objectContaining({ ...common, url: '/nothing?x', status: 404 }),
    left,
    left,
  ]);
});

it('the access log has no line that Fastify logs itself', async () => {
  const { app, log, writes } = start();
  app.get('/', () => Promise.reject(new Error('wrong')));
  await app.listen({ host: '127.0.0.1', port: 0 });
  await app.inject('/');
  await app.inject('/nothing');
  app.log.fatal('broken');
  await app.close();
  await log.close();
  expect(writes).toEqual([]);
});

describe('the lines of the access log', () => {
  it('lines of the access log are written at once, and those that arrive during a write are written together after it', async () => {
    const { log, lines } = start();
    log.log(lineOf('/1'));
    expect(lines()).toMatchObject([[{ url: '/1', time: TIME }]]);
    log.log(lineOf('/2'));
    log.log(lineOf('/3'));
    await settle();
    expect(lines().slice(1)).toMatchObject([[{ url: '/2' }, { url: '/3' }]]);
  });

  it('lines of the access log are written one batch at a time', async () => {
    let isWriting = false;
    let finish = () => {};
    const { clock, log, writes, lines } = start(async () => {
      expect(isWriting).toBe(false);
      isWriting = true;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      isWriting = false;
    });
    log.log(lineOf('/first'));
    await clock.run(clock.sleep(1500));
    for (let n = 0; n < 100; n++) log.log(lineOf('a'.repeat(2000)));
    await clock.run(clock.sleep(5000));
    expect(writes).toHaveLength(1);
    finish();
    await settle();
    expect(lines().map(({ length }) => length)).toEqual([1, 100]);
    finish();
  });
});

describe('the access log on a disk that is stuck', () => {
  it('the access log on a disk that is stuck drops lines beyond 4 MB in memory, and counts the dropped lines', async () => {
    let finish = () => {};
    const { clock, log, lines, writes } = start(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    log.log(LINE);
    await clock.run(clock.sleep(1500));
    const count = 3000;
    for (let n = 0; n < count; n++) log.log(lineOf('a'.repeat(1900)));
    finish();
    await settle();
    const [, second = []] = lines();
    const kept = second.length - 1;
    expect(writes[1]?.text.length).toBeGreaterThan(4 * 1024 * 1024 - 3000);
    expect(writes[1]?.text.length).toBeLessThan(4 * 1024 * 1024 + 100);
    expect(second.at(-1)).toEqual({ time: '2024-01-15T00:00:01.500Z', dropped: count - kept });
    // Lines that are being written count too.
    log.log(LINE);
    for (let n = 0; n < 10; n++) log.log(lineOf('a'.repeat(1900)));
    finish();
    await clock.run(clock.sleep(1500));
    expect(lines()[2]?.map(({ url, dropped }) => dropped ?? url)).toEqual(['/v1/live/110', 10]);
    finish();
  });
});

describe('the access log after a write that failed', () => {
  const full = new OutputError('Could not write a.log: the disk is full.');

  it('the access log reports a failed write once, and counts the lost lines in the next write', async () => {
    let failure: Error | undefined = full;
    const { clock, log, lines, troubles } = start(async () => {
      if (failure !== undefined) throw failure;
    });
    const second = () => clock.run(clock.sleep(1500));
    log.log(lineOf('/1'));
    log.log(lineOf('/2'));
    await second();
    log.log(lineOf('/3'));
    await second();
    expect(troubles).toEqual([expect.stringMatching(naming(full.message, 'keeps trying'))]);
    failure = undefined;
    log.log(lineOf('/4'));
    await second();
    log.log(lineOf('/5'));
    await second();
    expect(lines().slice(-2)).toMatchObject([[{ url: '/4' }, { dropped: 3 }], [{ url: '/5' }]]);
    expect(troubles).toHaveLength(1);
  });

  it('the access log reports a failed write again after a success', async () => {
    let failure: unknown = Object.assign(new Error(), { code: 'EIO' });
    const { clock, log, troubles } = start(async () => {
      if (failure !== undefined) throw failure;
    });
    const write = () => {
      log.log(LINE);
      return clock.run(clock.sleep(1500));
    };
    await write();
    failure = undefined;
    await write();
    failure = 'odd';
    await write();
    expect(troubles).toEqual([
      expect.stringMatching(naming('access log', 'EIO')),
      expect.stringMatching(naming('access log', 'odd')),
    ]);
  });

  it('the access log tries once more to write the count of lost lines when it is closed', async () => {
    let failures = 1;
    const { log, lines } = start(async () => {
      if (failures-- > 0) throw full;
    });
    log.log(LINE);
    await log.close();
    expect(lines()).toMatchObject([[{ url: LINE.url }], [{ time: TIME, dropped: 1 }]]);
  });
});

describe('close of the access log', () => {
  it('the access log writes its remaining lines at once when it is closed', async () => {
    const { clock, log, lines } = start();
    log.log(lineOf('/1'));
    await log.close();
    expect(lines()).toMatchObject([[{ url: '/1' }]]);
    expect(clock.now()).toBe(START_MS);
    expect(clock.sleepers).toBe(0);
  });

  it('the access log waits at its end for the write that is under way, and then writes the rest', async () => {
    const finish: (() => void)[] = [];
    const { clock, log, lines } = start(() => new Promise((resolve) => finish.push(resolve)));
    log.log(lineOf('/1'));
    await clock.run(clock.sleep(1500));
    log.log(lineOf('/2'));
    let isClosed = false;
    const closed = log.close().then(() => {
      isClosed = true;
    });
    finish[0]?.();
    await settle();
    expect(isClosed).toBe(false);
    expect(lines()).toMatchObject([[{ url: '/1' }], [{ url: '/2' }]]);
    finish[1]?.();
    await closed;
  });

  it('the access log writes nothing when it is closed without a line, and ignores later lines', async () => {
    const { log, writes } = start();
    await Promise.all([log.close(), log.close()]);
    log.log(LINE);
    await log.close();
    expect(writes).toEqual([]);
  });
});
