import { Agent, EnvHttpProxyAgent, request } from 'undici';
import type { HttpClient, Proxies } from './client.ts';

/** undici, for commands that ask for hours, and for every request through a proxy. */
export function openUndiciClient(timeoutMs: number, proxies: Proxies | undefined): HttpClient {
  const connect = { timeout: timeoutMs };
  const dispatcher = proxies
    ? // Send plain HTTP in absolute form, as curl does: many proxies tunnel to port 443 only.
      new EnvHttpProxyAgent({ connect, ...proxies, proxyTunnel: false })
    : new Agent({ connect });
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  return {
    get: (url, options) => request(url, { ...options, ...timeouts, dispatcher }),
    destroy: () => void dispatcher.destroy().catch(() => {}),
  };
}
