import { type Dispatcher, EnvHttpProxyAgent, errors, Pool, request } from 'undici';
import { brokenOffFailure, explainFailure, notHttpError, timeoutFailure } from './failure.ts';
import type { HttpClient } from './nodeClient.ts';
import type { ProxySettings } from './proxies.ts';

/** Opens undici, for requests through proxies and for many requests over persistent connections. */
export function openUndiciClient(proxies: ProxySettings, timeoutMs: number): HttpClient {
  const connect = { timeout: timeoutMs };
  // Send plain HTTP requests to the proxy without a tunnel, as curl does: many proxies only allow
  // tunnels to port 443.
  const tunnels = { proxyTunnel: false, proxyTls: connect, requestTls: connect, clientFactory };
  const dispatcher = new EnvHttpProxyAgent({ connect, ...tunnels, ...proxies });
  // The agent does not pass its timeouts on to the proxy of a plain HTTP request.
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  return {
    send: ({ url, body = null, ...options }) =>
      request(url, { ...options, ...timeouts, body, dispatcher }),
    explain(error) {
      if (error instanceof errors.ConnectTimeoutError)
        return timeoutFailure('connection', timeoutMs);
      if (error instanceof errors.HeadersTimeoutError) return timeoutFailure('head', timeoutMs);
      if (error instanceof errors.BodyTimeoutError) return timeoutFailure('body', timeoutMs);
      if (error instanceof errors.SocketError) return brokenOffFailure(error);
      if (error instanceof errors.HTTPParserError) return notHttpError();
      if (error instanceof errors.HeadersOverflowError) return notHttpError();
      return explainFailure(error);
    },
    close: () => void dispatcher.destroy().catch(() => {}),
  };
}

/**
 * Creates the client that requests tunnels from a proxy. undici 7 retries endlessly after a
 * SocketError (https://github.com/nodejs/undici/issues/3897), so it is replaced by another error.
 */
function clientFactory(proxy: URL, options: object): Pool {
  const pool = new Pool(proxy, options);
  const openTunnel = pool.connect.bind(pool) as (to: Dispatcher.ConnectOptions) => Promise<unknown>;
  const connect = (to: Dispatcher.ConnectOptions) =>
    openTunnel(to).catch((error: unknown) => {
      throw error instanceof errors.SocketError ? brokenOffFailure(error) : error;
    });
  return Object.assign(pool, { connect });
}
