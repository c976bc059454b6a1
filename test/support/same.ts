import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Compares as `toEqual` does; large values that are equal take a small part of the time. */
export function expectSame<T>(found: T, expected: T): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
