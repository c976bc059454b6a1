import type { ServerOptions } from 'node:http';

/** Limits of a request to a server that anybody can reach. */
export const SERVER_LIMITS = {
  /**
   * Most bytes of the head of a request, as in Node: a domain's cookies and a proxy's headers fit.
   */
  maxHeaderSize: 16 * 1024,
  /**
   * The longest time to send the head of a request, ten times what 1 kB takes at 1 kB/s: this cuts
   * off a client that sends byte by byte.
   */
  headersTimeout: 10_000,
  /**
   * The longest time to send a request: as long as for the head, since a request that the server
   * serves has no body.
   */
  requestTimeout: 10_000,
  /**
   * Time between two checks for requests that take too long: Node's 30 s would stretch a timeout of
   * 10 s to 40 s.
   */
  connectionsCheckingInterval: 5000,
  /**
   * How long an idle connection stays open: longer than with proxies (nginx and AWS 60 s). If the
   * server closed it first, the proxy's next request could fail, and its client would get a 502.
   */
  keepAliveTimeout: 65_000,
  // A hook refuses a request without the header Host: Node's own refusal lacks the headers of other
  // responses.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** A connection with an open request ends after this time without a byte in either direction. */
export const IDLE_TIMEOUT_MS = 60_000;

/** The longest time to make a response, so that an error is sent before IDLE_TIMEOUT_MS. */
export const RESPONSE_TIMEOUT_MS = 50_000;

/** The longest time in which a client may receive a response: 1 MB at 9 kB/s. */
export const RECEIVE_TIMEOUT_MS = 120_000;

/**
 * Most connections at once: each takes memory and an open file, and systems often allow 16,384 open
 * files or more.
 */
export const MAX_CONNECTIONS = 10_000;

/** How many clients the limit of requests a minute remembers, in some 10 MB. */
export const MAX_RATE_LIMITED_CLIENTS = 50_000;
