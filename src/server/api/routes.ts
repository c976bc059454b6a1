import type { FastifyInstance } from 'fastify';
import type { Source } from '../../service/memory/source.ts';
import type { Query } from '../../wire/requests.ts';
import { ENDPOINTS } from './endpoints.ts';
import { asksAfresh, respond, type Tools } from './respond.ts';

/** The sentence for a path that is none of the interface. */
export const NOT_FOUND = `There is nothing here, only at ${Object.keys(ENDPOINTS)
  .map((name) => `/v1/${name}/`)
  .join(', ')}.`;

/**
 * Adds the endpoints of the interface.
 * @param clock the time of `now` and the relative words, read once a request
 */
export function addEndpoints(
  app: FastifyInstance,
  source: Source,
  clock: () => number,
  tools: Tools,
): void {
  for (const [name, plan] of Object.entries(ENDPOINTS)) {
    // A path that ends in a slash, whatever is before it, lacks its last segment: the station.
    for (const path of [`/v1/${name}/:station?`, `/v1/${name}/:parent/`]) {
      app.get<{ Params: { station?: string } }>(path, (request, reply) => {
        const { station = '' } = request.params;
        const call = {
          source,
          station,
          now: clock(),
          query: request.query as Query,
          signal: () => request.signal,
          isAfresh: asksAfresh(request.headers),
        };
        return respond(plan(call), request, reply, tools);
      });
    }
  }
}
