import type { LiveStations, Provenance } from '../domain/envelope.ts';
import type { Station } from '../domain/station.ts';
import { NotFoundError } from '../errors.ts';
import type { Connection } from '../flags/connection.ts';
import type { Io, Terminal } from '../io.ts';
import { createReporter, type Reporter } from '../output/reporter.ts';
import { httpService } from '../service/http/http.ts';
import { type Counters, createCounters, type StationService } from '../service/service.ts';
import { splitOnTooLarge } from '../service/splitOnTooLarge.ts';
import { VERSION } from '../version.ts';
import { type DiskCaches, diskCaches } from './diskCaches.ts';

/** The open service of a running command, with its reporter and counters. */
export interface Session extends Pick<DiskCaches, 'keeps' | 'settle'> {
  readonly service: StationService;
  readonly baseUrl: string;
  /** The name of the service in messages. */
  readonly serviceName: string;
  readonly reporter: Reporter;
  readonly counters: Counters;
  /** Aborts when the command is interrupted, and when it is over for any other reason. */
  readonly signal: AbortSignal;
}

/** Opens the service of a connection, runs `use`, and closes the service even after a failure. */
export async function withService(
  connection: Connection,
  io: Io,
  use: (session: Session) => Promise<void>,
): Promise<void> {
  const reporter = createReporter(io, connection);
  const counters = createCounters();
  const demo =
    connection.baseUrl === undefined
      ? await (await import('../server/server.ts')).startDemo(io.now)
      : undefined;
  const baseUrl = connection.baseUrl ?? (demo?.baseUrl as string);
  // The port of the simulated network changes each time, so messages name the network instead.
  const serviceName = connection.baseUrl ?? 'the simulated network';
  const onLongWait = (subject: string, waitMs: number): void =>
    reporter.note(`The service asks to wait ${waitMs / 1000} s before ${subject}.`);
  // The simulated network listens on this machine alone, so its requests take no proxy.
  const proxyEnv = demo ? {} : io.env;
  const tools = httpTools(io, reporter);
  const address = { baseUrl, serviceName, proxyEnv };
  const http = httpService({ ...connection, ...tools, ...address, counters, onLongWait });
  const end = new AbortController();
  const signal = AbortSignal.any([io.signal, end.signal]);
  const direct = splitOnTooLarge(http);
  const refresh = connection.cache === 'refresh';
  const cached =
    connection.cache === 'none'
      ? { ...UNCACHED, service: direct }
      : diskCaches(direct, { ...connection, baseUrl, refresh, counters, io, reporter });
  try {
    const { service, keeps, settle } = cached;
    await use({ service, keeps, settle, baseUrl, serviceName, reporter, counters, signal });
  } finally {
    // Abort the requests that are still under way if the output broke off.
    end.abort();
    await cached.close();
    await http.close();
    await demo?.close();
  }
}

const UNCACHED = { keeps: async () => false, settle: async () => {}, close: async () => {} };

/** The options of the HTTP client that are the same in every command. */
export function httpTools({ now, sleep, random }: Io, { detail }: Reporter) {
  return { userAgent: `vane/${VERSION}`, now, sleep, random, log: detail };
}

/** On a terminal {@link noteProvenance} shortens its line to this many characters, if it can. */
const CREDIT_COLUMNS = 80;

/**
 * Prints attribution and license on stderr, for output that does not hold them: the license
 * requires it. On a terminal the line is shortened if that makes it fit.
 */
export function noteProvenance(
  reporter: Pick<Reporter, 'note'>,
  { attribution, license }: Pick<Provenance, 'attribution' | 'license'>,
  terminal: Terminal | undefined,
): void {
  const full = `Data: ${attribution}. License: ${license}`;
  const holder = attribution.replace(/\s*<[^<>]*>\s*$/, '');
  const address = license.replace(/^https?:\/\//, '').replace(/\/$/, '');
  const variants = [full, `Data: ${holder}. License: ${address}`, `${holder}, ${address}`];
  const fitting = (columns: number) => variants.find(({ length }) => length <= columns);
  const short = terminal && (fitting(CREDIT_COLUMNS) ?? fitting(terminal.columns));
  reporter.note(short ?? full);
}

/**
 * Requests the latest data: of one station if exactly one is named, else of all.
 * @throws NotFoundError for a single unknown station; every failure of a StationService
 */
export async function askFor(
  stations: readonly number[] | 'all',
  withMeta: boolean,
  { service, signal }: Pick<Session, 'service' | 'signal'>,
): Promise<LiveStations> {
  const [first, ...others] = stations === 'all' ? [] : stations;
  if (first !== undefined && others.length === 0) {
    const answer = await service.live(first, { withMeta, signal });
    return { ...answer, data: [answer.data] };
  }
  return service.liveAll({ withMeta, signal });
}

/** The stations named on the command line; all stations where none is named. */
export function keepNamed(
  named: readonly number[] | 'all',
  stations: readonly Station[],
): readonly Station[] {
  // A service may answer a request for one station with a different id.
  if (named === 'all' || named.length === 1) return stations;
  return stations.filter(({ id }) => named.includes(id));
}

/** Refuses named stations that the service lacks. @throws NotFoundError that names them */
export function refuseUnknown(
  named: readonly number[] | 'all',
  stations: readonly Station[],
  { serviceName }: Pick<Session, 'serviceName'>,
): void {
  // Do not check a single station by id: a service may answer with a different id than asked.
  if (named === 'all' || named.length === 1) return;
  const known = new Set(stations.map(({ id }) => id));
  const unknown = named.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const who =
    unknown.length === 1 ? `Station ${unknown[0]} is` : `Stations ${unknown.join(', ')} are`;
  throw new NotFoundError(`${who} not known at ${serviceName}.`);
}
