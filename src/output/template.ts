import filenamify from 'filenamify';
import type { Part } from '../domain/parts.ts';
import type { Period } from '../domain/period.ts';
import type { SplitUnit } from '../domain/splitUnit.ts';
import { UsageError } from '../errors.ts';

/** What a template can say of the file it names. */
export interface TemplateValues extends Pick<Part, 'year' | 'month'> {
  readonly station: number;
  /** As the service sends it: any text, also none. */
  readonly name: string;
  /** What `{start}` and `{stop}` say, in milliseconds since 1970. */
  readonly period: Period;
}

const WRITERS = {
  station: ({ station }: TemplateValues) => String(station),
  name: ({ name, station }: TemplateValues) => safeName(name, `station-${station}`),
  start: ({ period }: TemplateValues) => moment(period.start),
  stop: ({ period }: TemplateValues) => moment(period.stop),
  year: ({ year }: TemplateValues) => String(year).padStart(4, '0'),
  month: ({ month }: TemplateValues) => String(month).padStart(2, '0'),
} as const;

export type Placeholder = keyof typeof WRITERS;

/** A path with placeholders; without any it is that path. */
export interface Template {
  readonly path: string;
  /** The placeholders in it; none where it is a plain path. */
  readonly uses: ReadonlySet<Placeholder>;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * Reads `{station}` and its like in a path.
 * @throws UsageError for an unknown placeholder, a brace without its other, and a `..` after a
 *   placeholder, whose folder it would leave
 */
export function parseTemplate(path: string): Template {
  const names = Array.from(path.matchAll(PLACEHOLDER), ([, name = '']) => name);
  const odd = names.find((name) => !Object.hasOwn(WRITERS, name));
  if (odd !== undefined) throw new UsageError(`There is no {${odd}} for ${path}; ${known()}.`);
  if (/[{}]/.test(path.replace(PLACEHOLDER, ''))) {
    throw new UsageError(`${path} has a brace without its other one; ${known()}.`);
  }
  if (/\}.*[/\\]\.\.(?:[/\\]|$)/s.test(path)) {
    throw new UsageError(`After a placeholder, ${path} may not leave a folder again through “..”.`);
  }
  return { path, uses: new Set(names as Placeholder[]) };
}

function known(): string {
  const placeholders = Object.keys(WRITERS).map((name) => `{${name}}`);
  return `placeholders are ${placeholders.join(', ')}`;
}

/** The path that a template comes to. No value adds a folder to it or leaves one. */
export function expandTemplate({ path }: Template, values: TemplateValues): string {
  return path.replace(PLACEHOLDER, (_, name: Placeholder) => WRITERS[name](values));
}

export interface TemplateUse {
  readonly split: SplitUnit | undefined;
  readonly severalStations: boolean;
}

/**
 * Finds out whether each file of an export gets a name of its own, and whether each placeholder
 * has something to say.
 * @throws UsageError that says what to write instead
 */
export function checkTemplate(
  { path, uses }: Template,
  { split, severalStations }: TemplateUse,
): void {
  const needed: readonly Placeholder[] =
    split === 'month' ? ['year', 'month'] : split === 'year' ? ['year'] : [];
  const missing = needed.filter((name) => !uses.has(name));
  if (missing.length > 0) {
    throw new UsageError(
      `With --split ${split} every file would be named ${path}; write ${extended(path, missing)}.`,
    );
  }
  const idle = (['month', 'year'] as const).find(
    (name) => uses.has(name) && !needed.includes(name),
  );
  if (idle !== undefined) {
    throw new UsageError(
      `The {${idle}} in ${path} needs --split ${idle}; say that, or take it out.`,
    );
  }
  // A plain path may be one stream of all stations; whether it may is for the format to say.
  if (severalStations && uses.size > 0 && !uses.has('station') && !uses.has('name')) {
    throw new UsageError(
      `Several stations would be written to one ${path}; write ${extended(path, ['station'])}.`,
    );
  }
}

/** The path with more placeholders before its extension. */
function extended(path: string, names: readonly Placeholder[]): string {
  const added = names.map((name) => `-{${name}}`).join('');
  return `'${path.replace(/(?:\.[^./\\{}]+(?:\.gz)?)?$/i, (extension) => added + extension)}'`;
}

/** A moment without the colon that Windows refuses; seconds only where there are any. */
function moment(ms: number): string {
  const [date = '', hours, minutes, seconds] = new Date(ms).toISOString().split(/[T:.]/);
  if (seconds !== '00') return `${date}T${hours}${minutes}${seconds}Z`;
  return hours === '00' && minutes === '00' ? date : `${date}T${hours}${minutes}Z`;
}

/** Most bytes of UTF-8 a name may take: a path has room for some of them, and a file for 255. */
const MAX_NAME_BYTES = 100;

/**
 * A station's name as part of a file's name on Linux, macOS and Windows. filenamify knows the
 * characters and names that are reserved. It would keep half a surrogate pair, a leading dot (a
 * hidden file) or dash (an option to many commands), and counts characters where file systems
 * count bytes.
 */
function safeName(name: string, fallback: string): string {
  const text = name
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/\p{Surrogate}/gu, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[ .-]+/, '');
  // One byte is left for the mark that a reserved name gets.
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
