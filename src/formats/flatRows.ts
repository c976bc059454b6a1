import { formatDate } from '../domain/dates.ts';
import type { DocumentRow, FieldValue, RowField, ValueKind } from '../domain/document.ts';
import { convertSpeedExactly, isForceScale, round2, SPEED_UNITS } from '../domain/units.ts';
import type { ValueStyle } from './format.ts';

interface FlatStyle extends ValueStyle {
  /** Whether names of speeds end in a unit other than km/h: `mean_kn`. */
  readonly isUnitInName: boolean;
  /** Whether speeds have two decimals, and each part of an object or list its own field. */
  readonly isText: boolean;
}

const SPEEDS: ReadonlySet<ValueKind> = new Set<ValueKind>(['speed', 'spread', 'limit']);
const TIMES: ReadonlySet<ValueKind> = new Set<ValueKind>(['time', 'minute', 'clock', 'day']);

/** The names of the fields whose values are in a unit of speed. */
export const speedFields = (fields: readonly RowField[]): readonly string[] =>
  fields.filter(({ kind }) => SPEEDS.has(kind)).map(({ name }) => name);

/** The names of fields as programs get them, and how they get the values of a row. */
export function flattenFields(fields: readonly RowField[], style: FlatStyle) {
  const suffix = style.isUnitInName ? SPEED_UNITS[style.unit].suffix : '';
  const partsOf = ({ parts }: RowField) => (style.isText ? parts : undefined);
  return {
    names: fields.flatMap((field) => {
      const { name, kind } = field;
      return partsOf(field)?.names ?? [SPEEDS.has(kind) ? name + suffix : name];
    }),
    values: (row: DocumentRow): FieldValue[] =>
      fields.flatMap((field, place) => {
        const value = row[place] ?? null;
        const parts = partsOf(field)
          ?.of(value)
          .map((part) => part ?? null);
        return parts ?? [flatValue(field.kind, value, style)];
      }),
  };
}

function flatValue(kind: ValueKind, value: FieldValue, style: FlatStyle): FieldValue {
  const { unit, writeDate, isText } = style;
  if (typeof value !== 'number') return value;
  if (TIMES.has(kind)) return writeDate(formatDate(value));
  if (!SPEEDS.has(kind)) return value;
  // Neither a difference of speeds nor a parameter of their distribution has a Beaufort force.
  if (kind === 'spread' && isForceScale(unit)) return null;
  const speed = convertSpeedExactly(value, unit) as number;
  // Without the noise of a conversion a limit is the number that the user wrote.
  if (kind === 'limit') return Number(speed.toPrecision(12));
  return isText ? round2(speed) : speed;
}

/** Rows that are in memory as text at once: a row takes some kB. */
const ROWS_AT_ONCE = 1000;

/** Rows, some at a time. */
export function* batchRows(rows: Iterable<DocumentRow>): Generator<DocumentRow[]> {
  let batch: DocumentRow[] = [];
  for (const row of rows) {
    if (batch.push(row) < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
