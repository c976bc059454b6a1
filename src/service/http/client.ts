import type Http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { errorCode } from '../../errors.ts';

export interface SendOptions {
  /** GET if undefined. */
  readonly method?: 'POST' | undefined;
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The head of an answer, and its body as a stream. */
export interface RawAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Sends requests over connections that stay open. */
export interface HttpClient {
  /** Rejects with the error of Node or undici. */
  send(url: string, options: SendOptions): Promise<RawAnswer>;
  destroy(): void;
}

const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/**
 * An error with the code that undici uses for the same fault, so that errors of Node and of undici
 * are explained alike.
 */
const failure = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * Opens an HTTP client of Node's own: loading undici takes longer than anything else `vane live`
 * does before its request.
 * @param baseUrl an address whose scheme chooses HTTP or HTTPS
 * @param sendsAgain whether a request is sent again at once where the service had closed the kept
 *   connection (RFC 9112, 9.3.1)
 */
export function openNodeClient(
  baseUrl: string,
  timeoutMs: number,
  sendsAgain: boolean,
): HttpClient {
  // An `import` of node:http would read every export, of which WebSocket loads all of undici.
  const load = createRequire(import.meta.url);
  const http: typeof Http = load(baseUrl.startsWith('https:') ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true });

  function send(url: string, { body, ...options }: SendOptions): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const request = http.request(url, { ...options, agent });
      let answer: IncomingMessage | undefined;
      // Node's one timeout covers connecting, the head and the body.
      request.setTimeout(timeoutMs, () => {
        const isConnected = request.socket?.connecting === false;
        const phase = answer ? 'BODY' : isConnected ? 'HEADERS' : 'CONNECT';
        (answer ?? request).destroy(failure(`UND_ERR_${phase}_TIMEOUT`));
      });
      request.on('error', (error) => {
        // On a reused connection such an error means that the service had closed it before.
        const isStale = request.reusedSocket && CLOSED.has(errorCode(error) ?? '');
        if (isStale && sendsAgain && !options.signal.aborted)
          resolve(send(url, { body, ...options }));
        else reject(error);
      });
      // Node emits neither a response nor an error when the service switches protocols.
      request.once('close', () => {
        if (answer === undefined) reject(failure('ECONNRESET'));
      });
      request.once('response', (message) => {
        answer = message;
        const { statusCode = 0, headers } = message;
        resolve({ statusCode, headers, body: message });
      });
      request.end(body);
    });
  }

  return { send, destroy: () => agent.destroy() };
}
