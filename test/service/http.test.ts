import { afterEach, describe, expect, it } from 'vitest';
import {
  BrokenResponseError,
  InterruptedError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UnexpectedResponseError,
} from '../../src/errors.ts';
import {
  type HttpService,
  type HttpServiceOptions,
  httpService,
} from '../../src/service/http/http.ts';
import { parseRetryAfter } from '../../src/service/http/retry.ts';
import { createRequestCounters } from '../../src/service/service.ts';
import { type FaultName, type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { NOW, UNKNOWN_STATION } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';

/** The faults of a service, for names of tests. */
const IN_WORDS: Partial<Record<FaultName, string>> = {
  html: 'responds with an HTML page',
  cutJson: 'cuts its JSON short',
  emptyBody: 'responds with an empty body',
  arrayForObject: 'responds with an array in place of an object',
  arrayForData: 'sends an array in place of one station',
  stringForNumber: 'sends a string in place of a number',
  redirect: 'responds with a redirect',
  status403: 'responds with 403',
  status413: 'responds with 413',
  status404: 'responds with 404',
  cutBody: 'closes the connection within the body',
  reset: 'resets the connection',
  wrongGzip: 'sends a body that is no gzip as gzip',
  status500: 'responds with 500',
  status503: 'responds with 503',
  status429: 'responds with 429',
  status429ForHours: 'responds with 429 and with Retry-After of two hours',
};
const inWords = <Name extends FaultName>(faults: readonly Name[]) =>
  faults.map((fault) => [IN_WORDS[fault], fault] as const);

describe('the HTTP client', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const it of open.splice(0).reverse()) await it.close();
  });

  interface Setup {
    readonly server: FaultyServer;
    readonly service: HttpService;
    readonly sleeps: number[];
    readonly log: string[];
  }

  async function setUp(
    plan: readonly FaultName[],
    { timeoutMs = 5000, retries = 2, ...named }: Partial<HttpServiceOptions> = {},
  ): Promise<Setup> {
    const server = await startFaultyServer(plan);
    const sleeps: number[] = [];
    const log: string[] = [];
    const counters = createRequestCounters();
    const service = httpService({
      baseUrl: server.baseUrl,
      ...named,
      timeoutMs,
      retries,
      userAgent: 'vane/test',
      proxyEnv: {},
      now: () => NOW,
      sleep: async (ms) => void sleeps.push(ms),
      random: () => 0.5,
      counters,
      log: (line) => log.push(line),
    });
    open.push(server, service);
    return { server, service, sleeps, log };
  }

  const live = { withMeta: false };

  async function failureOf(plan: readonly FaultName[], options?: Parameters<typeof setUp>[1]) {
    const { service, server, sleeps } = await setUp(plan, options);
    const error = await service.live(110, live).then(
      () => undefined,
      (e: unknown) => e as Error,
    );
    return { error, requests: server.requests.length, sleeps };
  }

  it.each([
    ['https://api.pioupiou.fr', 'Try --upstream https://api.openwindmap.org, or'],
    ['https://api.openwindmap.org', 'Try --upstream https://api.pioupiou.fr, or'],
    ['http://wind.invalid', 'https://api.pioupiou.fr or https://api.openwindmap.org, or --demo'],
  ])(
    'the HTTP client names other addresses and --demo if the host of %s is not found',
    async (name, others) => {
      const { error } = await failureOf([], {
        ...{ baseUrl: 'http://wind.invalid', serviceName: name, addressOption: '--upstream' },
        retries: 0,
      });
      expect(error?.message).toContain(others);
      expect(error?.message).toContain('--demo');
    },
  );

  it.each(inWords(['html', 'status404', 'reset']))(
    'the HTTP client advises to check the option that gave the address if the service %s',
    async (_, fault) => {
      const { error } = await failureOf([fault], { addressOption: '--upstream', retries: 0 });
      expect(error?.message).toMatch(/--upstream/);
      expect(error?.message).not.toContain('--base-url');
    },
  );

  const always = (fault: FaultName): FaultName[] => [fault, fault, fault];

  describe('at a faulty service', () => {
    const cases: [fault: FaultName, attempts: number, new (...args: never[]) => Error, RegExp][] = [
      ['html', 1, UnexpectedResponseError, /station 110 .*HTML.*--base-url/],
      ['cutJson', 3, UnexpectedResponseError, /station 110 .*JSON/],
      ['emptyBody', 1, UnexpectedResponseError, /station 110 .*empty/],
      ['arrayForObject', 1, UnexpectedResponseError, /an array.*an object/],
      ['arrayForData', 1, UnexpectedResponseError, /\bdata\b.*an array.*an object/],
      [
        'stringForNumber',
        1,
        UnexpectedResponseError,
        /station 110.*measurements\.wind_speed_avg .*"12"/,
      ],
      [
        'redirect',
        1,
        UnexpectedResponseError,
        /302, a redirect to https:\/\/elsewhere\.example\/v1\//,
      ],
      ['status403', 1, RefusedError, /station 110.*forbidden.*Not you␛\[2J/],
      ['status413', 1, RefusedError, /request_too_large/],
      ['status404', 1, NotFoundError, /Station 110 .*--base-url/],
      ['cutBody', 3, UnavailableError, /station 110 .*http.*connection was lost.*\b3 times/],
      ['reset', 3, UnavailableError, /the connection was lost/],
      ['wrongGzip', 3, UnavailableError, /the compressed response is damaged/],
      ['status500', 3, UnavailableError, /\b500\b.*\b3 times/],
      ['status503', 3, UnavailableError, /\b503\b.*overloaded.*Come back later/],
      ['status429', 3, UnavailableError, /\b429\b/],
      ['status429ForHours', 1, UnavailableError, /120 minutes/],
    ];
    it.each(cases.map(([fault, ...row]) => [IN_WORDS[fault], row[0], fault, row] as const))(
      'the HTTP client fails with an error that says so if the service %s (attempts: %i)',
      async (_, attempts, fault, [, kind, sentence]) => {
        const { error, requests } = await failureOf(always(fault));
        expect(error).toBeInstanceOf(kind);
        expect(error?.message).toMatch(sentence);
        expect(requests).toBe(attempts);
      },
    );

    it('the HTTP client refuses an archive after retries if no row lies in the requested period', async () => {
      const { service, server } = await setUp(always('otherPeriod'));
      const period = { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2024, 0, 2) };
      const error = await service.archive(110, period).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(BrokenResponseError);
      expect((error as Error).message).toMatch(
        naming('station 110', '2024-01-01T', '2024-01-02T', '288 rows', '3 times'),
      );
      expect([(error as BrokenResponseError).exitCode, server.requests.length]).toEqual([4, 3]);
    });

    it('the HTTP client names station and period in the error of an archive request', async () => {
      const { service } = await setUp(always('status500'));
      const period = { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2024, 0, 2) };
      await expect(service.archive(110, period)).rejects.toThrow(
        naming('station 110', '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z'),
      );
    });

    it('the HTTP client names a refused connection in the error', async () => {
      const { service, server } = await setUp([]);
      await server.close();
      open.splice(0, 1);
      await expect(service.live(110, live)).rejects.toThrow(
        naming(server.baseUrl, 'refused', '3 times'),
      );
    });
  });

  it('the HTTP client passes the time in the Date header of the response to the callback onResponse', async () => {
    const { service } = await setUp([]);
    const times: number[] = [];
    const onResponse = (ms: number) => void times.push(ms);
    const before = Math.floor(Date.now() / 1000) * 1000;
    const period = { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2024, 0, 2) };
    await service.archive(110, period, { onResponse });
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThanOrEqual(before);
    expect(times[0]).toBeLessThanOrEqual(Date.now());
  });

  it('the HTTP client fails for a station that the service does not know, and the error names station and address', async () => {
    const { service } = await setUp([]);
    await expect(service.live(UNKNOWN_STATION, live)).rejects.toThrow(
      naming(UNKNOWN_STATION, 'http://127.0.0.1:'),
    );
  });

  describe('at a service that recovers', () => {
    it.each(inWords(['status500', 'status503', 'reset', 'cutBody', 'cutJson', 'wrongGzip']))(
      'the HTTP client gets the response at the third attempt if the service first %s',
      async (_, fault) => {
        const { service, sleeps } = await setUp([fault, fault]);
        expect((await service.live(110, live)).data.id).toBe(110);
        // Half of a ceiling that doubles, as the injected chance is 0.5.
        expect(sleeps).toEqual([250, 500]);
      },
    );

    it('the HTTP client reports each request and each failure with its endpoint, retries included', async () => {
      const [sent, failed] = [[] as string[], [] as string[]];
      const onRequest = (endpoint: string) => void sent.push(endpoint);
      const onFailure = (endpoint: string) => void failed.push(endpoint);
      const plan = ['status500', 'cutJson'] satisfies FaultName[];
      const { service } = await setUp(plan, { onRequest, onFailure });
      await service.liveAll({ withMeta: true });
      expect(sent).toEqual(Array(3).fill('live-with-meta'));
      expect(failed).toEqual(Array(2).fill('live-with-meta'));
    });

    it('the HTTP client waits as long as Retry-After says before a retry', async () => {
      const { service, sleeps, log } = await setUp(['status429']);
      await service.live(110, live);
      expect(sleeps).toEqual([1000]);
      expect(log).toEqual([
        expect.stringMatching(/^GET http.*\/v1\/live\/110 429, /),
        'again in 1 s',
        expect.stringMatching(/^GET http.*\/v1\/live\/110 200, /),
      ]);
    });
  });

  it('the HTTP client sends a User-Agent, and accepts compressed responses', async () => {
    const { service, server } = await setUp([]);
    await service.live(110, live);
    expect(server.headers()).toMatchObject({
      'user-agent': 'vane/test',
      'accept-encoding': 'gzip, deflate',
    });
  });

  it('the HTTP client fails an aborted request at once with the reason', async () => {
    const { service } = await setUp(['silence']);
    const interruption = new AbortController();
    const response = service.live(110, { ...live, signal: interruption.signal });
    const reason = new InterruptedError('SIGINT');
    interruption.abort(reason);
    await expect(response).rejects.toBe(reason);
  });

  it('the HTTP client sends requests through the proxy of the environment, except to hosts in NO_PROXY', async () => {
    const proxy = await startFaultyServer(['status403']);
    const { server } = await setUp([]);
    const sendRequest = async (proxyEnv: Record<string, string>) => {
      const service = httpService({
        baseUrl: server.baseUrl,
        timeoutMs: 2000,
        retries: 0,
        userAgent: 'vane/test',
        proxyEnv,
        now: () => NOW,
        sleep: async () => {},
        random: () => 0,
        counters: createRequestCounters(),
      });
      open.push(service);
      return service.live(110, live);
    };
    open.push(proxy);
    await expect(sendRequest({ HTTP_PROXY: proxy.baseUrl })).rejects.toThrow(/forbidden/);
    expect(proxy.requests).toEqual([`${server.baseUrl}/v1/live/110`]);
    expect(server.requests).toEqual([]);
    await expect(
      sendRequest({ HTTP_PROXY: proxy.baseUrl, NO_PROXY: '127.0.0.1' }),
    ).resolves.toBeDefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['of 120 makes vane wait 120 s', '120', 120_000],
    ['of 0 makes vane wait 0 s', '0', 0],
    ['with a date 30 s ahead makes vane wait 30 s', 'Mon, 15 Jan 2024 12:00:30 GMT', 30_000],
    ['with a date in the past makes vane wait 0 s', 'Mon, 15 Jan 2024 11:00:00 GMT', 0],
    ['with the word “soon” gives no time to wait', 'soon', undefined],
    ['gives no time to wait if it is missing', undefined, undefined],
  ])('the header Retry-After %s', (_, header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });
});
