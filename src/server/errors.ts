import { NotFoundError, NotInterfaceError, RefusedError, UnavailableError } from '../errors.ts';
import { ERROR_STATUS, type ErrorBody } from '../wire/errors.ts';
import { RequestError } from '../wire/requests.ts';

/** An answer that is not 200. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** What a client is told of a failure; of an unexpected one, only that it happened. */
export function answerError(error: unknown): ErrorAnswer {
  if (error instanceof RequestError) {
    return errorAnswer(ERROR_STATUS[error.code], error.code, error.message);
  }
  if (error instanceof NotFoundError) {
    return errorAnswer(ERROR_STATUS.station_not_found, 'station_not_found', error.message);
  }
  if (error instanceof RefusedError) {
    return errorAnswer(error.status, error.errorCode ?? 'refused', error.message);
  }
  if (error instanceof UnavailableError || error instanceof NotInterfaceError) {
    const answer = errorAnswer(503, 'upstream_unavailable', error.message);
    const waitMs = error instanceof UnavailableError ? error.retryAfterMs : undefined;
    return waitMs === undefined ? answer : { ...answer, headers: retryAfter(waitMs) };
  }
  return errorAnswer(500, 'internal_error', 'The server failed while it answered this request.');
}

function errorAnswer(status: number, code: string, message: string): ErrorAnswer {
  return { status, headers: {}, body: { error_code: code, error_message: message } };
}

/** Tells a client when to ask again. */
export function retryAfter(waitMs: number): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}
