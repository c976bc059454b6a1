import { formatDate } from '../domain/dates.ts';
import type { Archive, ArchiveHead } from '../domain/envelope.ts';
import type { Json } from '../domain/json.ts';
import type { Period } from '../domain/period.ts';
import type { Reading } from '../domain/reading.ts';
import { Rows } from '../domain/rows.ts';

type Columns = Pick<ArchiveHead, 'legend' | 'units'>;

/** How a column of an answer differs from the columns of the answer before. */
export interface ColumnChange {
  readonly kind: 'appears' | 'vanishes' | 'unit' | 'twice';
  readonly name: string;
  readonly unit: string;
  /** With `unit`: the former unit. */
  readonly unitBefore?: string;
}

/**
 * Gives an answer the columns of another: a service may add a column within a period. Columns are
 * matched by name and unit, and those that share both by their order. A missing column is null.
 */
export function alignColumns(archive: Archive, { legend, units }: Columns): Archive {
  if (isSame(archive, { legend, units })) return archive;
  const places = placesOf(archive);
  const from = identify({ legend, units }).map((identity) => places.get(identity) ?? -1);
  const readings = archive.rows.readings.map(
    (row) => from.map((place) => row[place] ?? null) as Json[] as unknown as Reading,
  );
  return { ...archive, legend, units, rows: Rows.ofReadings(readings) };
}

/** Joins two answers. The columns of the first come first, then those that only the second has. */
export function joinArchives(first: Archive, second: Archive): Archive {
  const known = placesOf(first);
  const added = [...placesOf(second)].filter(([identity]) => !known.has(identity));
  const head = {
    legend: [...first.legend, ...added.map(([, place]) => second.legend[place] as string)],
    units: [...first.units, ...added.map(([, place]) => second.units[place] as string)],
  };
  const [start, rest] = [alignColumns(first, head), alignColumns(second, head)];
  return { ...start, rows: start.rows.followedBy(rest.rows) };
}

/** The differences between the columns of two answers, and the names that occur twice. */
export function compareColumns(answer: Columns, before: Columns): ColumnChange[] {
  const [now, then] = [placesOf(answer), placesOf(before)];
  const repeated = findRepeated(answer.legend);
  const missing = changesOf(before, (identity) => !now.has(identity));
  const added = changesOf(answer, (identity) => !then.has(identity));
  const units = new Map(added.map(({ name, unit }) => [name, unit]));
  const gone = new Set(missing.map(({ name }) => name));
  return [
    ...missing.map(({ name, unit }): ColumnChange => {
      const other = units.get(name);
      return other === undefined || other === unit
        ? { kind: 'vanishes', name, unit }
        : { kind: 'unit', name, unit: other, unitBefore: unit };
    }),
    ...added
      .filter(({ name }) => !repeated.has(name) && !gone.has(name))
      .map(({ name, unit }): ColumnChange => ({ kind: 'appears', name, unit })),
    ...[...repeated].map((name): ColumnChange => {
      return { kind: 'twice', name, unit: answer.units[answer.legend.indexOf(name)] ?? '' };
    }),
  ];
}

function findRepeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
}

function changesOf({ legend, units }: Columns, isWanted: (identity: string) => boolean) {
  return identify({ legend, units }).flatMap((identity, place) =>
    isWanted(identity) ? [{ name: legend[place] as string, unit: units[place] as string }] : [],
  );
}

/** Whether two answers have the same columns in the same order. */
export function isSame(some: Columns, others: Columns): boolean {
  const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
    a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
  return isEqual(some.legend, others.legend) && isEqual(some.units, others.units);
}

function placesOf(columns: Columns): Map<string, number> {
  return new Map(identify(columns).map((identity, place) => [identity, place]));
}

/** A unique key for each column of an answer. */
function identify({ legend, units }: Columns): string[] {
  const counts = new Map<string, number>();
  return legend.map((name, place) => {
    const column = JSON.stringify([name, units[place]]);
    const count = (counts.get(column) ?? 0) + 1;
    counts.set(column, count);
    return `${count} ${column}`;
  });
}

/** Whether an archive has a row of `start ≤ time < stop`. */
export function hasRowIn({ rows }: Archive, { start, stop }: Period): boolean {
  return rows.hasAny(formatDate(start), formatDate(stop));
}
