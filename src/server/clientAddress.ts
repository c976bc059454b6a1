import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';

/** Tells the address of a request's client, empty for a connection that is gone. Never throws. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Whose address to take a client by: the peer's or, where that is a trusted proxy, the one that
 * X-Forwarded-For names, read from the right past further trusted ones. What is no bare address
 * there (a name, a port, brackets) ends the reading at the last that was: whoever wrote it may
 * have written all that is left of it.
 * @param trusted addresses, ranges such as `10.0.0.0/8`, and the names `loopback`, `linklocal` and
 *   `uniquelocal`, separated by commas; undefined trusts nobody
 * @throws UsageError where it lists anything else
 */
export function createClientAddress(trusted: string | undefined): ClientAddress {
  if (trusted === undefined) return peerAddress;
  const isTrusted = proxyAddr.compile(readTrusted(trusted));
  return (request) => {
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined) return peerAddress(request);
    const chain = proxyAddr.all(
      withForwarded(request, latest(String(forwarded))),
      // By Node's strict reading; the package's own takes 2130706433 for 127.0.0.1.
      (address, index) => isIP(address) !== 0 && isTrusted(address, index),
    );
    return withoutMapping(chain.findLast((address) => isIP(address) !== 0) ?? '');
  };
}

/** Room for some twenty addresses, of which a chain of proxies has two or three. */
const MAX_FORWARDED_LENGTH = 1000;

/** The end of a list of addresses, from the begin of one on: what is left of it is the client's own. */
function latest(forwarded: string): string {
  if (forwarded.length <= MAX_FORWARDED_LENGTH) return forwarded;
  const end = forwarded.slice(-MAX_FORWARDED_LENGTH);
  return end.slice(end.indexOf(',') + 1 || end.length);
}

function withForwarded({ socket }: IncomingMessage, forwarded: string): IncomingMessage {
  // All that the package reads of a request.
  return { socket, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage;
}

const peerAddress: ClientAddress = ({ socket }) => withoutMapping(socket.remoteAddress ?? '');

/** A socket for both families names IPv4 clients in IPv6's terms, which nobody looks them up by. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function readTrusted(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  const wrong = items.find((item) => !isTrustable(item));
  if (wrong === undefined) return items;
  throw new UsageError(
    `--trust-proxy takes addresses, ranges such as 10.0.0.0/8, and the names loopback, linklocal and uniquelocal, separated by commas, not “${printable(wrong)}”.`,
  );
}

const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isTrustable(item: string): boolean {
  if (NAMES.has(item)) return true;
  const [address = ''] = item.split('/', 1);
  if (isIP(address) === 0) return false;
  try {
    proxyAddr.compile(item);
    return true;
  } catch {
    return false;
  }
}
