import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';

/** An archive with its rows as values, which tests can write and compare. */
export type Plain<A> = Omit<A, 'rows'> & { readonly data: readonly ArchiveRow[] };

export function plain<A extends { readonly rows: ArchiveLines }>({ rows, ...head }: A): Plain<A> {
  return { ...head, data: rowsOf(rows) };
}

export function unplain<H extends { readonly data: readonly ArchiveRow[] }>({ data, ...head }: H) {
  return { ...head, rows: ArchiveLines.ofRows(data) };
}

/** The rows of lines as values. */
export function rowsOf({ text }: ArchiveLines): readonly ArchiveRow[] {
  return text === '' ? [] : JSON.parse(`[[${text.slice(0, -1).replaceAll('\n', '],[')}]]`);
}
