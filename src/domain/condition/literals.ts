import { type CompassPoint, compassPoint } from '../compass.ts';
import { parseDuration } from '../dates.ts';
import { alternatives } from '../text.ts';
import { findUnit, LINEAR_UNIT_NAMES, SPEED_UNIT_NAMES, speedInKmh } from '../units.ts';
import { ConditionError } from './error.ts';
import type { Bound } from './evaluate.ts';
import { excerpt, refuse, type Scanner, type Token } from './scanner.ts';
import { forceOf, identity, MAX_NUMBER } from './speed.ts';
import { isReserved } from './words.ts';

const NUMBER = /\d+(?:\.\d+)?/y;
const SIGNED_NUMBER = /[-−]?\d+(?:\.\d+)?/y;
const DOT_WITHOUT_DIGITS = /\.(?!\.)/y;
const DECIMAL_COMMA = /,\d/y;
const DURATION = /[\p{L}\p{N}]+(?:[.,][\p{L}\p{N}]+)*/uy;

/** A value as written. In a range the unit may be written at the other end only. */
export interface Literal extends Token {
  /** Index after the value. */
  readonly end: number;
  /** Empty where there is no number, as in `NW` and `PT5M`. */
  readonly digits: string;
  readonly unit: Token | undefined;
}

/** How the values of a kind of field are read. */
export interface LiteralKind {
  /** @throws ConditionError */
  read(scanner: Scanner): Literal;
  /**
   * @param unit the value's own, or that of the other end of its range
   * @throws ConditionError
   */
  bound(literal: Literal, unit: Token | undefined): Bound;
}

function readNumber(scanner: Scanner, pattern: RegExp, what: string): Literal {
  const number = scanner.take(pattern) ?? scanner.expected(what);
  if (scanner.touches(DOT_WITHOUT_DIGITS)) {
    scanner.take(DOT_WITHOUT_DIGITS);
    scanner.expected(`digits right after ${excerpt(`${number.text}.`)}`);
  }
  if (scanner.touches(DECIMAL_COMMA)) scanner.expected('a decimal point');
  if (Math.abs(toNumber(number.text)) > MAX_NUMBER) refuse('a number up to 1000000000', number);
  const unit = scanner.takeUnit(isReserved);
  return literalOf(number, number.text, unit);
}

/** @param start the value without its unit */
function literalOf(start: Token, digits: string, unit: Token | undefined): Literal {
  const text = start.text + (unit?.text ?? '');
  return { at: start.at, text, digits, unit, end: start.at + start.text.length };
}

function toNumber(digits: string): number {
  return Number(digits.replace('−', '-'));
}

/** An alarm must not guess a unit, so a number without one is refused. */
function refuseWithoutUnit({ text, end }: Literal, units: string): never {
  throw new ConditionError(`${excerpt(text)} has no unit: expected ${units} after it.`, end);
}

const UNIT_NAMES = alternatives(SPEED_UNIT_NAMES);
const TREND_UNIT_NAMES = alternatives(LINEAR_UNIT_NAMES);

export const speed: LiteralKind = {
  read: (scanner) =>
    readNumber(scanner, NUMBER, 'a speed of 0 or more with its unit, such as 15kn'),
  bound(literal, written) {
    if (written === undefined) return refuseWithoutUnit(literal, UNIT_NAMES);
    const unit = findUnit(written.text) ?? refuse(`the unit ${UNIT_NAMES}`, written);
    const speedKmh = speedInKmh(toNumber(literal.digits), unit);
    return speedKmh === undefined
      ? { value: force(literal), scale: forceOf }
      : { value: speedKmh, scale: identity };
  },
};

function force({ digits, at }: Literal): number {
  if (/^\d+$/.test(digits) && Number(digits) <= 12) return Number(digits);
  return refuse('a whole Beaufort force from 0 to 12', { text: digits, at });
}

export const trend: LiteralKind = {
  read: (scanner) =>
    readNumber(scanner, SIGNED_NUMBER, 'a speed per hour with its unit, such as 5kn/h or -5kn/h'),
  bound(literal, written) {
    if (written === undefined) return refuseWithoutUnit(literal, TREND_UNIT_NAMES);
    // The `/h` of km/h is its own; only a second one, or that of another unit, is the hour's.
    const unit = findUnit(written.text) ?? findUnit(written.text.replace(/\/h$/i, ''));
    const value = unit && speedInKmh(toNumber(literal.digits), unit);
    return {
      value: value ?? refuse(`the unit ${TREND_UNIT_NAMES}, each with or without /h`, written),
      scale: identity,
    };
  },
};

export const factor: LiteralKind = {
  read: (scanner) => readNumber(scanner, NUMBER, 'a number of 0 or more, such as 1.5'),
  bound({ digits }, unit) {
    if (unit !== undefined) refuse('a number without a unit', unit);
    return { value: Number(digits), scale: identity };
  },
};

const DURATION_EXAMPLES = '45m, 1h30m or PT5M';

export const duration: LiteralKind = {
  read(scanner) {
    const what = `a length of time such as ${DURATION_EXAMPLES}`;
    const written = scanner.take(DURATION) ?? scanner.expected(what);
    const { text, at } = written;
    const [, digits = '', name = ''] = /^(\d+)(\D*)$/.exec(text) ?? [];
    if (digits === '') return literalOf(written, digits, undefined);
    const unit =
      name === '' ? scanner.takeUnit(isReserved) : { text: name, at: at + digits.length };
    return literalOf({ text: digits, at }, digits, unit);
  },
  bound(literal, unit) {
    if (literal.digits !== '' && unit === undefined) {
      return refuseWithoutUnit(literal, 'a unit of time as in 45m');
    }
    const text = literal.digits === '' ? literal.text : literal.digits + (unit?.text ?? '');
    const length = parseDuration(text);
    if (length === undefined) {
      return refuse(`a length of time such as ${DURATION_EXAMPLES}`, { text, at: literal.at });
    }
    return { value: length.toMillis(), scale: identity };
  },
};

const DEGREES_OF: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 16 }, (_, index) => [compassPoint(index * 22.5), index * 22.5]),
);

/** The compass point a value is, or undefined where it is degrees. */
export function pointOf({ text }: Literal): CompassPoint | undefined {
  const degrees = DEGREES_OF.get(text.toUpperCase());
  return degrees === undefined ? undefined : compassPoint(degrees);
}

export const direction: LiteralKind = {
  read(scanner) {
    const point = scanner.takeWord((word) => DEGREES_OF.has(word.toUpperCase()));
    if (point !== undefined) return literalOf(point, '', undefined);
    return readNumber(scanner, NUMBER, 'degrees from 0 to 360 or a compass point such as SW');
  },
  bound(literal, unit) {
    const { digits, at, text } = literal;
    if (digits === '') return { value: DEGREES_OF.get(text.toUpperCase()) ?? 0, scale: identity };
    if (unit !== undefined && !['deg', '°'].includes(unit.text.toLowerCase())) {
      refuse('degrees such as 225 or 225deg', unit);
    }
    if (Number(digits) > 360) refuse('degrees from 0 to 360', { text: digits, at });
    return { value: Number(digits), scale: identity };
  },
};
