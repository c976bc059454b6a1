import type Http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { brokenOffFailure, explainFailure, timeoutFailure } from './failure.ts';

interface ClientRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** The head of a response, and its body as a stream. */
interface ClientResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Sends requests without following redirects. */
export interface HttpClient {
  send(request: ClientRequest): Promise<ClientResponse>;
  /** Converts an error of `send` or of a body to a TransportFailure or UnexpectedResponseError. */
  explain(error: unknown): Error;
  /** Closes idle connections. */
  close(): void;
}

/**
 * Opens Node's own HTTP client, for commands that send few requests without a proxy. Loading undici
 * would take longer than everything else that `vane live` does before its request.
 * @param timeoutMs maximum wait for a connection, for a head, and between two pieces of a body
 */
export function openNodeClient(timeoutMs: number): HttpClient {
  // Use `require`: an `import` of node:http reads every export, and WebSocket among them loads all
  // of undici.
  const load = createRequire(import.meta.url);

  function send({ url, body, ...options }: ClientRequest): Promise<ClientResponse> {
    const http: typeof Http = load(url.startsWith('https:') ? 'node:https' : 'node:http');
    return new Promise((resolve, reject) => {
      let response: IncomingMessage | undefined;
      const request = http.request(url, { ...options, agent: false });
      // Node has a single timeout for connecting, the head and the body.
      request.setTimeout(timeoutMs, () => {
        const phase = response ? 'body' : request.writableFinished ? 'head' : 'connection';
        (response ?? request).destroy(timeoutFailure(phase, timeoutMs));
      });
      request.on('error', reject);
      // If the service switches protocols, Node emits neither a response nor an error.
      request.once('close', () => reject(brokenOffFailure()));
      request.once('response', (message) => {
        response = message;
        const { statusCode = 0, headers } = message;
        resolve({ statusCode, headers, body: message });
      });
      request.end(body);
    });
  }
  return { send, explain: explainFailure, close: () => {} };
}
