import type { Provenance } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { type Counters, createCounters, type StationService } from '../../service/service.ts';
import { splitOnTooLarge } from '../../service/splitOnTooLarge.ts';
import type { Connection } from './connection.ts';
import { diskCaches } from './diskCaches.ts';
import { openHttpService } from './httpService.ts';

/** The open service of a running command, with its reporter and counters. */
export interface Session {
  readonly service: StationService;
  /** Whether the answer for a chunk is kept, so that asking for it sends no request. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when every answer given so far is kept. */
  settle(): Promise<void>;
  /** As it is named to the user in errors. */
  readonly baseUrl: string;
  readonly reporter: Reporter;
  readonly counters: Counters;
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
  const counters = createCounters();
  const demo =
    connection.baseUrl === undefined ? await (await import('./demo.ts')).startDemo(io) : undefined;
  const baseUrl = connection.baseUrl ?? (demo?.baseUrl as string);
  // The simulated network is on this machine, where no proxy could find it.
  const proxyEnv = demo ? undefined : io.env;
  const onLongWait = (subject: string, waitMs: number): void =>
    reporter.note(`The service asks to wait ${waitMs / 1000} s before ${subject}.`);
  const http = openHttpService(
    { ...connection, baseUrl, proxyEnv, onLongWait },
    { io, reporter, counters },
  );
  const end = new AbortController();
  const signal = AbortSignal.any([io.signal, end.signal]);
  const direct = splitOnTooLarge(http);
  const kept =
    connection.cache === 'none'
      ? undefined
      : await diskCaches(direct, {
          refresh: connection.cache === 'refresh',
          timeoutMs: connection.timeoutMs,
          baseUrl,
          counters,
          io,
          reporter,
        });
  try {
    const service = kept?.service ?? direct;
    const keeps = kept?.keeps ?? (async () => false);
    const settle = kept?.settle ?? (async () => {});
    await use({ service, keeps, settle, baseUrl, reporter, counters, signal });
  } finally {
    // Where the output broke off, an answer may still be under way.
    end.abort();
    await kept?.close();
    await http.close();
    await demo?.close();
  }
}

/** Credits the data on stderr where the output does not: the license requires attribution. */
export function noteProvenance(reporter: Reporter, { attribution, license }: Provenance): void {
  reporter.note(`Data: ${attribution}. License: ${license}`);
}
