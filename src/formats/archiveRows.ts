import { formatDate } from '../domain/dates.ts';
import type { Archive } from '../domain/envelope.ts';
import {
  ARCHIVE_COLUMNS,
  type ColumnName,
  SERVICE_COLUMNS,
  type WrittenColumnName,
} from '../domain/readings/archiveColumns.ts';
import type { ChunkMetadata } from '../domain/readings/chunk.ts';
import { convertColumns, type ReadingColumns } from '../domain/readings/columns.ts';
import { printable } from '../domain/text.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import type { ArchiveLayout, StationChunk } from './format.ts';

/** A column of an archive as it is written. */
export interface WrittenColumn {
  readonly name: WrittenColumnName;
  /** The column name in formats without a row of units: a speed's name ends in its unit. */
  readonly unitName: string;
  readonly unit: string;
}

/** The columns of an archive in the chosen unit and zone. */
export function writtenColumns(
  layout: ArchiveLayout,
  { pressureUnit }: ChunkMetadata,
): WrittenColumn[] {
  const { label, suffix } = SPEED_UNITS[layout.unit];
  return layout.columns.map((name) => {
    const unit = name === 'station' ? 'id' : unitOf(name);
    if (unit === 'km/h') return { name, unitName: name + suffix, unit: label };
    if (name === 'time') return { name, unitName: name, unit: layout.zone };
    return { name, unitName: name, unit: name === 'pressure' ? printable(pressureUnit) : unit };
  });
}

/**
 * Describes an archive in the service's layout: license, attribution, and names and units of the
 * columns.
 */
export function describeArchive(layout: ArchiveLayout, head: ChunkMetadata): Omit<Archive, 'rows'> {
  const { doc = '', license = '', attribution = '' } = head;
  const columns = writtenColumns(layout, head);
  return {
    doc,
    license: printable(license),
    attribution: printable(attribution),
    legend: columns.map(({ name }) => name),
    units: columns.map(({ unit }) => unit),
  };
}

const unitOf = (name: ColumnName): string =>
  ARCHIVE_COLUMNS.find((column) => column.name === name)?.unit ?? '';

const SERVICE_NAMES = String(SERVICE_COLUMNS.map(({ name }) => name));

/**
 * Writes the rows of a chunk as lines of JSON values with commas between. In the service's own
 * layout, these are the service's bytes.
 */
export function writeArchiveRows(
  { station, chunk }: StationChunk,
  layout: ArchiveLayout,
): string | Buffer {
  const { unit, zone, columns } = layout;
  const isService = unit === 'kmh' && zone === 'utc' && String(columns) === SERVICE_NAMES;
  if (isService && chunk.lines) return chunk.lines.bytes;
  const cells = cellWriters(station, chunk.columns, layout);
  return joinCellsOfRows(
    chunk.count,
    cells.map((write, place) => [place === 0 ? '' : ',', write]),
    '\n',
  );
}

/** Writes the value of one row as JSON. */
type WriteCell = (row: number) => string;

/** Creates a writer for each column of the layout. */
export function cellWriters(
  station: number,
  columns: ReadingColumns,
  { columns: names, unit, writeDate }: ArchiveLayout,
): WriteCell[] {
  const converted = convertColumns(columns, unit);
  return names.map((name): WriteCell => {
    if (name === 'station') return () => String(station);
    const values = columnValues(converted, name);
    if (name === 'time') return (row) => `"${writeDate(formatDate(values[row] as number))}"`;
    return (row) => {
      const value = values[row] as number;
      return Number.isNaN(value) ? 'null' : String(value);
    };
  });
}

/** The array of a column. */
export function columnValues(columns: ReadingColumns, name: ColumnName): Float64Array {
  const key = ARCHIVE_COLUMNS.find((column) => column.name === name)?.key;
  return (key && columns[key]) ?? new Float64Array(columns.count).fill(Number.NaN);
}

/** Writes rows: each cell after its prefix, then `end`. */
export function joinCellsOfRows(
  count: number,
  cells: readonly (readonly [prefix: string, write: WriteCell])[],
  end: string,
): string {
  let text = '';
  for (let row = 0; row < count; row++) {
    for (const [prefix, write] of cells) text += prefix + write(row);
    text += end;
  }
  return text;
}
