import type { ServerOptions } from 'node:http';

/** Limits for requests from the public internet. */
export const SERVER_LIMITS = {
  /** Maximum size of a request's head, as in Node. A domain's cookies and a proxy's headers fit. */
  maxHeaderSize: 16 * 1024,
  /**
   * Maximum time to send the head of a request, ten times what 1 kB takes at 1 kB/s. Cuts off
   * clients that send byte by byte.
   */
  headersTimeout: 10_000,
  /**
   * Maximum time to send a request. It equals that of the head, since valid requests have no body.
   */
  requestTimeout: 10_000,
  /**
   * Interval of the checks for slow requests. Node's default of 30 s would stretch a timeout of 10
   * s to 40 s.
   */
  connectionsCheckingInterval: 5000,
  /**
   * How long an idle connection stays open: longer than at proxies (60 s in nginx and AWS). If the
   * server closed first, a proxy's next request could fail, and its client would get a 502.
   */
  keepAliveTimeout: 65_000,
  // Node's refusal of a request without Host would lack the headers of other responses. A hook
  // refuses it instead.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** A connection with an open request is closed after this time without any traffic. */
export const IDLE_TIMEOUT_MS = 60_000;

/** Maximum time to create a response, so that an error can be sent before IDLE_TIMEOUT_MS. */
export const RESPONSE_TIMEOUT_MS = 50_000;

/** Maximum time for a client to receive a response: enough for 1 MB at 9 kB/s. */
export const RECEIVE_TIMEOUT_MS = 120_000;

/**
 * Maximum number of connections. Each needs memory and an open file, and systems often allow only
 * 16,384 open files.
 */
export const MAX_CONNECTIONS = 10_000;

/** Maximum number of clients whose request rate is tracked, in about 10 MB. */
export const MAX_RATE_LIMITED_CLIENTS = 50_000;
