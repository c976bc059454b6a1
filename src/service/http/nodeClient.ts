import type { Agent, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { errorCode } from '../../errors.ts';
import {
  type AskOptions,
  type Connections,
  type RawAnswer,
  RequestFailure,
} from './connections.ts';

const require = createRequire(import.meta.url);

/** A kept connection turned out to be closed by the other side. */
class StaleConnection extends Error {}

const GONE = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Node's own client, for a command that goes straight to the service: to load undici and compile
 * its parser takes longer than all else that happens before the first request is sent.
 * @param url of the service, or of anything there
 */
export function openNodeClient(url: string, timeoutMs: number): Connections {
  const client: typeof import('node:http') = require(
    url.startsWith('https:') ? 'node:https' : 'node:http',
  );
  const agent: Agent = new client.Agent({ keepAlive: true });

  function send(url: string, { headers, signal }: AskOptions): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const asked = client.request(url, { headers, signal, agent });
      let isConnected = false;
      let answer: IncomingMessage | undefined;
      asked.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isConnected = true));
        else isConnected = true;
      });
      // Of no activity at all, whatever is waited for.
      asked.setTimeout(timeoutMs, () => {
        if (answer) answer.destroy(new RequestFailure('UND_ERR_BODY_TIMEOUT'));
        else
          asked.destroy(
            new RequestFailure(`UND_ERR_${isConnected ? 'HEADERS' : 'CONNECT'}_TIMEOUT`),
          );
      });
      // Once there is an answer, what goes wrong is told by its body.
      asked.on('error', (error) => {
        const isStale = asked.reusedSocket && GONE.has(errorCode(error) ?? '') && !signal.aborted;
        reject(isStale ? new StaleConnection() : error);
      });
      // A service that changes the protocol answers nothing, and Node is silent.
      asked.once('close', () => {
        if (answer === undefined) reject(new RequestFailure('ECONNRESET'));
      });
      asked.once('response', (message) => {
        answer = message;
        resolve({
          statusCode: message.statusCode as number,
          headers: message.headers,
          body: message,
        });
      });
      asked.end();
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
