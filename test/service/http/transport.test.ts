import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { UnexpectedResponseError } from '../../../src/errors.ts';
import { TransportFailure } from '../../../src/service/http/failure.ts';
import { createTransport, type TransportOptions } from '../../../src/service/http/transport.ts';
import { CERTIFICATE, KEY } from '../../support/certificate.ts';
import { naming } from '../../support/naming.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

type Act = (socket: Socket) => void;

/** Starts a server that acts when a connection's first bytes come. @returns its host and port */
async function listen(act: Act, server: Server = createServer()): Promise<string> {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('data', () => act(socket));
  };
  server.on('connection', (socket) => sockets.add(socket));
  server.on('tlsClientError', () => {});
  server.on('secureConnection' in server ? 'secureConnection' : 'connection', onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bytes = (...parts: (string | Buffer)[]): Act => {
  const response = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return (socket) => void socket.end(response);
};
const head = (...fields: string[]): string => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');
const whole = (body: string | Buffer, ...fields: string[]): Act =>
  bytes(head(`content-length: ${Buffer.byteLength(body)}`, ...fields), body);
/** A head and part of a body, after which the connection stays open and silent. */
const stalling: Act = (socket) => void socket.write(`${head('content-length: 9')}abc`);
const trickling: Act = (socket) => {
  socket.write(head());
  const timer = setInterval(() => socket.write('a'), 20);
  socket.once('close', () => clearInterval(timer));
};
const tricklingHead: Act = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nx: ');
  const timer = setInterval(() => socket.write('a'), 20);
  socket.once('close', () => clearInterval(timer));
};
const silent: Act = () => {};

const LIMIT = 16 * 1024 * 1024;
const TEXT = 'wind '.repeat(1000);

const sendTo = (url: string, options: Partial<TransportOptions>, signal?: AbortSignal) => {
  const transport = createTransport({
    ...{ timeoutMs: 5000, userAgent: 'vane/test', proxyEnv: {}, now: Date.now },
    ...options,
  });
  open.push(() => transport.close());
  return transport.send(url, { signal });
};

/**
 * What a failed request tells, without its number of bytes: `sent` if it may have reached the
 * service, `lasting` if no retry helps.
 */
async function failureOf(url: string, options: Partial<TransportOptions>): Promise<string> {
  const error = await sendTo(url, options).catch((cause: unknown) => cause);
  if (error instanceof UnexpectedResponseError) return `NotInterfaceError: ${error.message}`;
  if (!(error instanceof TransportFailure)) throw error;
  const { message, mayPass, wasSent } = error;
  const text = message.replace(/\d+ bytes/, 'N bytes');
  return [text, ...(wasSent ? ['sent'] : []), ...(mayPass ? [] : ['lasting'])].join(', ');
}

/** Failures of a service that responds as told, whichever client sent the request. */
const FAILURES: readonly [
  what: string,
  act: Act,
  failure: string | RegExp,
  limits?: Pick<TransportOptions, 'timeoutMs' | 'slackMs'>,
][] = [
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'the connection was lost, sent'],
  ['closes the connection', (socket) => socket.end(), 'the connection was lost, sent'],
  [
    'closes the connection within the body',
    bytes(head('content-length: 9'), 'abc'),
    'the connection was lost, sent',
  ],
  [
    'closes the connection within a chunk',
    bytes(head('transfer-encoding: chunked'), '9\r\nabc'),
    'the connection was lost, sent',
  ],
  [
    'switches protocols',
    bytes('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'the connection was lost, sent',
  ],
  ['sends nothing', silent, 'no response within 0.3 s, sent', { timeoutMs: 300 }],
  [
    'stops sending within the body',
    stalling,
    'the response stalled for 0.3 s, sent',
    { timeoutMs: 300 },
  ],
  [
    'sends a byte now and then',
    trickling,
    naming('not complete within 1 s', 'N bytes', 'sent'),
    { timeoutMs: 500, slackMs: 0 },
  ],
  ['speaks no HTTP', bytes('220 mail ready\r\n'), naming('NotInterfaceError', 'not HTTP')],
  [
    'sends a head of 1 MB',
    bytes(head(`x: ${'a'.repeat(1e6)}`)),
    naming('NotInterfaceError', 'not HTTP'),
  ],
  [
    'sends text as gzip',
    whole(TEXT, 'content-encoding: gzip'),
    'the compressed response is damaged, sent',
  ],
  [
    'sends half of a gzip',
    whole(gzipSync(TEXT).subarray(0, -20), 'content-encoding: gzip'),
    'the compressed response is cut short, sent',
  ],
  [
    'sends an unknown compression',
    whole(TEXT, 'content-encoding: zstd'),
    naming('NotInterfaceError', 'zstd', 'gzip', 'deflate'),
  ],
  [
    'sends the head of a Brotli body and no body',
    bytes(head('content-length: 9', 'content-encoding: br')),
    naming('NotInterfaceError', 'br', 'gzip', 'deflate'),
  ],
  [
    'sends more than 16 MiB',
    bytes(head(), Buffer.alloc(LIMIT + 1)),
    naming('NotInterfaceError', '16 MiB'),
  ],
  [
    'sends a gzip of more than 16 MiB',
    whole(gzipSync(Buffer.alloc(LIMIT + 1)), 'content-encoding: gzip'),
    naming('NotInterfaceError', '16 MiB'),
  ],
];

