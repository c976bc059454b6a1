import type { Field } from './observation.ts';

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['avg', 'avg'],
  ['max', 'max'],
  ['gust', 'max'],
  ['min', 'min'],
  ['lull', 'min'],
  ['gust_factor', 'gust_factor'],
  ['dir', 'dir'],
  ['age', 'age'],
  ['state', 'state'],
  ['trend', 'trend'],
]);

/** As messages name them. */
export const FIELD_NAMES = 'avg, max (gust), min (lull), gust_factor, dir, age, state or trend';

/** The field a word in lower case names, or undefined. */
export function fieldOf(word: string): Field | undefined {
  return FIELDS.get(word);
}

/** Words in lower case that go on with a condition, so they are never a unit. */
export function isReserved(word: string): boolean {
  return FIELDS.has(word) || ['and', 'or', 'not', 'in'].includes(word);
}
