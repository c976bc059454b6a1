import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLOT_ARGUMENTS } from '../../src/server/plot/query.ts';
import { type Front, startFront, startUpstream, type TestUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { sendRequest } from '../support/http.ts';
import { openRaw, type RawReply, requestBytes } from '../support/raw-connection.ts';

let upstream: TestUpstream;
let front: Front;

beforeAll(async () => {
  const clock = handClock();
  upstream = await startUpstream(clock);
  front = await startFront(upstream.baseUrl, { clock });
});

afterAll(async () => {
  await front.close();
  await upstream.close();
});

const SEED = 20240115;
/** The last request of every connection. */
const LAST = requestBytes('/v1/live/110', { connection: 'close' });

const ODD_TEXTS = [
  '',
  '%00',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..',
  '.',
  '//',
  '%',
  '%zz',
  '%c0%af',
  '%ff%fe',
  '%F0%9F%92%A8',
  'é',
  '\\',
  ';',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '-1',
  '-0',
  '+1',
  '1e400',
  '0x6e',
  '9007199254740993',
  '-9007199254740993',
  '9'.repeat(4000),
  'NaN',
  'Infinity',
  '110',
  '7',
  'all',
  'null',
  '[object Object]',
  '*',
  ':station',
  '{station_id}',
  '<script>alert(1)</script>',
  "'||1=1--",
  '{{7*7}}',
];

const DATES = [
  'last-hour',
  'last-month',
  'now',
  '2023-12-01',
  '2023-12-02T00:00+01:00',
  '2023-12-02T00:00%2B01:00',
  '0000',
  '-0001',
  '9999-12-31T23:59:59.999Z',
  '10000-01-01',
  '2023-02-30',
  '2023-12-01T24:00',
  '2023-12-01T00:00:60',
  '2023-12-01T00:00+99:99',
  '8.64e15',
  '',
];

const CALLBACKS = [
  'show',
  'a.b[0]',
  'alert(1)//',
  '</script><script>',
  '%22%3E',
  '\u2028'.replace('\u2028', '%E2%80%A8'),
  'f'.repeat(129),
  'f'.repeat(128),
  'a..b',
  '0a',
  '__proto__.x',
  '%00',
  '[]',
];

const odd = fc.constantFrom(...ODD_TEXTS);
/** Characters of a target that Node's parser takes. */
const letters = fc.string({
  unit: fc.constantFrom(...'/?&=%.+-_~:@!$\'()*,;[]{}|\\^`"<>az09Z#'),
  maxLength: 40,
});
const segment = fc.oneof({ weight: 4, arbitrary: odd }, { weight: 1, arbitrary: letters });
const date = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...DATES) },
  { weight: 1, arbitrary: segment },
);

const PLOT_QUERIES = [
  'units=kn',
  'units=bft',
  'tz=Europe/Paris',
  'tz=utc',
  'tz=utc+14',
  'sectors=8',
  'theme=dark',
  'width=200',
  'height=120',
  'start=7d',
  'mark=15kn,25kn',
  'where=avg%20in%2012..25kn',
  'where=hour%20in%209..17%20and%20daylight',
  'value=gust',
  'value=hours',
  'classes=5,10,20kn',
];
const plotArgument = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...PLOT_QUERIES) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...PLOT_ARGUMENTS),
        fc.oneof(fc.constantFrom('utc+15', '1e3', '((((avg%3E1kn', '1,,2kn', '-1d'), segment),
      )
      .map(([name, value]) => `${name}=${value}`),
  },
);

const query = fc
  .array(
    fc.oneof(
      date.map((text) => `start=${text}`),
      date.map((text) => `stop=${text}`),
      fc.constantFrom('json', 'csv', 'txt', 'xml', 'JSON', '').map((text) => `format=${text}`),
      fc.constantFrom(...CALLBACKS).map((text) => `callback=${text}`),
      plotArgument,
      fc.tuple(segment, segment).map(([name, value]) => `${name}=${value}`),
    ),
    { maxLength: 6 },
  )
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

/** Addresses of pictures of stations that exist, most of whose arguments are sound. */
const picture = fc
  .tuple(
    fc.constantFrom('7', '19', '41', '110', '603', '7,110', '110,41,603,7'),
    fc.constantFrom('series', 'rose', 'calendar', 'pattern'),
    fc.uniqueArray(plotArgument, { maxLength: 4, selector: (text) => text.split('=')[0] }),
  )
  .map(([station, kind, args]) => `/plot/${station}/${kind}.svg?${args.join('&')}`);

