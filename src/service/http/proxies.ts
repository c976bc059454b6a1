import { hideUser } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import type { HttpClient } from './client.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** A proxy, and the environment variable that names it. */
interface Proxy {
  readonly variable: string;
  readonly address: string;
}

const variable = (env: Env, name: string): string => env[name.toLowerCase()] ?? env[name] ?? '';

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
 * @returns a function that chooses the proxy for a URL; undefined for none
 * @throws UsageError for a proxy that is not an address
 */
export function readProxies(env: Env): (url: string) => Proxy | undefined {
  const [http, https] = [readProxy(env, 'HTTP_PROXY'), readProxy(env, 'HTTPS_PROXY')];
  const exempt = variable(env, 'NO_PROXY').toLowerCase();
  return (url) => {
    if (isExempt(new URL(url), exempt)) return undefined;
    // HTTP_PROXY holds for https:// too where there is no HTTPS_PROXY.
    return (url.startsWith('https:') ? https : undefined) ?? http;
  };
}

/**
 * Whether NO_PROXY names the host of a URL, by undici's rules: `*` alone, or a list of domains with
 * their subdomains, some with a port.
 */
function isExempt({ protocol, hostname, port }: URL, exempt: string): boolean {
  if (exempt === '*') return true;
  const urlPort = port || (protocol === 'https:' ? '443' : '80');
  return exempt.split(/[,\s]/).some((item) => {
    const [, domain, itemPort = urlPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(item) ?? [];
    return domain && itemPort === urlPort && `.${hostname}`.endsWith(`.${domain}`);
  });
}

/** Reads a proxy, with http:// where the variable has no scheme, as in curl. */
function readProxy(env: Env, name: string): Proxy | undefined {
  const text = variable(env, name);
  if (text === '') return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '';
  if (url && isPlain && /^https?:$/.test(url.protocol)) return { variable: name, address };
  throw new UsageError(
    `${name} takes the address of an HTTP proxy such as http://proxy:3128, not “${hideUser(text)}”.`,
  );
}

/** Opens undici as the client for requests through a proxy. */
export async function openProxyClient(uri: string, timeoutMs: number): Promise<HttpClient> {
  const { ProxyAgent, request } = await import('undici');
  const connect = { timeout: timeoutMs };
  // Send the proxy the whole URL of a plain HTTP request, as curl does, and open no tunnel: many
  // proxies allow tunnels to port 443 only.
  const dispatcher = new ProxyAgent({ uri, connect, proxyTunnel: false });
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  return {
    send: (url, { method = 'GET', body = null, ...options }) =>
      request(url, { ...options, ...timeouts, method, body, dispatcher }),
    destroy: () => void dispatcher.destroy().catch(() => {}),
  };
}

/** The variable of the proxy that a URL is requested through, for a message; empty for none. */
export function mentionProxy(url: string, env: Env): string {
  const proxy = readProxies(env)(url);
  return proxy ? `, with ${proxy.variable} set` : '';
}
