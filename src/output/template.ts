import { resolve, sep } from 'node:path';
import filenamify from 'filenamify';
import type { ExportPart, SplitUnit } from '../domain/period.ts';
import { UsageError } from '../errors.ts';

/**
 * The values of the placeholders in a file name. Year and month are only set for a split export.
 */
export interface FileNameValues extends Omit<ExportPart, 'year' | 'month'> {
  readonly year?: number;
  readonly month?: number;
  readonly station: number;
  /** The station's name as the service sends it: any text, or empty. */
  readonly name: string;
}

const WRITERS = {
  station: ({ station }: FileNameValues) => String(station),
  name: ({ name, station }: FileNameValues) => safeName(name, `station-${station}`),
  start: ({ period }: FileNameValues) => timeInName(period.start),
  stop: ({ period }: FileNameValues) => timeInName(period.stop),
  year: ({ year }: FileNameValues) => String(year).padStart(4, '0'),
  month: ({ month }: FileNameValues) => String(month).padStart(2, '0'),
} as const;

type Placeholder = keyof typeof WRITERS;

export interface FileNameTemplate {
  readonly path: string;
  readonly uses: ReadonlySet<Placeholder>;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const ALIAS = /\{id\}/g;
const KNOWN = `placeholders are {${Object.keys(WRITERS).join('}, {')}}`;

/**
 * Parses a path with placeholders; `{id}` is the same as `{station}`.
 * @throws UsageError for an unknown placeholder, an unmatched brace, and `..` after a placeholder,
 *   which would leave the folder that the placeholder names
 */
export function parseFileNameTemplate(written: string): FileNameTemplate {
  const path = written.replace(ALIAS, '{station}');
  const names = Array.from(path.matchAll(PLACEHOLDER), ([, name = '']) => name);
  const odd = names.find((name) => !Object.hasOwn(WRITERS, name));
  if (odd !== undefined) throw new UsageError(`There is no {${odd}} for ${path}; ${KNOWN}.`);
  const [brace] = /[{}]/.exec(path.replace(PLACEHOLDER, '')) ?? [];
  if (brace !== undefined) throw new UsageError(`Unmatched “${brace}” in ${path}; ${KNOWN}.`);
  if (/^[^}]*\}.*[/\\]\.\.(?:[/\\]|$)/s.test(path)) {
    throw new UsageError(`${path} must not have “..” after a placeholder.`);
  }
  return { path, uses: new Set(names as Placeholder[]) };
}

/** Fills in the placeholders. A value can neither add a folder to the path nor leave one. */
export function expandFileName({ path }: FileNameTemplate, values: FileNameValues): string {
  return path.replace(PLACEHOLDER, (_, name: Placeholder) => WRITERS[name](values));
}

/**
 * Creates a function that returns the path of a station's file.
 * @returns a function that throws UsageError if two stations would share a file
 */
export function createPathWriter(template: FileNameTemplate): (values: FileNameValues) => string {
  const stationByFile = new Map<string, number>();
  return (values) => {
    const path = expandFileName(template, values);
    // macOS and Windows ignore upper and lower case in names.
    const file = path.normalize('NFC').toLowerCase();
    const other = stationByFile.get(file) ?? values.station;
    if (other !== values.station) {
      throw new UsageError(
        `Stations ${other} and ${values.station} would both be written to ${path}; put {station} into --output.`,
      );
    }
    stationByFile.set(file, other);
    return path;
  };
}

/** Creates a test whether a path with placeholders may produce a file's path. */
export function createFileNameTest(template: string): (file: string) => boolean {
  const parts = resolve(parseFileNameTemplate(template).path).split(sep);
  return (file) => {
    const names = resolve(file).split(sep);
    return names.length === parts.length && parts.every((part, at) => mayBe(part, names[at] ?? ''));
  };
}

/** Whether a part of a template, between slashes, may produce a name. */
function mayBe(part: string, name: string): boolean {
  const first = part.indexOf('{');
  if (first === -1) return name === part;
  const before = part.slice(0, first);
  const after = part.slice(part.lastIndexOf('}') + 1);
  const value = name.slice(before.length, name.length - after.length);
  const isStation = part === `${before}{station}${after}`;
  const isValue = isStation ? /^\d+$/.test(value) : value !== '';
  return name.startsWith(before) && name.endsWith(after) && isValue;
}

/**
 * Checks that each file of an export gets its own name, and each placeholder a value.
 * @throws UsageError that suggests another path
 */
export function checkFileNameTemplate(
  { path, uses }: FileNameTemplate,
  { split, severalStations }: { split: SplitUnit | undefined; severalStations: boolean },
): void {
  const needed: readonly Placeholder[] =
    split === 'month' ? ['year', 'month'] : split ? [split] : [];
  const missing = needed.filter((name) => !uses.has(name));
  if (split === 'month' && uses.has('month') && !uses.has('year')) {
    const better = path.replace('{month}', '{year}-{month}');
    throw new UsageError(
      `With {month} alone, ${path} would repeat in other years. Add {year}, such as '${better}'.`,
    );
  }
  if (missing.length > 0) {
    throw new UsageError(
      `With --split ${split}, several files would be named ${path}. Write ${extended(path, missing)}.`,
    );
  }
  for (const unit of ['month', 'year'] as const) {
    if (uses.has(unit) && !needed.includes(unit)) {
      throw new UsageError(
        `{${unit}} in ${path} needs --split ${unit}; add that, or remove the placeholder.`,
      );
    }
  }
  // Whether stations can share a file without placeholders depends on the format.
  if (severalStations && uses.size > 0 && !uses.has('station') && !uses.has('name')) {
    throw new UsageError(
      `Several stations would be written to one ${path}; write ${extended(path, ['station'])}.`,
    );
  }
}

/** The path with additional placeholders before its extension. */
function extended(path: string, names: readonly Placeholder[]): string {
  const added = names.map((name) => `-{${name}}`).join('');
  return `'${path.replace(/(?:\.[^./\\{}]+(?:\.gz)?)?$/i, (extension) => added + extension)}'`;
}

/**
 * A time in UTC for a file name: without colons, which Windows forbids, and without trailing zero
 * parts.
 */
function timeInName(ms: number): string {
  const [date = '', hours, minutes, seconds] = new Date(ms).toISOString().split(/[T:.]/);
  if (seconds !== '00') return `${date}T${hours}${minutes}${seconds}Z`;
  return hours === '00' && minutes === '00' ? date : `${date}T${hours}${minutes}Z`;
}

/** Maximum bytes of a station's name: a file name may have 255 bytes and several placeholders. */
const MAX_NAME_BYTES = 100;

/**
 * Makes a station's name safe for file names on Linux, macOS and Windows. This also covers what
 * filenamify does not: half a surrogate pair, a leading dot (a hidden file) or dash (an option),
 * and the length in bytes instead of characters.
 */
function safeName(name: string, fallback: string): string {
  const text = name
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/\p{Surrogate}/gu, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[ .-]+/, '');
  // Reserve a byte for the one that filenamify adds to names that Windows reserves.
  const safe = filenamify(cutToBytes(text, MAX_NAME_BYTES - 1), { replacement: '_' });
  return /^_*$/.test(safe) ? fallback : safe;
}

function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > limit) return text.slice(0, index);
  }
  return text;
}
