import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';

/** An archive with its rows as values, which tests can write and compare. */
export type Plain<A> = Omit<A, 'rows'> & { readonly data: readonly Reading[] };

export function plain<A extends { readonly rows: Rows }>({ rows, ...head }: A): Plain<A> {
  return { ...head, data: rows.readings };
}

export function unplain<H extends { readonly data: readonly Reading[] }>({ data, ...head }: H) {
  return { ...head, rows: Rows.ofReadings(data) };
}
