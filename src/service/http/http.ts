import { formatDate } from '../../domain/dates.ts';
import type { Archive } from '../../domain/envelope.ts';
import { describePeriod, type Period } from '../../domain/period.ts';
import { printable } from '../../domain/text.ts';
import {
  BrokenAnswerError,
  NotFoundError,
  NotInterfaceError,
  RefusedError,
  UnavailableError,
} from '../../errors.ts';
import { decodeArchive } from '../../wire/archive.ts';
import { decodeError, ERROR_STATUS, type ErrorCode } from '../../wire/errors.ts';
import { decodeLiveStation, decodeLiveStations } from '../../wire/live.ts';
import { archivePath, livePath } from '../../wire/requests.ts';
import type { Counters } from '../counters.ts';
import type { Slot } from '../semaphore.ts';
import type { StationService } from '../service.ts';
import { LONGEST_RETRY_AFTER_MS, parseRetryAfter, TransportFailure, withRetries } from './retry.ts';
import {
  type Answer,
  createTransport,
  type GetOptions,
  type TransportOptions,
} from './transport.ts';

export interface HttpServiceOptions extends TransportOptions {
  /** Scheme, host and any path before `/v1`, without a slash at its end. */
  readonly baseUrl: string;
  /** Attempts after the first. */
  readonly retries: number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly counters: Counters;
  /** Told of a wait that a person would wonder about. */
  readonly onLongWait?: (what: string, waitMs: number) => void;
  /** Told of the `Date` of each answer, milliseconds since 1970. */
  readonly onDate?: (dateMs: number) => void;
  /** Given one line for each request and each wait. */
  readonly log?: (line: string) => void;
}

const LONG_WAIT_MS = 5000;

export interface HttpService extends StationService {
  close(): Promise<void>;
}

/** What is asked for: `what` completes “could not get …”. */
interface Question<T> extends GetOptions {
  readonly what: string;
  readonly path: string;
  /** Undefined when the question is about all stations. */
  readonly station: number | undefined;
  readonly decode: (body: Buffer) => T;
  readonly slot?: Slot | undefined;
  readonly onAnswered?: ((answeredMs: number) => void) | undefined;
}

/** The station service at a base address. */
export function httpService(options: HttpServiceOptions): HttpService {
  const transport = createTransport(options);
  const { baseUrl, log, counters } = options;

  async function fetch(url: string, asking: GetOptions): Promise<Answer> {
    asking.signal?.throwIfAborted();
    const begun = options.now();
    const tell = (outcome: string) => log?.(`GET ${url} ${outcome}, ${options.now() - begun} ms`);
    try {
      counters.requests++;
      const answer = await transport.get(url, asking);
      counters.bytes += answer.bytes;
      tell(`${answer.status}, ${answer.bytes} bytes`);
      return answer;
    } catch (error) {
      tell(error instanceof Error ? error.message : 'failed');
      throw error;
    }
  }

  function tellDate({ headers }: Answer, { onAnswered }: Question<unknown>): void {
    const dateMs = Date.parse(headers.date ?? '');
    if (Number.isNaN(dateMs)) return;
    options.onDate?.(dateMs);
    onAnswered?.(dateMs);
  }

  async function askOnce<T>(question: Question<T>): Promise<T> {
    await question.slot?.take();
    const answer = await fetch(baseUrl + question.path, question);
    // Whoever is next need not wait until this answer is read, but as long as the service says no.
    if (answer.status === 200) {
      question.slot?.release();
      tellDate(answer, question);
    }
    const body = await answer.body();
    try {
      return interpret(question, answer, body, options);
    } catch (error) {
      if (!(error instanceof BrokenAnswerError)) throw error;
      throw new TransportFailure(error.message, { cause: error });
    }
  }

  async function ask<T>(question: Question<T>): Promise<T> {
    let attempts = 0;
    const policy = {
      retries: options.retries,
      random: options.random,
      sleep: (ms: number) => options.sleep(ms, question.signal),
      onRetry: (_: TransportFailure, waitMs: number) => {
        counters.retries++;
        log?.(`again in ${waitMs / 1000} s`);
        if (waitMs >= LONG_WAIT_MS) options.onLongWait?.(question.what, waitMs);
      },
    };
    try {
      return await withRetries(() => {
        attempts++;
        return askOnce(question);
      }, policy);
    } catch (error) {
      throw finalError(error, question.what, options, attempts);
    }
  }

  return {
    live: (station, { withMeta, signal }) =>
      ask({
        what: `the latest measurements of station ${station}`,
        path: livePath(station, withMeta),
        station,
        decode: (body) => decodeLiveStation(body.toString(), station, withMeta),
        isBrief: true,
        signal,
      }),

    liveAll: ({ withMeta, signal }) =>
      ask({
        what: 'the latest measurements of all stations',
        path: livePath('all', withMeta),
        station: undefined,
        decode: (body) => decodeLiveStations(body.toString(), withMeta),
        isBrief: false,
        signal,
      }),

    archive: (station, period, { signal, slot, onAnswered, isAfresh } = {}) =>
      ask({
        what: `the archive of station ${station} ${describePeriod(period)}`,
        path: archivePath(station, period, 'json'),
        station,
        decode: (body) => refuseForeignRows(decodeArchive(body, station, period), station, period),
        isBrief: false,
        isAfresh,
        signal,
        slot,
        onAnswered,
      }),

    close: () => transport.close(),
  };
}

