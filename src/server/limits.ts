import type { Server, ServerOptions } from 'node:http';

/** How much a client may ask of a server that anybody can reach, and why so much. */
export const SERVER_LIMITS = {
  /** Node's own, the request's address within it: cookies of a whole domain fit, and what a proxy adds. */
  maxHeaderBytes: 16 * 1024,
  /** A head of 1 kB at 1 kB/s, ten times over; a client that sends byte by byte is cut off. */
  headersTimeoutMs: 10_000,
  /** No request that is answered has a body, so there is nothing more to wait for. */
  requestTimeoutMs: 10_000,
  /** Node looks for the two every 30 s by itself, which would make them 40 s. */
  checkEveryMs: 5000,
  /**
   * Longer than a proxy keeps its end (nginx and AWS 60 s), since one that sends a request on a
   * connection that is just being closed answers its client 502.
   */
  keepAliveTimeoutMs: 65_000,
  /**
   * Without a byte in either direction while a request is open: for clients that stop reading.
   * It also ends those that wait for an answer, which has to start sooner: a service is waited for 30 s.
   */
  idleTimeoutMs: 60_000,
  /** Idle ones take memory, and each a file, of which systems often give 16,384 or more. */
  maxConnections: 10_000,
  /** 0 is no limit: there is nothing a proxy's connection would be too old for. */
  maxRequestsPerSocket: 0,
} as const;

/** Those of the limits that Node only takes when a server is made. */
export const LIMITED: Pick<ServerOptions, 'maxHeaderSize' | 'connectionsCheckingInterval'> = {
  maxHeaderSize: SERVER_LIMITS.maxHeaderBytes,
  connectionsCheckingInterval: SERVER_LIMITS.checkEveryMs,
};

type Limited = Pick<
  Server,
  | 'headersTimeout'
  | 'requestTimeout'
  | 'keepAliveTimeout'
  | 'timeout'
  | 'maxRequestsPerSocket'
  | 'maxConnections'
>;

/**
 * Sets the limits of a server made with the options of {@link LIMITED}. Further connections than
 * `maxConnections` (from 1) are closed at once.
 */
export function applyLimits(server: Limited, maxConnections: number): void {
  server.headersTimeout = SERVER_LIMITS.headersTimeoutMs;
  server.requestTimeout = SERVER_LIMITS.requestTimeoutMs;
  server.keepAliveTimeout = SERVER_LIMITS.keepAliveTimeoutMs;
  server.timeout = SERVER_LIMITS.idleTimeoutMs;
  server.maxRequestsPerSocket = SERVER_LIMITS.maxRequestsPerSocket;
  server.maxConnections = maxConnections;
}
