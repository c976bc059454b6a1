import type { ServerOptions } from 'node:http';

/** Limits of a request to a server that anybody can reach. */
export const SERVER_LIMITS = {
  /** Bytes of a head with its target, as in Node: a domain's cookies and a proxy's headers fit. */
  maxHeaderSize: 16 * 1024,
  /** Ten times what a head of 1 kB takes at 1 kB/s; a client that sends byte by byte is cut off. */
  headersTimeout: 10_000,
  /** As long as for the head: a request that the server answers has no body. */
  requestTimeout: 10_000,
  /** By default Node checks timeouts every 30 s, which would stretch 10 s to 40 s. */
  connectionsCheckingInterval: 5000,
  /**
   * Longer than a proxy keeps an idle connection (nginx and AWS 60 s): a proxy whose request comes
   * while the connection is being closed answers its client 502.
   */
  keepAliveTimeout: 65_000,
  // A hook refuses a request without Host: Node's own refusal lacks the headers of other answers.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/**
 * A connection with an open request ends after this time without a byte in either direction, since
 * a client may stop reading. Twice the 30 s that the server waits for a service, so that a slow
 * service's answer can start.
 */
export const IDLE_TIMEOUT_MS = 60_000;

/** Each connection takes memory and an open file; systems often allow 16,384 open files or more. */
export const MAX_CONNECTIONS = 10_000;
