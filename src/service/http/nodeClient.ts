import type { IncomingMessage } from 'node:http';
import { errorCode } from '../../errors.ts';
import { type GetOptions, type HttpClient, type RawAnswer, RequestFailure } from './client.ts';

/** The service had closed a kept connection before the request was sent on it. */
class StaleConnection extends Error {}

const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Node's own client, for a command that sends a few requests: loading undici takes longer than
 * anything else such a command does before its first request.
 * @param baseUrl an address whose scheme chooses HTTP or HTTPS
 */
export async function openNodeClient(baseUrl: string, timeoutMs: number): Promise<HttpClient> {
  const http = await (baseUrl.startsWith('https:') ? import('node:https') : import('node:http'));
  const agent = new http.Agent({ keepAlive: true });

  function send(url: string, { headers, signal }: GetOptions): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const request = http.request(url, { headers, signal, agent });
      let isConnected = false;
      let answer: IncomingMessage | undefined;
      request.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isConnected = true));
        else isConnected = true;
      });
      // Node's one timeout covers connecting, the head and the body.
      request.setTimeout(timeoutMs, () => {
        const phase = answer ? 'BODY' : isConnected ? 'HEADERS' : 'CONNECT';
        (answer ?? request).destroy(new RequestFailure(`UND_ERR_${phase}_TIMEOUT`));
      });
      request.on('error', (error) => {
        const isStale =
          request.reusedSocket && CLOSED.has(errorCode(error) ?? '') && !signal.aborted;
        reject(isStale ? new StaleConnection() : error);
      });
      // Node emits neither a response nor an error when the service switches protocols.
      request.once('close', () => {
        if (answer === undefined) reject(new RequestFailure('ECONNRESET'));
      });
      request.once('response', (message) => {
        answer = message;
        const { statusCode = 0, headers } = message;
        resolve({ statusCode, headers, body: message });
      });
      request.end();
    });
  }

  return {
    async get(url, options) {
      for (;;) {
        try {
          return await send(url, options);
        } catch (error) {
          if (!(error instanceof StaleConnection)) throw error;
        }
      }
    },
    destroy: () => agent.destroy(),
  };
}
