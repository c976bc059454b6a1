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
  /** Unit of the column in the answer before; only where `kind` is `unit`. */
  readonly unitBefore?: string;
}

/**
 * Gives an archive the columns whose names and units are `legend` and `units`, since a service may
 * add a column within a period. Columns are matched by name and unit; columns alike in name and
 * unit are matched in order. A missing column is filled with nulls.
 */
export function alignColumns(archive: Archive, { legend, units }: Columns): Archive {
  if (isSame(archive, { legend, units })) return archive;
  const keys = keysOf(archive);
  const from = keysOf({ legend, units }).map((key) => keys.indexOf(key));
  const readings = archive.rows.readings.map(
    (row) => from.map((place) => row[place] ?? null) as Json[] as unknown as Reading,
  );
  return { ...archive, legend, units, rows: Rows.ofReadings(readings) };
}

/**
 * Joins the rows of two archives. The columns of `first` come first, then columns that only
 * `second` has.
 */
export function joinArchives(first: Archive, second: Archive): Archive {
  const added = columnsMissing(first, second);
  const head = {
    legend: [...first.legend, ...added.map(({ name }) => name)],
    units: [...first.units, ...added.map(({ unit }) => unit)],
  };
  const [start, rest] = [alignColumns(first, head), alignColumns(second, head)];
  return { ...start, rows: start.rows.followedBy(rest.rows) };
}

/** The differences between the columns of two answers, and the names that occur twice. */
export function compareColumns(answer: Columns, before: Columns): ColumnChange[] {
  const missing = columnsMissing(answer, before);
  const added = columnsMissing(before, answer);
  const { legend, units } = answer;
  const repeated = new Set(legend.filter((name, place) => legend.indexOf(name) < place));
  return [
    ...missing.map(({ name, unit }): ColumnChange => {
      const other = added.findLast((column) => column.name === name)?.unit;
      return other === undefined || other === unit
        ? { kind: 'vanishes', name, unit }
        : { kind: 'unit', name, unit: other, unitBefore: unit };
    }),
    ...added
      .filter(({ name }) => !repeated.has(name) && !missing.some((column) => column.name === name))
      .map(({ name, unit }): ColumnChange => ({ kind: 'appears', name, unit })),
    ...[...repeated].map((name): ColumnChange => {
      return { kind: 'twice', name, unit: units[legend.indexOf(name)] ?? '' };
    }),
  ];
}

export function isSame(some: Columns, others: Columns): boolean {
  const [keys, otherKeys] = [keysOf(some), keysOf(others)];
  return keys.length === otherKeys.length && keys.every((key, place) => key === otherKeys[place]);
}

/** The columns of `others` that `some` lack. */
function columnsMissing(some: Columns, others: Columns): { name: string; unit: string }[] {
  const known = new Set(keysOf(some));
  return keysOf(others).flatMap((key, place) =>
    known.has(key)
      ? []
      : [{ name: others.legend[place] as string, unit: others.units[place] as string }],
  );
}

/** A unique key for each column of an answer. */
function keysOf({ legend, units }: Columns): string[] {
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
