import type { Json } from '../domain/json.ts';
import { COLUMNS } from '../domain/reading.ts';
import { printable } from '../domain/text.ts';
import { fitColumns, GAP, padFraction, type Sized } from './columns.ts';
import { prependStation } from './convert.ts';
import type { ArchiveChunk, ArchiveLayout, Look } from './format.ts';
import { formatHeading, NOTHING } from './words.ts';

interface ColumnStyle extends Sized {
  readonly head: string;
  /** Writes the unit behind the head. */
  readonly unitInHead?: boolean;
  readonly isText?: boolean;
  readonly write: (value: Json) => string;
}

/** How people read the interface's columns; its pressure is deprecated, always null and not shown. */
const STYLES: Readonly<Record<string, ColumnStyle>> = {
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

function decimal(places: number): (value: Json) => string {
  return (value) => padFraction(value === null ? NOTHING : String(value), places + 1);
}

/** Writes the rows of each chunk as it arrives, in columns whose widths are known beforehand. */
export async function* renderArchive(
  chunks: AsyncIterable<ArchiveChunk>,
  { withStation }: ArchiveLayout,
  look: Look,
  paintHead: (text: string) => string,
  writeText: (text: string) => string,
): AsyncGenerator<string> {
  const join = (cells: readonly string[]): string => cells.join(GAP).trimEnd();
  let columns: ReturnType<typeof chooseColumns> | undefined;
  for await (const chunk of chunks) {
    const { legend, units, rows } = withStation ? prependStation(chunk) : chunk;
    if (columns === undefined) {
      columns = fitColumns(chooseColumns(legend, units, writeText), look.columns);
      yield `${paintHead(join(columns.map(({ head }) => head)))}\n`;
    }
    const shown = columns;
    const lines = rows.readings.map((row) =>
      join(shown.map(({ index, write }) => write(row[index] ?? null))),
    );
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

function chooseColumns(
  legend: readonly string[],
  units: readonly string[],
  writeText: (text: string) => string,
) {
  // Among fewer columns the pressure was asked for by name, so it is shown.
  const isWhole = legend.length >= COLUMNS.length;
  return legend.flatMap((name, index) => {
    if (name === 'pressure' && isWhole) return [];
    const known = Object.hasOwn(STYLES, name) ? STYLES[name] : undefined;
    const style = known ?? styleOfUnknown(name);
    const unit = units[index] === 'utc' ? 'UTC' : (units[index] ?? '');
    const head = writeText(printable(style.unitInHead ? `${style.head} ${unit}` : style.head));
    const offsetWidth = name === 'time' && units[index] !== 'utc' ? ' +02:00'.length : 0;
    const headingWidth = name === 'wind_heading' ? writeText(formatHeading(0)).length : 0;
    const width = Math.max(style.width + offsetWidth, headingWidth, head.length);
    const pad = (text: string): string =>
      style.isText ? text.padEnd(width) : text.padStart(width);
    const write = (value: Json): string => pad(writeText(style.write(value)));
    return [{ index, head: pad(head), width, rank: style.rank, write }];
  });
}

function styleOfUnknown(name: string): ColumnStyle {
  const write = (value: Json): string =>
    value === null ? NOTHING : printable(typeof value === 'string' ? value : JSON.stringify(value));
  return { head: name, unitInHead: true, width: 10, rank: 4, write };
}
