import { DEFAULT_BASE_URL } from '../defaults.ts';
import type { Period } from '../domain/period.ts';
import { hideUser } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import { type Io, LONGEST_TIMER_MS } from '../io.ts';
import type { GlobalFlags } from '../options.ts';
import { createReporter, type Reporter } from '../output/reporter.ts';
import { halvingService } from '../service/halving.ts';
import type { Lifetime } from '../service/http/connections.ts';
import { httpService } from '../service/http/http.ts';
import { createMeter, type Meter } from '../service/meter.ts';
import type { StationService } from '../service/service.ts';
import { VERSION } from '../version.ts';
import { findBaseUrl, NO_CONFIG } from './config/settings.ts';
import { readDurationMs, readInteger } from './flags.ts';

/** Which service to ask, how patiently, and what to tell of it. */
export interface Connection {
  /** Undefined for the simulated network. */
  readonly baseUrl: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly lifetime: Lifetime;
  /** Whether answers are kept on disk between commands, and taken from there. */
  readonly cache: 'use' | 'refresh' | 'none';
}

/** @throws UsageError */
export function readConnection(flags: GlobalFlags, io: Io, config = NO_CONFIG): Connection {
  if (flags.demo && flags.baseUrl !== undefined) {
    throw new UsageError('--demo and --base-url name two different services; give one of them.');
  }
  const timeoutMs = readDurationMs('--timeout', flags.timeout);
  if (timeoutMs > LONGEST_TIMER_MS) throw new UsageError('--timeout is at most 24d.');
  const address = findBaseUrl(flags, io.env, config);
  return {
    baseUrl: flags.demo ? undefined : readBaseUrl(address.by, address.value),
    timeoutMs,
    retries: readInteger('--retries', flags.retries, 0, 20),
    isQuiet: flags.quiet ?? false,
    isVerbose: flags.verbose ?? false,
    lifetime: 'command',
    // The simulated network costs nobody anything, and its port is another one each time.
    cache: flags.demo || !flags.cache ? 'none' : flags.refresh ? 'refresh' : 'use',
  };
}

export function readBaseUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${name} takes an address such as ${DEFAULT_BASE_URL}, without user, query or fragment, not “${hideUser(text)}”.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** What a command is given to work with, for as long as it runs. */
export interface Session {
  readonly service: StationService;
  /** Whether the answer for a window is kept, so that asking for it sends no request. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when every answer given so far is kept. */
  settle(): Promise<void>;
  /** As it is named to the user in errors. */
  readonly baseUrl: string;
  readonly reporter: Reporter;
  readonly meter: Meter;
  /** Aborts when the command is interrupted, and when it is over for any other reason. */
  readonly signal: AbortSignal;
}

/** Opens the connection, runs `use` with it and closes everything again, whatever happens. */
export async function withService(
  connection: Connection,
  io: Io,
  use: (session: Session) => Promise<void>,
): Promise<void> {
  const reporter = createReporter(io, connection);
  const meter = createMeter();
  const demo = connection.baseUrl === undefined ? await startDemo(io) : undefined;
  const baseUrl = connection.baseUrl ?? (demo?.baseUrl as string);
  const http = httpService({
    ...connection,
    baseUrl,
    userAgent: `vane/${VERSION}`,
    lifetime: connection.lifetime,
    // The simulated network is on this machine, where no proxy could find it.
    proxyEnv: demo ? undefined : io.env,
    now: io.now,
    sleep: io.sleep,
    random: io.random,
    meter,
    log: reporter.detail,
    onLongWait: (what, waitMs) =>
      reporter.note(`The service asks to wait ${waitMs / 1000} s before ${what}.`),
  });
  const end = new AbortController();
  const signal = AbortSignal.any([io.signal, end.signal]);
  const direct = halvingService(http);
  const kept =
    connection.cache === 'none'
      ? undefined
      : await (await import('./keptAnswers.ts')).keptAnswers(direct, {
          refresh: connection.cache === 'refresh',
          timeoutMs: connection.timeoutMs,
          baseUrl,
          meter,
          io,
          reporter,
        });
  try {
    const service = kept?.service ?? direct;
    const keeps = kept?.keeps ?? (async () => false);
    const settle = kept?.settle ?? (async () => {});
    await use({ service, keeps, settle, baseUrl, reporter, meter, signal });
  } finally {
    // Where the output broke off, an answer may still be under way.
    end.abort();
    await kept?.close();
    await http.close();
    await demo?.close();
  }
}

async function startDemo(io: Io) {
  const [{ startServer }, { simulatedService }] = await Promise.all([
    import('../server/server.ts'),
    import('../service/simulated.ts'),
  ]);
  return startServer({
    service: simulatedService(io.now),
    host: '127.0.0.1',
    port: 0,
    now: io.now,
  });
}
