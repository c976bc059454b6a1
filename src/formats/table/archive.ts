import type { Json } from '../../domain/json.ts';
import { COLUMNS } from '../../domain/reading.ts';
import { printable } from '../../domain/text.ts';
import { prependStation } from '../convert.ts';
import type { ArchiveChunk, ArchiveLayout, Look } from '../format.ts';
import { fitColumns, GAP } from './fit.ts';
import { NOTHING } from './render.ts';
import { formatHeading } from './words.ts';

interface Known {
  /** Name in the head; the unit follows where `unitInHead`. */
  readonly head: string;
  readonly unitInHead?: boolean;
  readonly width: number;
  /** Columns of the highest rank are left out first in a narrow window; 0 never is. */
  readonly rank: number;
  readonly isText?: boolean;
  readonly write: (value: Json) => string;
}

interface ArchiveColumn {
  readonly index: number;
  readonly head: string;
  readonly width: number;
  readonly rank: number;
  readonly write: (value: Json) => string;
}

/** The interface's columns as a person reads them; its pressure is always null and not shown. */
const KNOWN: Readonly<Record<string, Known>> = {
  station: { head: 'station', width: 7, rank: 0, write: String },
  time: { head: 'time', unitInHead: true, width: 19, rank: 0, isText: true, write: writeTime },
  latitude: { head: 'latitude', width: 10, rank: 3, write: decimal(6) },
  longitude: { head: 'longitude', width: 11, rank: 3, write: decimal(6) },
  wind_speed_min: { head: 'lull', unitInHead: true, width: 6, rank: 2, write: decimal(2) },
  wind_speed_avg: { head: 'avg', unitInHead: true, width: 6, rank: 0, write: decimal(2) },
  wind_speed_max: { head: 'gust', unitInHead: true, width: 6, rank: 0, write: decimal(2) },
  wind_heading: { head: 'direction', width: 12, rank: 1, isText: true, write: writeHeading },
};

/** To the second, as on a clock, with the offset where there is one. */
function writeTime(value: Json): string {
  const text = String(value);
  const offset = text.slice(23).replace('Z', '');
  return `${text.slice(0, 19).replace('T', ' ')}${offset && ` ${offset}`}`;
}

function writeHeading(value: Json): string {
  return typeof value === 'number' ? formatHeading(value) : NOTHING;
}

/** Writes numbers so that their points stand one above the other. */
function decimal(places: number): (value: Json) => string {
  return (value) => {
    if (value === null) return NOTHING + ' '.repeat(places + 1);
    const text = String(value);
    const point = text.indexOf('.');
    return text + ' '.repeat(Math.max(0, places + 1 - (point === -1 ? 0 : text.length - point)));
  };
}

/**
 * Rows as they come, in columns of fixed width: a table of years cannot wait for its last row.
 */
export async function* renderArchive(
  chunks: AsyncIterable<ArchiveChunk>,
  { withStation }: ArchiveLayout,
  look: Look,
  paintHead: (text: string) => string,
): AsyncGenerator<string> {
  let columns: readonly ArchiveColumn[] | undefined;
  for await (const chunk of chunks) {
    const { legend, units, rows } = withStation ? prependStation(chunk) : chunk;
    if (columns === undefined) {
      columns = fitColumns(chooseColumns(legend, units), look.columns);
      yield `${paintHead(
        columns
          .map(({ head }) => head)
          .join(GAP)
          .trimEnd(),
      )}\n`;
    }
    const shown = columns;
    const lines = rows.readings.map((row) =>
      shown
        .map(({ index, write }) => write(row[index] ?? null))
        .join(GAP)
        .trimEnd(),
    );
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

function chooseColumns(legend: readonly string[], units: readonly string[]): ArchiveColumn[] {
  // Always null, so shown only to who asks for it by name, and then among fewer columns.
  const isWhole = legend.length >= COLUMNS.length;
  return legend.flatMap((name, index) => {
    if (name === 'pressure' && isWhole) return [];
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    const { head, unitInHead = false, rank, isText = false, write } = known ?? unknownColumn(name);
    const text = printable(unitInHead ? `${head} ${shortUnit(units[index] ?? '')}` : head);
    const isLocal = name === 'time' && units[index] !== 'utc';
    const width = Math.max((known?.width ?? 10) + (isLocal ? 7 : 0), text.length);
    const pad = (value: string): string => (isText ? value.padEnd(width) : value.padStart(width));
    return [{ index, head: pad(text), width, rank, write: (value) => pad(write(value)) }];
  });
}

function unknownColumn(name: string): Known {
  const write = (value: Json): string =>
    value === null ? NOTHING : printable(typeof value === 'string' ? value : JSON.stringify(value));
  return { head: name, unitInHead: true, width: 10, rank: 4, write };
}

function shortUnit(unit: string): string {
  return unit === 'utc' ? 'UTC' : unit;
}
