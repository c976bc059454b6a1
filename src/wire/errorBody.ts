import { isObject } from './check.ts';

/** The error codes of the interface of station services, with their HTTP statuses. */
export const ERROR_STATUS = {
  station_not_found: 404,
  missing_argument: 400,
  invalid_argument: 400,
  request_too_large: 413,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The body of a response with a status other than 200. */
export interface ErrorBody {
  readonly error_code: string;
  readonly error_message: string;
}

/** Decodes the body of an error; undefined for any other body, such as that of a proxy. */
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