const path = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('live', 'live-with-meta', 'archive'), segment)
      .map(([name, station]) => `/v1/${name}/${station}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.oneof(fc.constantFrom('7', '19', '41', '110', '603', '7,110', '110,,7'), segment),
        fc.constantFrom('series', 'rose', 'calendar', 'pattern', 'x', '', '__proto__', '<b>'),
        fc.constantFrom('.svg', '.svg', '.svg', '.png', '.gif', '', '.', '.svg.png', '%2esvg'),
      )
      .map(([station, kind, format]) => `/plot/${station}/${kind}${format}`),
  },
  {
    weight: 2,
    arbitrary: fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/',
      '*',
      '/health',
      '/livez',
      '/openapi.json',
      '//evil.example/',
      '/v1',
      '/V1/LIVE/110',
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('http://a', 'HTTPS://[::1]:9', 'ftp://x', 'http://', '://'), segment)
      .map(([host, rest]) => `${host}/v1/live/${rest}`),
  },
);

const HEADERS = [
  'Accept-Encoding: gzip;q=nan, *;q=-1, br;;;',
  'Accept-Encoding: ,,,,;q=0,*',
  `Accept-Encoding: ${'gzip,'.repeat(500)}`,
  'If-None-Match: "',
  `If-None-Match: ${'"x",'.repeat(500)}`,
  'If-None-Match: *',
  'If-Modified-Since: 99999-99-99',
  'Range: bytes=0-0,-1,5-2',
  'X-Forwarded-For: ::ffff:1.2.3.4, unknown, \u00ff',
  'Forwarded: for="_secret";host=x',
  'Cookie: a=b; __proto__=c',
  '__proto__: x',
  'Constructor: x',
  'Content-Type: application/json',
  'Content-Type: \u00ff/;;',
  'Accept-Version: 9',
  'Accept-Version: x',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  'Expect: 100-continue',
  'Expect: the unexpected',
  'TE: trailers',
  'Trailer: x',
  'Max-Forwards: 0',
  'Origin: null',
  'Access-Control-Request-Method: PUT',
  'Content-Length: 0',
  'X-HTTP-Method-Override: DELETE',
  ...Array.from({ length: 3 }, (_, i) =>
    Array.from({ length: 40 * (i + 1) }, (_, k) => `X-${k}: y`).join('\r\n'),
  ),
];

const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'HEAD',
      'OPTIONS',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'TRACE',
      'PROPFIND',
      'M-SEARCH',
      'QUERY',
    ),
  },
);

/** Requests that HTTP allows, whatever is in them. */
const sound = fc
  .tuple(methods, path, query, fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }))
  .map(([method, target, args, headers]) => ({
    method,
    bytes: `${method} ${target}${args} HTTP/1.1\r\n${['Host: a', ...headers].join('\r\n')}\r\n\r\n`,
  }));

const BROKEN = [
  'GET /v1/live/110 HTTP/1.1\r\n\r\n',
  'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET /v1/live/110 HTTP/1.1\r\nHost: \r\n\r\n',
  'GET /v1/live/110 HTTP/1.1\r\nHost : a\r\n\r\n',
  'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n',
  'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n',
  'GET /v1/live/\x00 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/live/110 110 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET  HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/live/110\r\n\r\n',
  'GET /v1/live/110 HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET /v1/live/110 HTTP/0.9\r\n\r\n',
  'GET /v1/live/110 HTTP/1.0\r\n\r\n',
  'get /v1/live/110 HTTP/1.1\r\nHost: a\r\n\r\n',
  'BREW /pot HTCPCP/1.0\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  '\r\n\r\n\r\n',
  '\0'.repeat(100),
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(3000)}\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(1900)}\r\n`,
  'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nshort',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
  'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/live/110 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
];

/** Bytes that HTTP does not allow, or that one part of HTTP allows and another does not. */
const broken = fc.oneof(
  fc.constantFrom(...BROKEN),
  // Sound requests with some bytes replaced.
  fc
    .tuple(
      fc.constantFrom(...BROKEN, LAST),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 4 }),
    )
    .map(([text, changes]) =>
      changes.reduce(
        (before, [at, code]) =>
          before.slice(0, at) + String.fromCharCode(code) + before.slice(at + 1),
        text,
      ),
    ),
  fc.tuple(letters, letters, letters).map(([a, b, c]) => `${a} ${b} ${c}\r\n\r\n`),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

const wrong: string[] = [];
const statuses = new Map<number, number>();

function check(reply: RawReply, request: string): void {
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  // An interim response has no header of its own (RFC 9110, 15.2).
  if (reply.status < 200) return;
  const isOpen = reply.headers['access-control-allow-origin'] === '*';
  if (!isOpen || reply.status >= 500) wrong.push(`${reply.status} for ${request.slice(0, 200)}`);
}

