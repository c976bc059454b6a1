import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';

/** Whether to trust an address in a chain of proxies. Index 0 is the peer of the connection. */
export type TrustProxy = (address: string, index: number) => boolean;

/** Maximum number of trusted proxies in a chain; real chains have two or three. */
const MAX_PROXIES = 20;

/** Reads `--trust-proxy`. @throws UsageError */
export function readTrustProxy(list: string): TrustProxy {
  const items = list.split(',').map((item) => item.trim());
  const wrong = items.find((item) => !isTrustable(item));
  if (wrong !== undefined) {
    throw new UsageError(
      `--trust-proxy takes addresses, ranges such as 10.0.0.0/8, and the names loopback, linklocal and uniquelocal, separated by commas, not “${printable(wrong)}”.`,
    );
  }
  const isTrusted = proxyAddr.compile(items);
  // Also check with Node's isIP, which is stricter: proxy-addr reads 2130706433 as 127.0.0.1.
  return (address, index) =>
    index < MAX_PROXIES && isIP(address) !== 0 && isTrusted(address, index);
}

const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isTrustable(item: string): boolean {
  const [address = ''] = item.split('/', 1);
  if (!NAMES.has(item) && isIP(address) === 0) return false;
  try {
    proxyAddr.compile(item);
    return true;
  } catch {
    return false;
  }
}

/**
 * The address of a request's client: the peer's or, behind trusted proxies, the one in
 * X-Forwarded-For. If the header contains no plain address (but a name, a port or brackets), it is
 * the address of the proxy that sent it. Empty if the connection is closed.
 */
export function clientAddress({ ips, ip }: FastifyRequest): string {
  const address = ips?.findLast((text) => isIP(text) !== 0) ?? ip ?? '';
  // A socket for both IPv4 and IPv6 reports an IPv4 address as ::ffff:127.0.0.1.
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * The key of a client for limits: its IPv4 address, or the /56 of its IPv6 address, which providers
 * commonly assign to one customer (RFC 6177).
 */
export const clientKey = (address: string): string => normalizeIP(address, 56);
