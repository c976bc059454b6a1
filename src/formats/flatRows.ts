import { formatDate } from '../domain/dates.ts';
import type { DocumentRow, FieldValue, RowField, ValueKind } from '../domain/document.ts';
import {
  convertSpeedExactly,
  isForceScale,
  roundTo2Decimals,
  SPEED_UNITS,
} from '../domain/units.ts';
import type { ValueStyle } from './format.ts';

interface FlatStyle extends ValueStyle {
  /** Whether the names of speeds end in their unit, unless it is km/h: `mean_kn`. */
  readonly isUnitInName: boolean;
  /**
   * Whether the format is text: speeds get two decimals, and objects and lists are split into
   * several fields.
   */
  readonly isText: boolean;
}

const SPEEDS: ReadonlySet<ValueKind> = new Set<ValueKind>(['speed', 'spread', 'limit']);
const TIMES: ReadonlySet<ValueKind> = new Set<ValueKind>(['time', 'minute', 'clock', 'day']);

/** The names of the fields with speeds. */
export const speedFields = (fields: readonly RowField[]): readonly string[] =>
  fields.filter(({ kind }) => SPEEDS.has(kind)).map(({ name }) => name);

/** Prepares fields for programs: their names, and a function that converts the values of a row. */
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
  // Differences of speeds and parameters of their distribution have no Beaufort force.
  if (kind === 'spread' && isForceScale(unit)) return null;
  const speed = convertSpeedExactly(value, unit) as number;
  // Remove floating-point noise, so that a limit is the number that the user wrote.
  if (kind === 'limit') return Number(speed.toPrecision(12));
  return isText ? roundTo2Decimals(speed) : speed;
}

/** Maximum number of rows in memory as text at once. A row takes some kB. */
const ROWS_AT_ONCE = 1000;

/** Yields rows in batches. */
export function* batchRows(rows: Iterable<DocumentRow>): Generator<DocumentRow[]> {
  let batch: DocumentRow[] = [];
  for (const row of rows) {
    if (batch.push(row) < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
