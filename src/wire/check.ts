import { daysInMonth } from '../domain/dates.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
import { BrokenAnswerError, NotInterfaceError } from '../errors.ts';

/** A value of an answer: `subject` names its object (`station 110`), `path` the field. */
export interface Field {
  readonly subject: string;
  readonly path: string;
  readonly value: unknown;
}

/** The failure of a field whose value is not the expected one; the message names both. */
export function mismatch({ subject, path, value }: Field, expected: string): NotInterfaceError {
  const found = value === undefined ? 'is missing' : `is ${describeValue(value)}`;
  return new NotInterfaceError(`In the answer for ${subject}, ${path} ${found}, not ${expected}.`);
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `the ${typeof value} ${printable(text.length > 60 ? `${text.slice(0, 57)}…` : text)}`;
}

/** The member `name` of an object that {@link object} has checked. */
export function member(parent: Field, name: string): Field {
  const path = parent.path === '' ? name : `${parent.path}.${name}`;
  return { subject: parent.subject, path, value: (parent.value as JsonObject)[name] };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each check below returns nothing and throws {@link NotInterfaceError} on a mismatch. */
export function object(field: Field): void {
  if (!isObject(field.value)) throw mismatch(field, 'an object');
}

export function array(field: Field): readonly Json[] {
  if (!Array.isArray(field.value)) throw mismatch(field, 'an array');
  return field.value;
}

export function integer(field: Field): void {
  if (!Number.isSafeInteger(field.value)) throw mismatch(field, 'an integer');
}

export function boolean(field: Field): void {
  if (typeof field.value !== 'boolean') throw mismatch(field, 'true or false');
}

export function string(field: Field): void {
  if (typeof field.value !== 'string') throw mismatch(field, 'a string');
}

export function stringOrNull(field: Field): void {
  if (field.value !== null && typeof field.value !== 'string') {
    throw mismatch(field, 'a string or null');
  }
}

export function numberOrNull(field: Field): void {
  if (field.value !== null && !Number.isFinite(field.value)) {
    throw mismatch(field, 'a number or null');
  }
}

const WIRE_DATE =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether a value is a date in the one form the service writes, `yyyy-MM-ddTHH:mm:ss.SSSZ`. */
export function isWireDate(value: unknown): value is string {
  const parts = typeof value === 'string' ? WIRE_DATE.exec(value) : null;
  return parts !== null && Number(parts[3]) <= daysInMonth(Number(parts[1]), Number(parts[2]));
}

export function dateOrNull(field: Field): void {
  if (field.value !== null && !isWireDate(field.value)) {
    throw mismatch(field, 'a date such as 2024-05-01T12:00:00.000Z, or null');
  }
}

/**
 * Deepest nesting of a document; answers of the interface have 4 levels. Recursive functions such
 * as JSON.stringify exhaust the stack at some 5,000.
 */
const MOST_LEVELS = 64;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const isMemberDeeper = (member: unknown): boolean => isDeeper(member, levels - 1);
  return Array.isArray(value)
    ? value.some(isMemberDeeper)
    : Object.values(value).some(isMemberDeeper);
}

/**
 * Parses a JSON text.
 * @throws BrokenAnswerError for a damaged JSON document; NotInterfaceError for any other text and
 * for a document that is nested too deep
 */
export function parseJson(subject: string, text: string): unknown {
  const document = parseDocument(subject, text);
  if (isDeeper(document, MOST_LEVELS)) {
    throw new NotInterfaceError(
      `The answer for ${subject} is nested more than ${MOST_LEVELS} levels deep.`,
    );
  }
  return document;
}

function parseDocument(subject: string, text: string): unknown {
  try {
    // A byte order mark is not part of the document (RFC 8259, 8.1).
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    if (/^\s*[{[]/.test(text)) {
      throw new BrokenAnswerError(
        `The answer for ${subject} is a JSON document that is cut short or broken.`,
      );
    }
    throw new NotInterfaceError(`The answer for ${subject} is ${describeText(text)}.`);
  }
}

function describeText(text: string): string {
  if (text.trim() === '') return 'an empty body';
  if (/^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text)) return 'an HTML page';
  const start = printable(text.slice(0, 40));
  return `not JSON (“${start}${text.length > 40 ? '…' : ''}”)`;
}
