import { alternatives } from '../text.ts';

/** The fields that a condition can compare, each with its other names. */
const FIELDS = {
  avg: [],
  max: ['gust'],
  min: ['lull'],
  gust_factor: [],
  dir: [],
  age: [],
  state: [],
  trend: [],
} as const satisfies Record<string, readonly string[]>;

export type Field = keyof typeof FIELDS;

const ENTRIES = Object.entries(FIELDS) as [Field, readonly string[]][];

/** The names in a sentence: `avg, max (gust) or trend`. */
export const FIELD_NAMES = alternatives(
  ENTRIES.map(([field, others]) => (others[0] === undefined ? field : `${field} (${others[0]})`)),
);

const BY_NAME: ReadonlyMap<string, Field> = new Map(
  ENTRIES.flatMap(([field, others]) => [field, ...others].map((name) => [name, field] as const)),
);

/** The field that a word in lower case names, or undefined. */
export function fieldOf(word: string): Field | undefined {
  return BY_NAME.get(word);
}

/** Whether a word in lower case is a field or a connective, so that it is no unit. */
export function isReserved(word: string): boolean {
  return BY_NAME.has(word) || ['and', 'or', 'not', 'in'].includes(word);
}
