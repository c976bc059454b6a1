import { columnsOf } from '../domain/columnReader.ts';
import { convertColumns } from '../domain/columns.ts';
import type { Archive } from '../domain/envelope.ts';
import { COLUMNS } from '../domain/reading.ts';
import { Rows } from '../domain/rows.ts';
import { printable } from '../domain/text.ts';
import { convertSpeed, SPEED_UNITS } from '../domain/units.ts';
import type { ArchiveChunk, ValueStyle } from './format.ts';
import { type FieldWriter, fillTemplate, rewriteFields } from './rewriteLines.ts';

interface Presentation extends ValueStyle {
  /** Name of the time zone that times are written in, also the unit of the column `time`. */
  readonly zone: string;
  /** Names of the columns that the user chose, in order; undefined for all columns. */
  readonly columns: readonly string[] | undefined;
}

type Write = (value: number | string | null) => number | string | null;

const unchanged: Write = (value) => value;

/** Converts an archive to the chosen unit, zone and columns, and removes control characters. */
export function presentArchive(
  station: number,
  archive: Archive,
  presentation: Presentation,
): ArchiveChunk {
  const { legend, units, rows, license, attribution } = archive;
  const places = presentation.columns?.map((name) => legend.indexOf(name)) ?? [...legend.keys()];
  const writers = places.map((place) => writer(place, presentation));
  const isInOrder = String(places) === String([...legend.keys()]);
  const isAsItCame = isInOrder && writers.every((write) => write === unchanged);
  const present = () => presentLines(archive, isInOrder ? undefined : places, writers);
  return {
    ...archive,
    station,
    license: printable(license),
    attribution: printable(attribution),
    legend: places.map((place) => legend[place] as string),
    units: places.map((place) => presentUnit(place, printable(units[place] ?? ''), presentation)),
    rows: isAsItCame ? rows : Rows.later(rows.count, present),
    columns: () => convertColumns(columnsOf(rows), presentation.unit),
  };
}

/**
 * Rewrites rows as text, which takes a fifth of the time of parsing and writing them.
 * @param places the index of each wanted column in a row; undefined where all stay in order
 */
function presentLines(
  { legend, rows }: Archive,
  places: readonly number[] | undefined,
  writers: readonly Write[],
): Rows {
  const template = `${places?.map((place) => `$${place + 1}`).join(',')}\n`;
  const lines = places ? fillTemplate(rows.lines, legend.length, template) : rows.lines;
  const fields = writers.map((write, index) =>
    fieldWriter(write, (places?.[index] ?? index) === 0),
  );
  return Rows.ofLines(rewriteFields(lines, fields), rows.count);
}

/**
 * Returns a function that does to a value's JSON text what `write` does to the value.
 * @param isTime whether the values are times; other values are numbers or null
 */
function fieldWriter(write: Write, isTime: boolean): FieldWriter {
  if (write === unchanged) return undefined;
  if (isTime) return (text) => `"${write(text.slice(1, -1))}"`;
  return (text) => String(write(text === 'null' ? null : Number(text)));
}

const isSpeed = (place: number): boolean => COLUMNS[place]?.unit === 'km/h';

function presentUnit(place: number, unit: string, { unit: speedUnit, zone }: Presentation): string {
  if (place === 0) return zone;
  return isSpeed(place) ? SPEED_UNITS[speedUnit].label : unit;
}

function writer(place: number, { unit, zone, writeDate }: Presentation): Write {
  if (place === 0) return zone === 'utc' ? unchanged : (value) => writeDate(value as string);
  if (!isSpeed(place) || unit === 'kmh') return unchanged;
  return (value) => convertSpeed(value as number | null, unit);
}
