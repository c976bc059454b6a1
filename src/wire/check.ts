import type { Json, JsonObject } from '../domain/json.ts';
import { printable, quoteExcerpt } from '../domain/text.ts';
import { BrokenResponseError, UnexpectedResponseError } from '../errors.ts';

/**
 * A value in a response. `subject` names the object, such as `station 110`, and `path` the field in
 * it.
 */
export interface ResponseField {
  readonly subject: string;
  readonly path: string;
  readonly value: unknown;
}

/**
 * Creates the error for a field with a wrong value. The message contains the value and the expected
 * kind.
 */
export function mismatchError(
  { subject, path, value }: ResponseField,
  expected: string,
): UnexpectedResponseError {
  const found = value === undefined ? 'is missing' : `is ${describeValue(value)}`;
  return new UnexpectedResponseError(
    `In the response for ${subject}, ${path} ${found}, not ${expected}.`,
  );
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `the ${typeof value} ${printable(text.length > 60 ? `${text.slice(0, 57)}…` : text)}`;
}

/** The member `name` of an object that {@link checkObject} has checked. */
export function memberField(parent: ResponseField, name: string): ResponseField {
  const path = parent.path === '' ? name : `${parent.path}.${name}`;
  return { subject: parent.subject, path, value: (parent.value as JsonObject)[name] };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks one field.
 * @throws UnexpectedResponseError for a wrong value
 */
export type FieldCheck = (field: ResponseField) => void;

function check(expected: string, isExpected: (value: unknown) => boolean): FieldCheck {
  return (field) => {
    if (!isExpected(field.value)) throw mismatchError(field, expected);
  };
}

const isString = (value: unknown): boolean => typeof value === 'string';

export const checkObject = check('an object', isObject);
export const checkInteger = check('an integer', Number.isSafeInteger);
export const checkBoolean = check('true or false', (value) => typeof value === 'boolean');
export const checkString = check('a string', isString);
export const checkStringOrNull = check(
  'a string or null',
  (value) => value === null || isString(value),
);
export const checkNumberOrNull = check(
  'a number or null',
  (value) => value === null || Number.isFinite(value),
);
export const checkDateOrNull = check(
  'a date such as 2024-05-01T12:00:00.000Z, or null',
  (value) => value === null || isWireDate(value),
);

export function checkArray(field: ResponseField): readonly Json[] {
  if (!Array.isArray(field.value)) throw mismatchError(field, 'an array');
  return field.value;
}

const LEAP_YEAR = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const DAY_OF_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const TIME_OF_DAY = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}';

/** A regular expression for dates in the form of the service, `yyyy-MM-ddTHH:mm:ss.SSSZ`. */
export const WIRE_DATE_PATTERN = `(?:\\d{4}-${DAY_OF_YEAR}|${LEAP_YEAR}-02-29)T${TIME_OF_DAY}Z`;
const ONLY_DATE = new RegExp(`^${WIRE_DATE_PATTERN}$`);

export function isWireDate(value: unknown): value is string {
  return typeof value === 'string' && ONLY_DATE.test(value);
}

/**
 * Maximum nesting of a JSON document. Responses have 4 levels. Recursive functions such as
 * JSON.stringify overflow the stack at about 5,000.
 */
const MAX_NESTING = 64;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/**
 * Parses a response and checks its envelope, but not `data`.
 * @throws BrokenResponseError for damaged JSON; UnexpectedResponseError for any other text, for too
 *   deeply nested JSON and for an incomplete envelope
 */
export function decodeEnvelope(subject: string, text: string): ResponseField {
  const response: ResponseField = { subject, path: '', value: parseDocument(subject, text) };
  if (isDeeper(response.value, MAX_NESTING)) {
    throw new UnexpectedResponseError(
      `The response for ${subject} is nested more than ${MAX_NESTING} levels deep.`,
    );
  }
  checkObject({ ...response, path: 'the document' });
  for (const name of ['doc', 'license', 'attribution']) checkString(memberField(response, name));
  return response;
}

function parseDocument(subject: string, text: string): unknown {
  try {
    // Ignore a byte order mark at the start (RFC 8259, 8.1).
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    if (/^\s*[{[]/.test(text)) {
      throw new BrokenResponseError(`The response for ${subject} is incomplete or broken JSON.`);
    }
    throw new UnexpectedResponseError(`The response for ${subject} is ${describeText(text)}.`);
  }
}

function describeText(text: string): string {
  if (text.trim() === '') return 'an empty body';
  if (/^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text)) return 'an HTML page';
  return `not JSON (${quoteExcerpt(text.slice(0, 1000), 40)})`;
}
