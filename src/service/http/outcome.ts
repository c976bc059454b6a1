import { MINUTE_MS } from '../../domain/dates.ts';
import { joinAlternatives, printable } from '../../domain/text.ts';
import {
  BrokenResponseError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UnexpectedResponseError,
} from '../../errors.ts';
import { decodeError, ERROR_STATUS, type ErrorCode } from '../../wire/errorBody.ts';
import { PUBLIC_BASE_URLS } from '../service.ts';
import { isHostMissing, TransportFailure } from './failure.ts';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry.ts';
import type { HttpResponse } from './transport.ts';

const UNKNOWN = 'station_not_found' satisfies ErrorCode;

/** What was requested, for errors: “the archive of station 110”. */
export interface RequestSubject {
  /** The data in words that complete “could not get …”. */
  readonly what: string;
  /** The id of the requested station; undefined for all stations. */
  readonly station: number | undefined;
}

/** The name of a service in messages, and the option that sets its address. */
interface Place {
  readonly serviceName: string;
  /** The variables that chose a proxy, as returned by `describeProxy`. */
  readonly byProxy: string;
  readonly addressOption: string;
}

/**
 * Creates the error for a response whose status is not 200.
 * @param now the current time, milliseconds since 1970, to which a Retry-After in seconds is added
 */
export function statusFailure(
  { what, station }: RequestSubject,
  { status, header, body }: HttpResponse,
  { serviceName, addressOption }: Place,
  now: number,
): Error {
  const error = decodeError(body.toString());
  const words = (text: string) => printable(text).slice(0, 300);
  const reason = error ? words(`${error.error_code}: ${error.error_message}`) : '';
  const serviceMessage = error && words(error.error_message);
  const passing = temporaryFailure({ status, header }, now, reason);
  if (passing) return passing;
  // A 404 without an error code means that the service lacks the station, or that the address is
  // wrong.
  if (status === 404 && station !== undefined && (error?.error_code ?? UNKNOWN) === UNKNOWN) {
    const doubt = error ? '' : ` If no station is found there, check ${addressOption}.`;
    const message = `Station ${station} is not known at ${serviceName}.${doubt}`;
    return new NotFoundError(message, serviceMessage);
  }
  // A proxy may also respond with 413, but without the error code of station services.
  const isTooLarge = status === ERROR_STATUS.request_too_large;
  if (isTooLarge || (status >= 400 && status !== 404 && error)) {
    const sentence = `${serviceName} rejected the request for ${what}: ${reason || `status ${status}`}`;
    return new RefusedError(sentence, status, error?.error_code, serviceMessage);
  }
  const location = header('location');
  const target = location
    ? `${printable(location).slice(0, 200)}, which is not followed`
    : 'nowhere';
  const elsewhere = status >= 300 && status < 400 ? `, a redirect to ${target}` : '';
  return new UnexpectedResponseError(
    `${serviceName} responded with ${status}${elsewhere} to the request for ${what}.`,
  );
}

/**
 * Creates the failure for a status that may be temporary (429, or 500 and above); undefined for
 * other statuses.
 * @param now the current time, milliseconds since 1970, to which a Retry-After in seconds is added
 * @param reason the service's own words for the failure; may be empty
 */
export function temporaryFailure(
  { status, header }: Pick<HttpResponse, 'status' | 'header'>,
  now: number,
  reason = '',
): TransportFailure | undefined {
  if (status !== 429 && status < 500) return undefined;
  const retryAfterMs = parseRetryAfter(header('retry-after'), now);
  return new TransportFailure(`it responded with ${status}${reason && ` (${reason})`}`, {
    retryAfterMs,
  });
}

/** Creates the error that the user reads after the last attempt. */
export function finalError(
  error: unknown,
  what: string,
  { serviceName, byProxy, addressOption }: Place,
  attempts: number,
): unknown {
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : '';
  if (error instanceof BrokenResponseError) {
    const sentence = error.message.replace(/\.$/, `${tried}.`);
    const advice = `It came from ${serviceName}; try again later.`;
    return new BrokenResponseError(`${sentence} ${advice}`, { cause: error });
  }
  if (error instanceof TransportFailure) {
    const { retryAfterMs, mayPass, wasSent } = error;
    const advice =
      retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS
        ? `It asks you to wait ${Math.ceil(retryAfterMs / MINUTE_MS)} minutes; try again then.`
        : `${mayPass ? 'Try again later, or check' : 'Check'} ${addressOption} and the network.`;
    // With a proxy, the unknown host is that of the proxy.
    const others =
      isHostMissing(error) && !byProxy ? ` ${nameOthers(serviceName, addressOption)}` : '';
    const sentence = `Could not get ${what} from ${serviceName}${byProxy}: ${error.message}${tried}. ${advice}${others}`;
    return new UnavailableError(sentence, { cause: error, retryAfterMs, wasSent });
  }
  if (error instanceof UnexpectedResponseError) {
    const advice = `${serviceName} is perhaps not a station service; check ${addressOption}.`;
    return new UnexpectedResponseError(`${error.message} ${advice}`, { cause: error });
  }
  return error;
}

/** A sentence about other addresses that the service may have. */
function nameOthers(serviceName: string, addressOption: string): string {
  const others = PUBLIC_BASE_URLS.filter((url) => url !== serviceName);
  return `Try ${addressOption} ${joinAlternatives(others)}, or --demo, which needs no network.`;
}
