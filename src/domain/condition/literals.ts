import { COMPASS_POINTS, type CompassPoint } from '../compass.ts';
import { parseDurationMs } from '../dates.ts';
import { joinAlternatives } from '../text.ts';
import {
  BEAUFORT_FROM_KMH,
  beaufortForce,
  findSpeedUnit,
  LINEAR_UNIT_NAMES,
  SPEED_UNIT_NAMES,
  speedInKmh,
} from '../units.ts';
import type { ComparisonBound } from './evaluate.ts';
import {
  ConditionError,
  type ConditionScanner,
  type ConditionToken,
  quoteConditionPart,
  refuseToken,
} from './scanner.ts';

/**
 * Maximum number in a condition: far above any wind, age or ratio, and small enough for exact
 * arithmetic.
 */
const MAX_NUMBER = 1e9;

const NUMBER = /\d+(?:\.\d+)?/y;
const SIGNED_NUMBER = /[-−]?\d+(?:\.\d+)?/y;
const DOT_WITHOUT_DIGITS = /\.(?!\.)/y;
const DECIMAL_COMMA = /,\d/y;
const DURATION = /[\p{L}\p{N}]+(?:[.,][\p{L}\p{N}]+)*/uy;

/**
 * A value in a condition as the user wrote it. In a range such as `10..20kn`, one unit applies to
 * both ends.
 */
export interface ConditionLiteral extends ConditionToken {
  /** The number as written, such as `15` in `15kn`; empty for values such as `NW` and `PT5M`. */
  readonly digits: string;
  readonly unit: ConditionToken | undefined;
}

/** Parses values of one kind, such as speeds. */
export interface LiteralParser {
  /**
   * Parses the next value, with its unit if there is one.
   * @throws ConditionError
   */
  read(scanner: ConditionScanner): ConditionLiteral;
  /**
   * Converts a value to the bound of a comparison.
   * @param unit the unit of the value, or of the other end of its range
   * @throws ConditionError
   */
  bound(literal: ConditionLiteral, unit: ConditionToken | undefined): ComparisonBound;
}

function readNumber(scanner: ConditionScanner, pattern: RegExp, what: string): ConditionLiteral {
  const number = scanner.read(pattern) ?? scanner.expected(what);
  if (scanner.touches(DOT_WITHOUT_DIGITS)) {
    scanner.read(DOT_WITHOUT_DIGITS);
    scanner.expected(`digits right after ${quoteConditionPart(`${number.text}.`)}`);
  }
  if (scanner.touches(DECIMAL_COMMA)) scanner.expected('a decimal point');
  if (Math.abs(toNumber(number.text)) > MAX_NUMBER)
    refuseToken('a number up to 1000000000', number);
  return literalOf(number, number.text, scanner.readUnit());
}

/**
 * Joins the parts of a value.
 * @param start the value without its unit
 */
function literalOf(
  start: ConditionToken,
  digits: string,
  unit: ConditionToken | undefined,
): ConditionLiteral {
  return { at: start.at, text: start.text + (unit?.text ?? ''), digits, unit };
}

function toNumber(digits: string): number {
  return Number(digits.replace('−', '-'));
}

/** Refuses a number without a unit, since an alert must not guess one. */
function refuseWithoutUnit({ text, at }: ConditionLiteral, units: string): never {
  const message = `${quoteConditionPart(text)} has no unit: expected ${units} after it.`;
  throw new ConditionError(message, at + text.length);
}

const UNIT_NAMES = joinAlternatives(SPEED_UNIT_NAMES);
const TREND_UNIT_NAMES = joinAlternatives(LINEAR_UNIT_NAMES);

const identity = (value: number): number => value;

/** The Beaufort force of a speed in km/h. Subtracting a margin may have made the speed negative. */
const forceOf = (speedKmh: number): number => beaufortForce(Math.max(0, speedKmh));

/**
 * Whether the lower end of a range is above its upper end. One end of a range of speeds may be in
 * km/h and the other a Beaufort force.
 */
export function isDescendingRange(low: ComparisonBound, high: ComparisonBound): boolean {
  if (low.scale === high.scale) return low.value > high.value;
  return low.scale === forceOf ? low.value > forceOf(high.value) : forceOf(low.value) > high.value;
}

export const speedLiteral: LiteralParser = {
  read: (scanner) =>
    readNumber(scanner, NUMBER, 'a speed of 0 or more with its unit, such as 15kn'),
  bound(literal, written) {
    if (written === undefined) return refuseWithoutUnit(literal, UNIT_NAMES);
    const unit = findSpeedUnit(written.text) ?? refuseToken(`the unit ${UNIT_NAMES}`, written);
    const value = speedInKmh(toNumber(literal.digits), unit);
    if (value !== undefined) return { value, scale: identity, speed: { unit, limitsKmh: [value] } };
    const { digits, at } = literal;
    if (/^\d+$/.test(digits) && Number(digits) <= 12) {
      const limitsKmh = BEAUFORT_FROM_KMH;
      return { value: Number(digits), scale: forceOf, speed: { unit, limitsKmh } };
    }
    return refuseToken('a whole Beaufort force from 0 to 12', { text: digits, at });
  },
};

const SPEED = /^(\d+(?:\.\d+)?)\p{Zs}*([a-z/]+)$/iu;

