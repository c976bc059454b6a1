import { UsageError } from '../../errors.ts';
import { type RequestOptions, readRequestOptions } from '../../flags/connection.ts';
import type { GlobalFlags } from '../../flags/options.ts';
import {
  readBaseUrl,
  readDurationMs,
  readIfGiven,
  readInteger,
  readSize,
} from '../../flags/values.ts';
import { readTrustProxy, type TrustProxy } from '../../server/edge/clientAddress.ts';
import type { MapTiles } from '../../server/page/page.ts';
import { type RequestRate, readRequestRate } from './rate.ts';
import { readMapTiles } from './tiles.ts';

export interface ServeFlags extends GlobalFlags {
  readonly host: string;
  readonly port: string;
  readonly upstream?: string;
  readonly warm?: true;
  readonly stale?: string;
  readonly upstreamConcurrency?: string;
  readonly memory?: string;
  readonly rate?: string;
  readonly trustProxy?: string;
  readonly maxConnections: string;
  readonly log?: string;
  readonly metricsPort?: string;
  readonly tiles?: string;
  readonly tilesAttribution?: string;
}

/** The parsed flags of `vane serve`. */
export interface ServeOptions {
  readonly host: string;
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  /** The separate port for /health and /metrics; undefined if they share the main port. */
  readonly metricsPort: number | undefined;
  /** The service to cache; undefined for the simulated network. */
  readonly upstream: UpstreamOptions | undefined;
  /** How many requests each client address may send; undefined for no limit. */
  readonly rate: RequestRate | undefined;
  /** Decides which proxies are trusted; undefined trusts none. */
  readonly trustProxy: TrustProxy | undefined;
  readonly maxConnections: number;
  /** The path of the access log; `-` means stdout. */
  readonly logPath: string | undefined;
  /** The tile layer of the page's map; undefined for coastlines only. */
  readonly tiles: MapTiles | undefined;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
}

/** The options of a server that caches another service. */
export interface UpstreamOptions {
  readonly connection: RequestOptions & { readonly baseUrl: string };
  /** Whether to refresh the list of all stations before a client requests it. */
  readonly isWarm: boolean;
  /** Maximum age of live data that are served while the service fails, milliseconds. */
  readonly staleMs: number;
  /** Maximum number of concurrent archive requests to the service. */
  readonly concurrency: number;
  /** Memory for responses, bytes. */
  readonly maxResponseBytes: number;
}

/**
 * Reads the flags of `vane serve`.
 * @param isGiven whether the user gave a flag, so that its value is not just the default
 * @throws UsageError
 */
export function readServeOptions(
  flags: ServeFlags,
  isGiven: (flag: string) => boolean,
): ServeOptions {
  if (flags.host.trim() === '') {
    throw new UsageError(
      '--host takes an address such as 127.0.0.1; 0.0.0.0 listens on all networks.',
    );
  }
  const policy = readRequestOptions(flags);
  const upstream = readUpstream(flags, policy, isGiven);
  return {
    host: flags.host,
    port: readInteger('--port', flags.port, 0, 65_535),
    metricsPort: readIfGiven(flags.metricsPort, (text) =>
      readInteger('--metrics-port', text, 0, 65_535),
    ),
    upstream,
    rate: readRequestRate(flags.rate, upstream !== undefined),
    trustProxy: readIfGiven(flags.trustProxy, readTrustProxy),
    maxConnections: readInteger('--max-connections', flags.maxConnections, 1, 1_000_000),
    logPath: flags.log,
    tiles: readMapTiles(flags.tiles, flags.tilesAttribution),
    isQuiet: policy.isQuiet,
    isVerbose: policy.isVerbose,
  };
}

/** The flags that only apply to a server with --upstream. */
const UPSTREAM_OPTIONS = {
  warm: '--warm',
  stale: '--stale',
  upstreamConcurrency: '--upstream-concurrency',
  memory: '--memory',
  timeout: '--timeout',
  retries: '--retries',
  cache: '--no-cache',
  refresh: '--refresh',
} as const;

/** Reads `--upstream`, whose data the server caches; undefined for the simulated network. */
function readUpstream(
  flags: ServeFlags,
  policy: RequestOptions,
  isGiven: (flag: string) => boolean,
): UpstreamOptions | undefined {
  const { upstream, demo, baseUrl, stale = '24h', upstreamConcurrency = '4' } = flags;
  if (baseUrl !== undefined) {
    throw new UsageError(
      'vane serve takes the address of the service from --upstream, not from --base-url.',
    );
  }
  if (demo && upstream !== undefined) {
    throw new UsageError('--demo and --upstream are two different services; use one of them.');
  }
  if (demo) {
    const useless = Object.entries(UPSTREAM_OPTIONS).find(([flag]) => isGiven(flag));
    if (useless) throw new UsageError(`${useless[1]} works only with --upstream, not with --demo.`);
    return undefined;
  }
  if (upstream === undefined) {
    throw new UsageError(
      'vane serve needs --demo, to serve the simulated network, or --upstream with the address of a service.',
    );
  }
  return {
    connection: { ...policy, baseUrl: readBaseUrl('--upstream', upstream) },
    isWarm: flags.warm ?? false,
    staleMs: readDurationMs('--stale', stale),
    concurrency: readInteger('--upstream-concurrency', upstreamConcurrency, 1, 16),
    maxResponseBytes: readSize('--memory', flags.memory ?? '256MB'),
  };
}
