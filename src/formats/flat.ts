import type { JsonObject } from '../domain/json.ts';
import type { Station } from '../domain/station.ts';
import { printable, printableLines } from '../domain/text.ts';
import type { SpeedUnit } from '../domain/units.ts';
import { NotInterfaceError } from '../errors.ts';
import { isObject } from '../wire/check.ts';
import { convertAndNameStation, roundDistanceKm, SPEED_FIELDS, speedName } from './convert.ts';
import type { StationList } from './format.ts';

/** The interface's fields by their paths; `location.hdop` is sent by real stations but in no document. */
const LIVE_FIELDS = [
  'id',
  'meta.name',
  'location.latitude',
  'location.longitude',
  'location.date',
  'location.success',
  'location.hdop',
  'measurements.date',
  'measurements.pressure',
  'measurements.wind_heading',
  ...SPEED_FIELDS.map((name) => `measurements.${name}`),
  'status.date',
  'status.snr',
  'status.state',
];
const META_FIELDS = [
  'id',
  'meta.name',
  'meta.description',
  'meta.picture',
  'meta.date',
  'meta.rating.upvotes',
  'meta.rating.downvotes',
  ...LIVE_FIELDS.slice(2),
];

/** A column for each, in the row of each station: stations that share none would fill all memory. */
const MOST_UNKNOWN = 1000;

export interface FlatTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly FlatValue[])[];
}
export type FlatValue = null | boolean | number | string;

/**
 * Stations as a table of every field, named by its path in the interface. The columns are the
 * same whatever stations are in it, then come fields that the interface does not name.
 */
export function flattenStations(list: StationList): FlatTable {
  const flat = list.stations.map(({ station, distanceKm }) => {
    const fields = flattenStation(station, list);
    if (distanceKm !== undefined) fields.set('distance_km', roundDistanceKm(distanceKm));
    return fields;
  });
  const known = nameFields(list.withMeta ? META_FIELDS : LIVE_FIELDS, list.unit);
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

/** The columns that a table of live stations has whatever they send. */
export function liveColumns(unit: SpeedUnit): string[] {
  return nameFields(LIVE_FIELDS, unit);
}

/** What a station has in {@link liveColumns}; its other fields are left out. */
export function liveValues(
  station: Station,
  list: Pick<StationList, 'unit' | 'writeDate'>,
): FlatValue[] {
  const fields = flattenStation(station, list);
  return liveColumns(list.unit).map((name) => fields.get(name) ?? null);
}

function nameFields(paths: readonly string[], unit: SpeedUnit): string[] {
  return paths.map((path) => {
    const [parent, name] = path.split('.');
    return parent === 'measurements' && name ? `${parent}.${speedName(name, unit)}` : path;
  });
}

function flattenStation(
  station: Station,
  list: Pick<StationList, 'unit' | 'writeDate'>,
): Map<string, FlatValue> {
  return new Map(leaves(convertAndNameStation(station, list) as unknown as JsonObject));
}

function leaves(object: JsonObject, prefix = ''): [path: string, value: FlatValue][] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    if (isObject(value)) return leaves(value, `${path}.`);
    return [[path, Array.isArray(value) ? JSON.stringify(value) : (value as FlatValue)]];
  });
}

/** What a spreadsheet takes for the start of a formula (OWASP, "CSV Injection"), also after blanks. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Text with a `'` before it where a spreadsheet would run it. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Text that no spreadsheet runs and no terminal obeys; its line breaks are kept. */
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
