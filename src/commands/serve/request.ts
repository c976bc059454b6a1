import { UsageError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { readTrustProxy, type TrustProxy } from '../../server/edge/clientAddress.ts';
import { type Connection, readConnection } from '../shared/connection.ts';
import type { GlobalFlags } from '../shared/options.ts';
import { readBaseUrl, readDurationMs, readInteger, readSize } from '../shared/values.ts';
import { type Rate, readRate } from './rate.ts';

export interface ServeFlags extends GlobalFlags {
  readonly host: string;
  readonly port: string;
  readonly upstream?: string;
  readonly warm?: true;
  readonly stale: string;
  readonly upstreamConcurrency: string;
  readonly memory: string;
  readonly rate?: string;
  readonly trustProxy?: string;
  readonly maxConnections: string;
  readonly log?: string;
  readonly metricsHost?: string;
  readonly metricsPort?: string;
}

/** What `vane serve` was asked. */
export interface ServeRequest {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The service in front of which to be; undefined for the simulated network. */
  readonly upstream: UpstreamRequest | undefined;
  /** Where alone /health and /metrics are; undefined for the address of everything else. */
  readonly reports: { readonly host: string; readonly port: number } | undefined;
  readonly rate: Rate | undefined;
  /** Undefined trusts no proxy. */
  readonly trustProxy: TrustProxy | undefined;
  readonly maxConnections: number;
  /** `-` is stdout. */
  readonly logPath: string | undefined;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
}

export interface UpstreamRequest {
  readonly connection: Connection & { readonly baseUrl: string };
  readonly isWarm: boolean;
  readonly staleMs: number;
  /** Archive requests under way at once. */
  readonly concurrency: number;
  readonly maxAnswerBytes: number;
}

/** @throws UsageError */
export function readServeRequest(flags: ServeFlags, io: Io): ServeRequest {
  if (flags.host.trim() === '') {
    throw new UsageError('--host takes an address such as 127.0.0.1; 0.0.0.0 is every network.');
  }
  const upstream = readUpstream(flags, io);
  return {
    host: flags.host,
    port: readInteger('--port', flags.port, 0, 65_535),
    reports: readReports(flags),
    upstream,
    rate: readRate(flags.rate, upstream !== undefined),
    trustProxy: flags.trustProxy === undefined ? undefined : readTrustProxy(flags.trustProxy),
    maxConnections: readInteger('--max-connections', flags.maxConnections, 1, 1_000_000),
    logPath: flags.log,
    isQuiet: flags.quiet ?? false,
    isVerbose: flags.verbose ?? false,
  };
}

function readReports({ metricsHost, metricsPort }: ServeFlags): ServeRequest['reports'] {
  if (metricsPort !== undefined) {
    const port = readInteger('--metrics-port', metricsPort, 0, 65_535);
    return { host: metricsHost ?? '127.0.0.1', port };
  }
  if (metricsHost === undefined) return undefined;
  throw new UsageError('--metrics-host needs a port beside it; give one with --metrics-port.');
}

function readUpstream(flags: ServeFlags, io: Io): UpstreamRequest | undefined {
  const { upstream, demo, baseUrl } = flags;
  if (baseUrl !== undefined) {
    throw new UsageError('vane serve takes the service it asks from --upstream, not --base-url.');
  }
  if (demo && upstream !== undefined) {
    throw new UsageError('--demo and --upstream name two different services; give one of them.');
  }
  if (demo) return undefined;
  if (upstream === undefined) {
    throw new UsageError(
      'vane serve needs to know what to serve: --demo for the simulated network, or --upstream with the address of a service.',
    );
  }
  return {
    connection: {
      ...readConnection(flags, io),
      baseUrl: readBaseUrl('--upstream', upstream),
    },
    isWarm: flags.warm ?? false,
    staleMs: readDurationMs('--stale', flags.stale),
    concurrency: readInteger('--upstream-concurrency', flags.upstreamConcurrency, 1, 16),
    maxAnswerBytes: readSize('--memory', flags.memory),
  };
}
