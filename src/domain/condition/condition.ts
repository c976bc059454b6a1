import {
  type Comparator,
  combineTests,
  negateTest,
  type Observation,
  type ObservationTest,
} from './evaluate.ts';
import {
  CONDITION_FIELD_NAMES,
  CONDITION_FIELDS,
  type ConditionField,
  findConditionField,
  type RefusedFields,
} from './fields.ts';
import { ConditionError, ConditionScanner, type ConditionToken, refuseToken } from './scanner.ts';

/** A condition on the wind at a station, such as `avg > 15kn and dir in SW..NW`. */
export interface Condition {
  /** The condition as the user wrote it. */
  readonly text: string;
  /** The fields that the condition uses. */
  readonly fields: ReadonlySet<ConditionField>;
  /**
   * Tests an observation. The result is undefined if unknown values leave it open (Kleene's strong
   * three-valued logic).
   * @param hysteresisKmh by how much each average, gust and lull may miss its bound: 0 or more, 0
   *   by default. A condition that holds with some hysteresis also holds with more, so that an
   *   active alert only ends when the wind has really changed.
   */
  holds(observation: Observation, hysteresisKmh?: number): boolean | undefined;
}

const MAX_LENGTH = 10_000;
/** Maximum depth of `not` and parentheses, which bounds the parser's recursion. */
const MAX_DEPTH = 100;

const OPERATOR = /<=|>=|==|!=|[<>=≤≥≠]/y;
const BANG = /!(?!=)/y;
const AND_SIGN = /&&/y;
const OR_SIGN = /\|\|/y;
const OPEN = /\(/y;
const CLOSE = /\)/y;
const OPERAND_SIGN = /\(|!(?!=)/y;
const NUMBER = /[-−.]?\d/y;

/** Comparators by their signs. `!=` and `≠` are missing, since they are parsed as a negated `=`. */
const COMPARATORS: ReadonlyMap<string, Comparator> = new Map([
  ['<', '<'],
  ['<=', '<='],
  ['≤', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['≥', '>='],
  ['=', '='],
  ['==', '='],
]);

/**
 * Parses a condition of at most 10,000 characters and 100 levels of `not` and parentheses.
 * @param zone the time zone of the field `hour`
 * @throws ConditionError that points at the first error in the text
 */
export function parseCondition(text: string, refused: RefusedFields = {}, zone = 'utc'): Condition {
  refuseStrangeText(text);
  const parser = new Parser(text, refused, zone);
  const test = parser.condition();
  return {
    text,
    fields: parser.fields,
    holds: (observation, hysteresisKmh = 0) => test(observation, hysteresisKmh),
  };
}

/** Combines conditions to one that is true if any of them is. */
export function anyOfConditions(conditions: readonly Condition[]): Condition {
  const [only, ...others] = conditions;
  if (only !== undefined && others.length === 0) return only;
  const test = combineTests(
    conditions.map(({ holds }) => holds),
    true,
  );
  return {
    text: conditions.map(({ text }) => `(${text})`).join(' or '),
    fields: new Set(conditions.flatMap(({ fields }) => [...fields])),
    holds: (observation, hysteresisKmh = 0) => test(observation, hysteresisKmh),
  };
}

function refuseStrangeText(text: string): void {
  if (text.length > MAX_LENGTH) {
    const message = `Expected at most ${MAX_LENGTH} characters, not ${text.length} characters.`;
    throw new ConditionError(message, MAX_LENGTH);
  }
  const at = text.search(/\p{Cc}/u);
  if (at !== -1) {
    const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    throw new ConditionError(`Expected text without control characters, not U+${code}.`, at);
  }
  if (text.trim() === '') {
    throw new ConditionError('The condition is empty. Write one such as “avg > 15kn”.', 0);
  }
}

/** Whether a lower-case word is a field or a connective such as `and`, and so cannot be a unit. */
function isReserved(word: string): boolean {
  return findConditionField(word) !== undefined || ['and', 'or', 'not', 'in'].includes(word);
}

/** A recursive descent parser: `not` binds tighter than `and`, and `and` tighter than `or`. */
class Parser extends ConditionScanner {
  readonly fields = new Set<ConditionField>();
  readonly #refused: RefusedFields;
  #depth = 0;

  constructor(text: string, refused: RefusedFields, zone: string) {
    super(text, zone, isReserved);
    this.#refused = refused;
  }

  condition(): ObservationTest {
    const test = this.#either();
    if (!this.isAtEnd()) this.#refuseRest('the end of the condition');
    return test;
  }

  #either(): ObservationTest {
    const tests = [this.#both()];
    while (this.#readSign('or', OR_SIGN)) tests.push(this.#both());
    return combineTests(tests, true);
  }

  #both(): ObservationTest {
    const tests = [this.#operand()];
    while (this.#readSign('and', AND_SIGN)) tests.push(this.#operand());
    return combineTests(tests, false);
  }

  #operand(): ObservationTest {
    const not = this.#readSign('not', BANG);
    if (not !== undefined) return negateTest(this.#nested(not, () => this.#operand()));
    const open = this.read(OPEN);
    if (open === undefined) return this.#comparison();
    const test = this.#nested(open, () => this.#either());
    if (this.read(CLOSE) === undefined) this.#refuseRest('“)”');
    return test;
  }

  #nested(by: ConditionToken, read: () => ObservationTest): ObservationTest {
    if (this.#depth === MAX_DEPTH) refuseToken(`at most ${MAX_DEPTH} levels of nesting`, by);
    this.#depth += 1;
    const test = read();
    this.#depth -= 1;
    return test;
  }

  #comparison(): ObservationTest {
    const field = this.#field();
    this.fields.add(field);
    const entry = CONDITION_FIELDS[field];
    if ('alone' in entry) return entry.alone;
    const isDenied = this.#readSign('not', BANG) !== undefined;
    const within = this.readWord((word) => word === 'in');
    if (within !== undefined) {
      const test = entry.range(this, within);
      return isDenied ? negateTest(test) : test;
    }
    if (isDenied) this.expected('“in”');
    const operator = this.read(OPERATOR) ?? this.expected('a comparison such as “>”, or “in”');
    const comparator = COMPARATORS.get(operator.text);
    const test = entry.compare(this, comparator ?? '=', operator);
    if (this.sees(OPERATOR)) {
      this.expected('one comparison, or a range such as “avg in 10..20kn”');
    }
    return comparator === undefined ? negateTest(test) : test;
  }

  #field(): ConditionField {
    const name = this.readWord((word) => findConditionField(word) !== undefined);
    const field = findConditionField(name?.text.toLowerCase() ?? '');
    const refusal = field && this.#refused[field];
    if (refusal !== undefined) throw new ConditionError(refusal, name?.at ?? 0);
    if (field !== undefined) return field;
    if (this.sees(NUMBER)) {
      return this.expected('a field on the left, as in “avg > 10kn” or “avg in 10..20kn”');
    }
    return this.expected(`a field (${CONDITION_FIELD_NAMES})`);
  }

  #readSign(word: string, sign: RegExp): ConditionToken | undefined {
    return this.readWord((next) => next === word) ?? this.read(sign);
  }

  #refuseRest(end: string): never {
    const word = this.peekWord();
    const isCondition =
      word === 'not' || findConditionField(word) !== undefined || this.sees(OPERAND_SIGN);
    return this.expected(
      isCondition ? '“and” or “or” between two conditions' : `“and”, “or” or ${end}`,
    );
  }
}
