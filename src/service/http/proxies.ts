import { hideAddressCredentials } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The addresses of proxies, and the hosts to reach without one, in the form for undici. Empty for
 * none.
 */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * Reads the environment variables for proxies.
 * @throws UsageError for a variable that is not an address
 */
export function readProxies(env: ProxyEnvironment): ProxySettings {
  return {
    httpProxy: readProxy(env, 'HTTP_PROXY'),
    httpsProxy: readProxy(env, 'HTTPS_PROXY'),
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  };
}

/**
 * Reads the address of a proxy; empty for none. As in curl, http:// is added if the scheme is
 * missing.
 */
function readProxy(env: ProxyEnvironment, name: string): string {
  const text = env[name.toLowerCase()] ?? env[name] ?? '';
  if (text === '') return '';
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '';
  if (url && isPlain && /^https?:$/.test(url.protocol)) return address;
  throw new UsageError(
    `${name} takes the address of an HTTP proxy such as http://proxy:3128, not “${hideAddressCredentials(text)}”.`,
  );
}

/**
 * Names the variables that chose a proxy for an address, or excluded it, for a message. Empty for
 * none.
 */
export function describeProxy(baseUrl: string, env: ProxyEnvironment): string {
  const { httpProxy, httpsProxy, noProxy } = readProxies(env);
  // As in undici, HTTP_PROXY also applies to https:// if there is no HTTPS_PROXY.
  const isHttps = baseUrl.startsWith('https:') && httpsProxy;
  if (!isHttps && !httpProxy) return '';
  return `, with ${isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY'}${noProxy ? ' and NO_PROXY' : ''} set`;
}
