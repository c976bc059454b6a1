import { createRequire } from 'node:module';
import type { Dispatcher, request } from 'undici';
import type { Connections, Lifetime, Proxies } from './connections.ts';

const require = createRequire(import.meta.url);

export interface UndiciOptions {
  readonly timeoutMs: number;
  readonly proxies: Proxies | undefined;
  readonly lifetime: Lifetime;
}

/**
 * Opens undici, all of it only where a proxy is to be asked: with fetch, WebSockets and caches it
 * takes 100 ms to load, of which a request needs a third.
 */
export function openUndici({ timeoutMs, proxies, lifetime }: UndiciOptions): Connections {
  if (lifetime === 'command') compileOnce();
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const dispatcher = proxies ? openProxyAgent(timeoutMs, proxies) : openAgent(timeoutMs);
  const api = require('undici/lib/api/api-request.js') as typeof request;
  return {
    get(url, asking) {
      const { origin, pathname, search } = new URL(url);
      const asked = { origin, path: pathname + search, method: 'GET', ...asking, ...timeouts };
      return api.call(dispatcher, asked as never);
    },
    destroy: () => void dispatcher.destroy().catch(() => {}),
  };
}

function openAgent(timeoutMs: number): Dispatcher {
  const Agent = require('undici/lib/dispatcher/agent.js') as typeof import('undici').Agent;
  return new Agent({ connect: { timeout: timeoutMs } });
}

function openProxyAgent(timeoutMs: number, proxies: Proxies): Dispatcher {
  const { EnvHttpProxyAgent } = require('undici') as typeof import('undici');
  // Plain HTTP goes in absolute form, as by curl: many proxies tunnel to port 443 only.
  return new EnvHttpProxyAgent({ connect: { timeout: timeoutMs }, ...proxies, proxyTunnel: false });
}

/**
 * Leaves undici's parser as it was compiled first. V8 would go on to make it faster in the
 * background, which keeps the process from ending for 80 ms after its last byte.
 */
function compileOnce(): void {
  const v8 = require('node:v8') as typeof import('node:v8');
  v8.setFlagsFromString('--liftoff-only');
}
