import { quoteExcerpt } from '../text.ts';

/** A syntax error in a condition. The message quotes the expected and the actual text. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Index of the error in the condition's text, 0 to its length. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const SPACE = /\p{Zs}*/uy;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const UNIT = /[\p{L}°%][\p{L}\p{N}_°/]*/uy;
/** Matches the text to quote at the place of an error. */
const SHOWN = /[-−]?[\p{L}\p{N}_°/.]+|[<>=!]+|[&|]+|./suy;

const MAX_SHOWN = 24;

/** A piece of a condition's text, and the index where it begins. */
export interface ConditionToken {
  readonly text: string;
  readonly at: number;
}

/**
 * Scans a condition from left to right. How a text is split depends on the field (`1h30m`,
 * `NW..NE`, `12..25kn`), so the parser passes a sticky regular expression for each token.
 */
export class ConditionScanner {
  readonly text: string;
  /** The time zone of the field `hour`. */
  readonly zone: string;
  readonly #isReserved: (word: string) => boolean;
  #at = 0;

  /**
   * @param isReserved whether a lower-case word is a field or a connective such as `and`, and so
   *   cannot be a unit
   */
  constructor(text: string, zone: string, isReserved: (word: string) => boolean) {
    this.text = text;
    this.zone = zone;
    this.#isReserved = isReserved;
  }

  /** Index in the condition, after the last token. */
  get at(): number {
    return this.#at;
  }

  /** Skips spaces and reads the text that matches a pattern; undefined without a match. */
  read(pattern: RegExp): ConditionToken | undefined {
    const at = this.#afterSpace();
    const text = matchAt(pattern, this.text, at);
    if (text === undefined) return undefined;
    this.#at = at + text.length;
    return { text, at };
  }

  /** The next word in lower case; empty if the next text is not a word. */
  peekWord(): string {
    return (matchAt(WORD, this.text, this.#afterSpace()) ?? '').toLowerCase();
  }

  /** Reads the next word if `isWanted` accepts its lower-case form. */
  readWord(isWanted: (word: string) => boolean): ConditionToken | undefined {
    const word = this.peekWord();
    return word !== '' && isWanted(word) ? this.read(WORD) : undefined;
  }

  /** Reads the next word as a unit, even an unknown one, unless it is a field or a connective. */
  readUnit(): ConditionToken | undefined {
    return this.#isReserved(this.peekWord()) ? undefined : this.read(UNIT);
  }

  /** Whether a pattern matches the next text, after any spaces. */
  sees(pattern: RegExp): boolean {
    return matchAt(pattern, this.text, this.#afterSpace()) !== undefined;
  }

  /** Whether a pattern matches directly after the last token, without spaces between. */
  touches(pattern: RegExp): boolean {
    return matchAt(pattern, this.text, this.#at) !== undefined;
  }

  isAtEnd(): boolean {
    return this.#afterSpace() === this.text.length;
  }

  /**
   * Throws an error about the next text.
   * @throws ConditionError that points at the text, or at the end of the condition
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
 * Throws an error about a token.
 * @throws ConditionError that points at the beginning of `found`
 */
export function refuseToken(what: string, found: ConditionToken): never {
  throw new ConditionError(`Expected ${what}, not ${quoteConditionPart(found.text)}.`, found.at);
}

/** Quotes a part of a condition for a message, cut to 24 characters. */
export const quoteConditionPart = (text: string): string => quoteExcerpt(text, MAX_SHOWN);

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