/** As many at once as there are slots. */
async function inSlots<T>(items: readonly T[], slots: number, work: (item: T) => Promise<void>) {
  const queue = items[Symbol.iterator]();
  const slot = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: slots }, slot));
}

type Sound = ReturnType<typeof readSound>[number];
const readSound = (count: number) => fc.sample(sound, { numRuns: count, seed: SEED });

/** Node drops bytes that come in one piece with a request to upgrade, so send nothing behind one. */
const isLast = ({ bytes }: Sound): boolean => bytes.includes('\r\nUpgrade: ');

/** Sends requests in one go, and those that the server did not get to in a further one. */
async function sendTogether(requests: readonly Sound[]): Promise<void> {
  for (let left = requests; left.length > 0; ) {
    const end = left.findIndex(isLast) + 1 || left.length;
    const sent = left.slice(0, end);
    const connection = await openRaw(front.baseUrl);
    connection.send(
      Buffer.from(sent.map(({ bytes }) => bytes).join(''), 'latin1'),
      sent.map(({ method }) => method),
    );
    let completed = 0;
    while (completed < sent.length) {
      const reply = await connection.next();
      if (reply === undefined) break;
      check(reply, sent[completed]?.bytes ?? '');
      if (reply.status >= 200) completed++;
    }
    if (completed === 0) wrong.push(`nothing for ${sent[0]?.bytes.slice(0, 200)}`);
    if (completed === sent.length && !connection.socket.destroyed) {
      connection.send(LAST);
      for (const reply of await connection.rest()) check(reply, LAST);
    }
    left = left.slice(Math.max(1, completed));
  }
}

/** Sends bytes whose end the server may have to wait for. */
async function sendAlone(bytes: string): Promise<void> {
  const connection = await openRaw(front.baseUrl, { allowHalfOpen: true });
  connection.send(Buffer.from(bytes, 'latin1'), []);
  // Nothing more will come, so that the server need not wait for it.
  connection.socket.end();
  for (const reply of await connection.rest()) check(reply, bytes);
  connection.socket.destroy();
}

describe('random requests to serve --upstream', () => {
  it('random requests that HTTP allows get a status below 500 and may be read by pages of any origin (600 requests)', async () => {
    const requests = readSound(600);
    const groups: Sound[][] = [];
    for (let i = 0; i < requests.length; i += 20) groups.push(requests.slice(i, i + 20));
    await inSlots(groups, 20, sendTogether);
    expect(wrong).toEqual([]);
    const count = [...statuses.values()].reduce((sum, n) => sum + n, 0);
    expect(count).toBeGreaterThanOrEqual(600);
    const { headers } = await sendRequest(front.baseUrl, '/v1/live/110', {});
    const again = { 'if-none-match': String(headers.etag) };
    expect((await sendRequest(front.baseUrl, '/v1/live/110', { headers: again })).status).toBe(304);
    for (const status of [200, 204, 400, 404, 405]) {
      expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true]);
    }
  });

  it('random requests for pictures get a status below 500, and a sentence if they are refused (60 requests)', async () => {
    const counts = new Map<number, number>();
    for (const target of fc.sample(picture, { numRuns: 60, seed: SEED })) {
      const { status, body } = await sendRequest(front.baseUrl, target);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const isPicture = /^<svg .*<\/svg>\n$/s.test(body);
      if (isPicture ? status === 400 : !/"error_message":".+\."\}$/.test(body)) wrong.push(target);
      if (isPicture && /NaN|undefined|Infinity/.test(body)) wrong.push(target);
    }
    expect(wrong).toEqual([]);
    expect([...counts.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(counts.get(200)).toBeGreaterThan(15);
    expect(counts.get(400)).toBeGreaterThan(5);
  });

  it('random requests that HTTP does not allow get no status of 500 or above (400 requests)', async () => {
    const all = [...BROKEN, ...fc.sample(broken, { numRuns: 400, seed: SEED })];
    await inSlots(all, 50, sendAlone);
    expect(wrong).toEqual([]);
    for (const status of [400, 405, 431]) {
      expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true]);
    }
  });

  it('random requests leave no connection open and cause only well-formed requests to the service', async () => {
    const connection = await openRaw(front.baseUrl);
    connection.send(LAST);
    expect((await connection.next())?.status).toBe(200);
    await connection.closed;
    expect(front.defects).toEqual([]);
    await expect.poll(front.connections, { timeout: 15_000 }).toBe(0);
    const requested = upstream.arrivals.filter(
      ({ url }) => !/^\/v1\/(live-with-meta\/(all|-?\d+)|archive\/-?\d+\?[\w=&:.-]+)$/.test(url),
    );
    expect(requested).toEqual([]);
  });
});
