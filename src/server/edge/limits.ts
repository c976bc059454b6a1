import type { ServerOptions } from 'node:http';

/** Limits of a request to a server that anybody can reach. */
export const SERVER_LIMITS = {
  /** Node's default, the target included: the cookies of a whole domain and a proxy's headers fit. */
  maxHeaderSize: 16 * 1024,
  /** A head of 1 kB at 1 kB/s, ten times over; a client that sends byte by byte is cut off. */
  headersTimeout: 10_000,
  /** A request that is answered has no body, so it ends with its head. */
  requestTimeout: 10_000,
  /** Node checks the two timeouts every 30 s by default, which would make them 40 s. */
  connectionsCheckingInterval: 5000,
  /**
   * Longer than a proxy keeps its end (nginx and AWS 60 s): a proxy that sends a request on a
   * connection that is just being closed answers its client 502.
   */
  keepAliveTimeout: 65_000,
  // A hook answers a request without Host, so that the answer has the headers of all others.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/**
 * Time without a byte in either direction while a request is open: ends clients that stop reading.
 * Twice the 30 s that a service is waited for, since an answer has to start sooner.
 */
export const IDLE_TIMEOUT_MS = 60_000;

/** Idle connections take memory and a file each; systems often allow 16,384 files or more. */
export const MAX_CONNECTIONS = 10_000;
