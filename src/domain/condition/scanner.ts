import { quoteExcerpt } from '../text.ts';

/** A condition that cannot be read. The message names the expected text and the text found. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Index into the text of the condition, 0 to its length. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const SPACE = /\p{Zs}*/uy;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const UNIT = /[\p{L}°%][\p{L}\p{N}_°/]*/uy;
/** The text that a message quotes at the place of an error. */
const SHOWN = /[-−]?[\p{L}\p{N}_°/.]+|[<>=!]+|[&|]+|./suy;

const MAX_SHOWN = 24;

/** A piece of a condition, with the index where it begins. */
export interface ConditionToken {
  readonly text: string;
  readonly at: number;
}

/**
 * Reads a condition from left to right. The meaning of a text depends on its field (`1h30m`,
 * `NW..NE`, `12..25kn`), so the parser reads each token with a sticky regular expression of its
 * own.
 */
export class ConditionScanner {
  readonly text: string;
  /** The time zone of hours. */
  readonly zone: string;
  readonly #isReserved: (word: string) => boolean;
  #at = 0;

  /**
   * Begins to read the text of a condition.
   * @param isReserved whether a word in lower case is a field or a connective such as `and`, and so
   *   no unit
   */
  constructor(text: string, zone: string, isReserved: (word: string) => boolean) {
    this.text = text;
    this.zone = zone;
    this.#isReserved = isReserved;
  }

  /** Index into the condition, after the last token read. */
  get at(): number {
    return this.#at;
  }

  /**
   * Skips spaces and reads the text that a pattern matches there; reads nothing without a match.
   */
  read(pattern: RegExp): ConditionToken | undefined {
    const at = this.#afterSpace();
    const text = matchAt(pattern, this.text, at);
    if (text === undefined) return undefined;
    this.#at = at + text.length;
    return { text, at };
  }

  /** The next word in lower case; empty where no word comes next. */
  peekWord(): string {
    return (matchAt(WORD, this.text, this.#afterSpace()) ?? '').toLowerCase();
  }

  /** Reads the next word if `isWanted` accepts it in lower case. */
  readWord(isWanted: (word: string) => boolean): ConditionToken | undefined {
    const word = this.peekWord();
    return word !== '' && isWanted(word) ? this.read(WORD) : undefined;
  }

  /** Reads the next word as a unit, even an unknown one, unless it is a field or a connective. */
  readUnit(): ConditionToken | undefined {
    return this.#isReserved(this.peekWord()) ? undefined : this.read(UNIT);
  }

  /** Whether a pattern matches the text that comes next, after any spaces. */
  sees(pattern: RegExp): boolean {
    return matchAt(pattern, this.text, this.#afterSpace()) !== undefined;
  }

  /** Whether a pattern matches right after the last token, where no space is skipped. */
  touches(pattern: RegExp): boolean {
    return matchAt(pattern, this.text, this.#at) !== undefined;
  }

  isAtEnd(): boolean {
    return this.#afterSpace() === this.text.length;
  }

  /**
   * Refuses the text that comes next, or the end of the condition.
   * @throws ConditionError that points there
   */
  expected(what: string): never {
    const at = this.#afterSpace();
    const found = matchAt(SHOWN, this.text, at);
    if (found !== undefined) return refuseToken(what, { text: found, at });
    const end = this.text.trimEnd().length;
    throw new ConditionError(`Expected ${what}, but the condition ends.`, end);
  }

  #afterSpace(): number {
    return this.#at + (matchAt(SPACE, this.text, this.#at) ?? '').length;
  }
}

/**
 * Refuses a token of a condition.
 * @throws ConditionError that points at the beginning of `found`
 */
export function refuseToken(what: string, found: ConditionToken): never {
  throw new ConditionError(`Expected ${what}, not ${quoteConditionPart(found.text)}.`, found.at);
}

/** A part of a condition in quotes, cut to 24 characters, for a message. */
export const quoteConditionPart = (text: string): string => quoteExcerpt(text, MAX_SHOWN);

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
