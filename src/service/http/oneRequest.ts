import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Connections } from './connections.ts';

const require = createRequire(import.meta.url);

/** A failure with the code that undici has for it, so that both are explained alike. */
class RequestFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Node's own client, for a command that asks once and goes straight to the service: to load undici
 * and compile its parser takes longer than all else that `vane live` does, and pays off from the
 * second request on.
 */
export function openOneRequest(timeoutMs: number): Connections {
  return {
    get: (url, { headers, signal }) =>
      new Promise((resolve, reject) => {
        // Another connection for another request, closed with its answer.
        const asked = clientOf(url).request(url, { headers, signal, agent: false });
        let isConnected = false;
        let answer: IncomingMessage | undefined;
        asked.once('socket', (socket) =>
          socket.once('connect', () => {
            isConnected = true;
          }),
        );
        // Of no activity at all, whatever is waited for.
        asked.setTimeout(timeoutMs, () => {
          if (answer) answer.destroy(new RequestFailure('UND_ERR_BODY_TIMEOUT'));
          else
            asked.destroy(
              new RequestFailure(`UND_ERR_${isConnected ? 'HEADERS' : 'CONNECT'}_TIMEOUT`),
            );
        });
        // Once there is an answer, what goes wrong is told by its body.
        asked.on('error', reject);
        asked.once('response', (message) => {
          answer = message;
          resolve({
            statusCode: message.statusCode as number,
            headers: message.headers,
            body: message as AsyncIterable<Buffer>,
          });
        });
        asked.end();
      }),
    destroy() {},
  };
}

function clientOf(url: string): typeof import('node:http') {
  return require(url.startsWith('https:') ? 'node:https' : 'node:http');
}