/**
 * Parses a speed with its unit, such as `2kn`. Beaufort is refused, since a force is a range of
 * speeds.
 * @returns km/h, 0 or more; undefined for other text, such as a speed without a unit
 */
export function parseSpeed(text: string): number | undefined {
  const [, digits, spelling = ''] = SPEED.exec(text.trim()) ?? [];
  const unit = findSpeedUnit(spelling);
  if (unit === undefined || Number(digits) > MAX_NUMBER) return undefined;
  return speedInKmh(Number(digits), unit);
}

export const trendLiteral: LiteralParser = {
  read: (scanner) =>
    readNumber(scanner, SIGNED_NUMBER, 'a speed per hour with its unit, such as 5kn/h or -5kn/h'),
  bound(literal, written) {
    if (written === undefined) return refuseWithoutUnit(literal, TREND_UNIT_NAMES);
    // The `/h` of `km/h` belongs to the unit. The `/h` of `kn/h`, and the second one of `km/h/h`,
    // means per hour.
    const unit = findSpeedUnit(written.text) ?? findSpeedUnit(written.text.replace(/\/h$/i, ''));
    const value = unit && speedInKmh(toNumber(literal.digits), unit);
    return {
      value: value ?? refuseToken(`the unit ${TREND_UNIT_NAMES}, each with or without /h`, written),
      scale: identity,
    };
  },
};

/** Creates a parser of numbers that have no unit, or a single possible one. */
function plain(wanted: string, wantedUnit: string, name?: string): LiteralParser {
  return {
    read: (scanner) => readNumber(scanner, NUMBER, wanted),
    bound({ digits }, unit) {
      if (unit !== undefined && unit.text.toLowerCase() !== name) refuseToken(wantedUnit, unit);
      return { value: Number(digits), scale: identity };
    },
  };
}

export const factorLiteral = plain('a number of 0 or more, such as 1.5', 'a number without a unit');

const wholeHour = plain('an hour from 0 to 23', 'an hour without a unit');
export const hourLiteral: LiteralParser = {
  ...wholeHour,
  bound(literal, unit) {
    const { digits, at } = literal;
    const bound = wholeHour.bound(literal, unit);
    if (/^\d+$/.test(digits) && bound.value <= 23) return bound;
    return refuseToken('a whole hour from 0 to 23', { text: digits, at });
  },
};

export const distanceLiteral = plain(
  'kilometres of 0 or more, such as 25',
  'kilometres such as 25 or 25km',
  'km',
);

const DURATION_WANTED = 'a length of time such as 45m, 1h30m or PT5M';

export const durationLiteral: LiteralParser = {
  read(scanner) {
    const written = scanner.read(DURATION) ?? scanner.expected(DURATION_WANTED);
    const { text, at } = written;
    const [, digits = '', name = ''] = /^(\d+)(\D*)$/.exec(text) ?? [];
    if (digits === '') return literalOf(written, digits, undefined);
    const unit = name === '' ? scanner.readUnit() : { text: name, at: at + digits.length };
    return literalOf({ text: digits, at }, digits, unit);
  },
  bound(literal, unit) {
    if (literal.digits !== '' && unit === undefined) {
      return refuseWithoutUnit(literal, 'a unit of time as in 45m');
    }
    const text = literal.digits === '' ? literal.text : literal.digits + (unit?.text ?? '');
    const value = parseDurationMs(text) ?? refuseToken(DURATION_WANTED, { text, at: literal.at });
    return { value, scale: identity };
  },
};

/** The compass point that a value names; undefined for degrees. */
export function parseCompassPoint(text: string): CompassPoint | undefined {
  return COMPASS_POINTS.find((point) => point === text.toUpperCase());
}

/**
 * The compass points that a word may mean if its O means east or west: `NE or NW` for `NO`.
 */
function pointsWithO(word: string): string | undefined {
  const points = ['E', 'W'].map((letter) => word.toUpperCase().replaceAll('O', letter));
  const isPoint = points.every((point) => parseCompassPoint(point) !== undefined);
  return isPoint && points[0] !== points[1] ? points.join(' or ') : undefined;
}

export const directionLiteral: LiteralParser = {
  read(scanner) {
    const point = scanner.readWord((word) => parseCompassPoint(word) !== undefined);
    if (point !== undefined) return literalOf(point, '', undefined);
    const foreign = scanner.readWord((word) => pointsWithO(word) !== undefined);
    if (foreign)
      refuseToken(
        `${pointsWithO(foreign.text)}, since O is east in German and west in French`,
        foreign,
      );
    return readNumber(scanner, NUMBER, 'degrees from 0 to 360 or a compass point such as SW');
  },
  bound(literal, unit) {
    const { digits, at } = literal;
    const point = parseCompassPoint(literal.text);
    if (point !== undefined)
      return { value: COMPASS_POINTS.indexOf(point) * 22.5, scale: identity };
    if (unit !== undefined && !['deg', '°'].includes(unit.text.toLowerCase())) {
      refuseToken('degrees such as 225 or 225deg', unit);
    }
    if (Number(digits) > 360) refuseToken('degrees from 0 to 360', { text: digits, at });
    return { value: Number(digits), scale: identity };
  },
};
