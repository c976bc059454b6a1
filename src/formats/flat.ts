import type { JsonObject } from '../domain/json.ts';
import type { SelectedStation } from '../domain/selection.ts';
import { STATION_FIELDS, STATION_PATHS, type StationPath } from '../domain/stationFields.ts';
import { printable, printableLines } from '../domain/text.ts';
import { SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import { NotInterfaceError } from '../errors.ts';
import { isObject } from '../wire/check.ts';
import { convertSelected } from './convert.ts';
import type { StationList, StreamRecord, StreamStyle } from './format.ts';

const LIVE_PATHS = STATION_PATHS.filter((path) => !STATION_FIELDS[path].isMeta);

/** A column for each, in the row of each station: stations that share none would fill all memory. */
const MOST_UNKNOWN = 1000;

export interface FlatTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly FlatValue[])[];
}
export type FlatValue = null | boolean | number | string;

/**
 * Stations as a table with a column for each field, named by its path. The columns of the
 * interface are always there; fields that it does not name follow.
 */
export function flattenStations(list: StationList): FlatTable {
  const flat = list.stations.map((selected) => flattenStation(selected, list));
  const known = nameFields(list.withMeta ? STATION_PATHS : LIVE_PATHS, list.unit);
  const unknown = new Set(flat.flatMap((fields) => [...fields.keys()]));
  for (const name of known) unknown.delete(name);
  if (unknown.size > MOST_UNKNOWN) {
    throw new NotInterfaceError(
      `The stations have ${unknown.size} fields that the interface does not name, more than the ${MOST_UNKNOWN} that a file of columns takes; --format json writes them all.`,
    );
  }
  const names = [...known, ...[...unknown].sort()];
  return { names, rows: flat.map((fields) => names.map((name) => fields.get(name) ?? null)) };
}

/** The columns of `vane live`, then those of an event where some records are one. */
export function recordNames({ unit, withEvents }: StreamStyle): string[] {
  return [...nameFields(LIVE_PATHS, unit), ...(withEvents ? ['event', 'condition'] : [])];
}

/**
 * The values of a record in {@link recordNames}. Fields that the interface does not name are left
 * out, since the head of the file is written before the first record that has them.
 */
export function recordValues({ station, event }: StreamRecord, style: StreamStyle): FlatValue[] {
  const fields = flattenStation({ station, distanceKm: undefined }, style);
  const values = nameFields(LIVE_PATHS, style.unit).map((name) => fields.get(name) ?? null);
  return style.withEvents ? [...values, event?.kind ?? null, event?.condition ?? null] : values;
}

function nameFields(paths: readonly StationPath[], unit: SpeedUnit): string[] {
  const { suffix } = SPEED_UNITS[unit];
  return paths.map((path) => (STATION_FIELDS[path].kind === 'speed' ? path + suffix : path));
}

function flattenStation(
  selected: SelectedStation,
  list: Pick<StationList, 'unit' | 'writeDate'>,
): Map<string, FlatValue> {
  return new Map(leaves(convertSelected(selected, list) as unknown as JsonObject));
}

function leaves(object: JsonObject, prefix = ''): [path: string, value: FlatValue][] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    if (isObject(value)) return leaves(value, `${path}.`);
    return [[path, Array.isArray(value) ? JSON.stringify(value) : (value as FlatValue)]];
  });
}

/** Characters that start a formula in a spreadsheet (OWASP, "CSV Injection"), also after blanks. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Text with a `'` before it where a spreadsheet would take it for a formula. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Text without formulas and control characters; its line breaks are kept. */
export function safeText(text: string): string {
  return printableLines(withoutFormula(text)).join('\n');
}

/** Like {@link safeText}, on one line. */
export function safeLine(text: string): string {
  return printable(withoutFormula(text));
}

/** Values between tabs on one line, texts by {@link safeLine}. */
export function tabLine(values: readonly FlatValue[]): string {
  const cells = values.map((value) =>
    typeof value === 'string' ? safeLine(value) : String(value ?? ''),
  );
  return `${cells.join('\t')}\n`;
}
