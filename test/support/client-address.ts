import { fastify } from 'fastify';
import { clientAddress, readTrustProxy } from '../../src/server/edge/clientAddress.ts';

/**
 * Reads client addresses as a server does.
 * @param trusted the value of `--trust-proxy`; undefined without the option
 */
export function clientAddressReader(trusted: string | undefined) {
  const app = fastify(trusted === undefined ? {} : { trustProxy: readTrustProxy(trusted) });
  app.get('/', async (request) => clientAddress(request));
  return async (peer: string, forwarded?: string): Promise<string> => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return (await app.inject({ url: '/', remoteAddress: peer, headers })).body;
  };
}
