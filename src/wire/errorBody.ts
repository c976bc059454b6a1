import { isObject } from './check.ts';

/** Every error code of the interface of station services, with its HTTP status. */
export const ERROR_STATUS = {
  station_not_found: 404,
  missing_argument: 400,
  invalid_argument: 400,
  request_too_large: 413,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The body of a response whose status is not 200. */
export interface ErrorBody {
  readonly error_code: string;
  readonly error_message: string;
}

/** Reads an error body; undefined for any other body, such as that of a proxy. */
export function decodeError(text: string): ErrorBody | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(body) || typeof body.error_code !== 'string') return undefined;
  const message = typeof body.error_message === 'string' ? body.error_message : '';
  return { error_code: body.error_code, error_message: message };
}