/**
 * Rows at `stop` may come from a service that includes it.
 * @throws BrokenAnswerError for rows of which not one is of the period
 */
function refuseForeignRows(archive: Archive, station: number, period: Period): Archive {
  const { start, stop } = period;
  const { rows } = archive;
  if (rows.count === 0 || rows.hasAny(formatDate(start), formatDate(stop + 1))) return archive;
  throw new BrokenAnswerError(
    `The archive of station ${station} ${describePeriod(period)} holds ${rows.count} rows, all of another period.`,
  );
}

const UNKNOWN = 'station_not_found' satisfies ErrorCode;

/** An answer's value, or what its status means. @throws every failure of a StationService */
function interpret<T>(
  question: Question<T>,
  { status, headers }: Answer,
  body: Buffer,
  { baseUrl, now }: HttpServiceOptions,
): T {
  if (status === 200) return question.decode(body);
  const { what, station } = question;
  const error = decodeError(body.toString());
  const reason = printable(error ? `${error.error_code}: ${error.error_message}` : '').slice(
    0,
    300,
  );
  if (status === 429 || status >= 500) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], now());
    throw new TransportFailure(`it answered ${status}${reason && ` (${reason})`}`, {
      retryAfterMs,
    });
  }
  // A 404 without the interface's word for it may be the station's, or that of a wrong address.
  if (status === 404 && station !== undefined && (error?.error_code ?? UNKNOWN) === UNKNOWN) {
    const doubt = error ? '' : ' If no station is found there, check --base-url.';
    throw new NotFoundError(`Station ${station} is not known at ${baseUrl}.${doubt}`);
  }
  // Proxies too find an answer too large, without the interface's words.
  const isTooLarge = status === ERROR_STATUS.request_too_large;
  if (isTooLarge || (status >= 400 && status !== 404 && error)) {
    const sentence = `${baseUrl} refused ${what}: ${reason || `it answered ${status}`}`;
    throw new RefusedError(sentence, status, error?.error_code);
  }
  const elsewhere = status >= 300 && status < 400 ? redirection(headers.location) : '';
  throw new NotInterfaceError(`Asked for ${what}, ${baseUrl} answered ${status}${elsewhere}.`);
}

function redirection(location: string | undefined): string {
  return location === undefined
    ? ', a redirect to nowhere'
    : `, a redirect to ${printable(location).slice(0, 200)}, which is not followed`;
}

/** The sentence a user reads, once no further attempt is made. */
function finalError(
  error: unknown,
  what: string,
  { baseUrl, proxyEnv }: HttpServiceOptions,
  attempts: number,
): unknown {
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : '';
  if (error instanceof TransportFailure && error.cause instanceof BrokenAnswerError) {
    const sentence = error.message.replace(/\.$/, `${tried}.`);
    return new BrokenAnswerError(`${sentence} Try again later; ${baseUrl} sent it.`, {
      cause: error,
    });
  }
  if (error instanceof TransportFailure) {
    const { retryAfterMs = 0, mayPass, wasSent } = error;
    const advice =
      retryAfterMs > LONGEST_RETRY_AFTER_MS
        ? `It asks to wait ${Math.ceil(retryAfterMs / 60_000)} minutes; try again then.`
        : `${mayPass ? 'Try again later, or check' : 'Check'} --base-url and the network.`;
    const by = describeProxy(baseUrl, proxyEnv);
    const sentence = `Could not get ${what} from ${baseUrl}${by}: ${error.message}${tried}. ${advice}`;
    return new UnavailableError(sentence, {
      cause: error,
      retryAfterMs: error.retryAfterMs,
      wasSent,
    });
  }
  if (error instanceof NotInterfaceError) {
    const advice = `${baseUrl} may not be a wind-station service; check --base-url.`;
    return new NotInterfaceError(`${error.message} ${advice}`, { cause: error });
  }
  return error;
}

/** A proxy of the environment is as likely to fail as the service. */
function describeProxy(baseUrl: string, env: HttpServiceOptions['proxyEnv']): string {
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return env?.[name.toLowerCase()] || env?.[name] ? `, with ${name} set` : '';
}