describe.each([
  ['Node’s own client', () => ({ client: 'node' as const })],
  ['undici', () => ({ client: 'undici' as const })],
  ['undici through a proxy', (place: string) => ({ proxyEnv: { HTTP_PROXY: place } })],
])('a request that %s sends', (client, optionsOf) => {
  it.each(FAILURES)(
    `a request that ${client} sends to a service that %s fails`,
    async (_, act, failure, limits) => {
      const place = await listen(act);
      expect(await failureOf(`http://${place}`, { ...optionsOf(place), ...limits })).toMatch(
        failure,
      );
    },
  );

  it(`a request that ${client} sends to a service that sends its head byte by byte fails, and the error does not say that nothing came`, async () => {
    const place = await listen(tricklingHead);
    const failure = await failureOf(`http://${place}`, {
      ...optionsOf(place),
      timeoutMs: 100,
      slackMs: 0,
    });
    expect(failure).toMatch(/^no response within (0\.1|0\.2) s, sent$/);
  });

  it(`a request that ${client} sends to a port where nothing listens fails as a temporary failure`, async () => {
    const place = '127.0.0.1:9';
    expect(await failureOf(`http://${place}`, optionsOf(place))).toBe('the connection was refused');
  });

  it(`a request that ${client} sends gets a redirect, which is not followed`, async () => {
    const place = await listen(
      bytes('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n'),
    );
    const { status, header } = await sendTo(`http://${place}`, optionsOf(place));
    expect([status, header('location')]).toEqual([302, 'http://127.0.0.1:9/']);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
  ])(
    `a request that ${client} sends gets a response in %s, which is decompressed`,
    async (coding, compress) => {
      const body = compress(TEXT);
      const place = await listen(whole(body, `content-encoding: ${coding}`));
      const response = await sendTo(`http://${place}`, optionsOf(place));
      expect([response.bytes, response.body.toString()]).toEqual([body.length, TEXT]);
    },
  );

  it(`a request that ${client} sends does not time out at once with a timeout longer than a timer allows`, async () => {
    const place = await listen((socket) => setTimeout(() => whole('ok')(socket), 50));
    const options = { ...optionsOf(place), timeoutMs: 2 ** 31 - 1 };
    expect((await sendTo(`http://${place}`, options)).body.toString()).toBe('ok');
  });

  it(`a request that ${client} sends fails at once with the reason of its abort signal`, async () => {
    const place = await listen(silent);
    const end = new AbortController();
    const response = sendTo(`http://${place}`, optionsOf(place), end.signal);
    const reason = new Error('enough');
    end.abort(reason);
    await expect(response).rejects.toBe(reason);
  });

  it(`a request that ${client} sends gets its response though the service closed the connection after the previous response`, async () => {
    const place = await listen(whole('ok'));
    const transport = createTransport({
      ...{ timeoutMs: 5000, userAgent: 'vane/test', proxyEnv: {}, now: Date.now },
      ...optionsOf(place),
    });
    open.push(() => transport.close());
    for (let i = 0; i < 20; i++) {
      const response = await transport.send(`http://${place}`, { signal: undefined });
      expect(response.body.toString()).toBe('ok');
    }
  });
});

describe.each(['node', 'undici'] as const)('a request over TLS that %s sends', (client) => {
  it(`a request over TLS that ${client} sends fails if no host has that name`, async () => {
    expect(await failureOf('https://a..b', { client })).toMatch(naming('no host', 'lasting'));
  });

  it(`a request over TLS that ${client} sends fails if the service does not speak TLS`, async () => {
    const place = await listen(whole('ok'));
    expect(await failureOf(`https://${place}`, { client })).toMatch(naming('TLS', 'lasting'));
  });

  it(`a request over TLS that ${client} sends fails if the service signed its certificate itself`, async () => {
    const place = await listen(whole('ok'), createTlsServer({ cert: CERTIFICATE, key: KEY }));
    expect(await failureOf(`https://${place}`, { client })).toMatch(
      naming('certificate', 'lasting'),
    );
  });

  it(`a request over TLS that ${client} sends fails if the service never completes the handshake`, async () => {
    const place = await listen(silent);
    expect(await failureOf(`https://${place}`, { client, timeoutMs: 300 })).toBe(
      'no connection within 0.3 s',
    );
  });
});

describe('a request through a proxy', () => {
  const through = async (act: Act, url: string, limits?: Partial<TransportOptions>) => {
    const HTTP_PROXY = `http://${await listen(act)}`;
    return failureOf(url, { proxyEnv: { HTTP_PROXY }, ...limits });
  };
  const refusing = bytes('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');

  it.each([
    ['http://wind.example', 'Proxy Authentication Required (407), sent'],
    ['https://wind.example', 'Proxy response (407) !== 200 when HTTP Tunneling, sent'],
  ])(
    'a request through a proxy for %s fails if the proxy wants a password',
    async (url, failure) => {
      expect(await through(refusing, url)).toBe(failure);
    },
  );

  it.each([
    ['http://wind.example', 'no response within 0.3 s, sent', {}],
    ['https://wind.example', 'no response within 0.6 s, sent', { slackMs: 0 }],
  ])(
    'a request through a proxy for %s fails if the proxy never responds',
    async (url, failure, limits) => {
      expect(await through(silent, url, { timeoutMs: 300, ...limits })).toBe(failure);
    },
  );

  it('a request through a proxy for an https address fails if the proxy closes the connection', async () => {
    let requested = 0;
    const closing: Act = (socket) => {
      requested++;
      socket.destroy();
    };
    expect(await through(closing, 'https://wind.example')).toBe('the connection was lost, sent');
    expect(requested).toBe(1);
  });

  it('a request through a proxy for an https address fails if the proxy refuses connections', async () => {
    const proxyEnv = { HTTPS_PROXY: 'http://127.0.0.1:9' };
    expect(await failureOf('https://wind.example', { proxyEnv })).toBe(
      'the connection was refused',
    );
  });
});
