import { CsvError, parse } from 'csv-parse/sync';
import { columnsOf } from '../domain/columnReader.ts';
import { makeColumns } from '../domain/columns.ts';
import { contains, formatDate } from '../domain/dates.ts';
import { parseKnownStationId } from '../domain/station.ts';
import { fillTemplate } from '../formats/convert.ts';
import { HEADERS } from '../formats/format.ts';
import { LEGEND, UNITS } from '../wire/archive.ts';
import { scanLines } from '../wire/scanRows.ts';
import { excerpt, faultAt, fileName } from './fault.ts';
import {
  findLayout,
  fullName,
  isDay,
  type Layout,
  noteSteps,
  type RowContext,
  readTime,
  takeRow,
} from './fileColumns.ts';
import { blocksOf, type TextBlock } from './openFile.ts';

export interface Head {
  readonly license?: string;
  readonly attribution?: string;
}

export interface TextContext extends RowContext {
  /** Whether positions are wanted, which a file of columns need not read. */
  readonly hasPositions: boolean;
  readonly note: (sentence: string) => void;
}

/** Most different lists of names in the rows of ndjson, since each takes memory. */
const MAX_LAYOUTS = 100;

/** Reads ndjson, in which each row is an object that names its values. */
export async function readNdjson(
  bytes: AsyncIterable<Buffer>,
  context: TextContext,
): Promise<void> {
  const { path } = context;
  /**
   * The places of the columns by the names in a row: a file may hold several exports, each with its
   * own columns.
   */
  const layouts = new Map<string, Layout>();
  for await (const { text, line: first, isLast } of blocksOf(bytes, path)) {
    for (const [index, json] of text.split('\n').entries()) {
      if (json.trim() === '' || (isLast && isCutJson(json, context))) continue;
      const line = first + index;
      const row = parseObject(json, path, line);
      const names = Object.keys(row);
      const key = JSON.stringify(names);
      let layout = layouts.get(key);
      if (layout === undefined) {
        if (layouts.size === MAX_LAYOUTS) {
          throw faultAt(path, line, `rows have over ${MAX_LAYOUTS} different lists of names.`);
        }
        layout = takeLayout(findLayout(names, undefined), line, context);
        layouts.set(key, layout);
      }
      takeRow(Object.values(row), layout, line, context);
    }
  }
}

function noteCut({ path, note }: TextContext): true {
  note(`${fileName(path)}: the last line is incomplete, and is left out.`);
  return true;
}

/** Whether the last line of ndjson begins a row and does not end it, which a note says. */
function isCutJson(text: string, context: TextContext): boolean {
  const json = text.trim();
  return json.startsWith('{') && !json.endsWith('}') && noteCut(context);
}

/** Whether the last line of csv or txt has too few cells or an open quote, which a note says. */
function isCutRow(text: string, isTabs: boolean, { cells }: Layout, context: TextContext): boolean {
  const isOpen = !isTabs && text.split('"').length % 2 === 0;
  const [row = []] = isOpen ? [] : parseBlock({ text, line: 1 }, isTabs, context.path);
  return row.length < cells && noteCut(context);
}

function parseObject(text: string, path: string, line: number): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Ignore that the text is no JSON: the error below names the line.
  }
  const wanted = 'expected a JSON object of one row, as -f ndjson writes (-f json is not read)';
  throw faultAt(path, line, `${wanted}, not ${excerpt(text)}.`);
}

/** Reads csv or txt that was written with any `--header`. */
export async function readCells(bytes: AsyncIterable<Buffer>, context: TextContext): Promise<Head> {
  const { path } = context;
  let isTabs: boolean | undefined;
  const head: string[][] = [];
  let found: ReturnType<typeof readHead>;
  for await (const block of blocksOf(bytes, path)) {
    if (isTabs === undefined) {
      isTabs = /^(?:License: |[^\n]*\t)/.test(block.text);
      if (!isTabs) refuseSemicolons(block, path);
    }
    if (found && block.isLast && isCutRow(block.text, isTabs, found.layout, context)) break;
    if (found && takeOwnLines(block.text, isTabs, found.layout, context)) continue;
    for (const [index, cells] of parseBlock(block, isTabs, path).entries()) {
      const line = block.line + index;
      if (cells.length === 1 && cells[0]?.trim() === '') continue;
      if (found !== undefined) {
        refuseSurplus(cells, found.layout, isTabs, line, path);
        takeRow(cells, found.layout, line, context);
        continue;
      }
      head.push(cells);
      found = readHead(head, line, context);
      if (found?.isRow) takeRow(cells, found.layout, line, context);
    }
  }
  const { license, attribution } = found ?? {};
  return { ...(license && { license }), ...(attribution && { attribution }) };
}

/** Refuses csv whose first line has more semicolons than commas, outside of quotes. */
function refuseSemicolons({ text, line }: TextBlock, path: string): void {
  const first = text.trimStart();
  const [line1 = ''] = first.split('\n', 1);
  const bare = line1.replaceAll(/"[^"]*"/g, '');
  if (bare.split(';').length <= bare.split(',').length) return;
  const blank = text.slice(0, -first.length);
  throw faultAt(
    path,
    line + blank.split('\n').length - 1,
    "expected commas between the cells, not semicolons. Save the file with commas between cells and points in numbers, or convert it: sed 's/,/./g; s/;/,/g'",
  );
}

/** Refuses a row with more cells than the file has columns: a line end or quotes may be missing. */
function refuseSurplus(
  cells: readonly string[],
  layout: Layout,
  isTabs: boolean,
  line: number,
  path: string,
): void {
  const count = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (count <= layout.cells) return;
  const advice = isTabs ? '' : ' Quote text that has a comma, and write 7.5 instead of 7,5.';
  const sentence = `expected up to ${layout.cells} cells, one for each column, not ${count}.`;
  throw faultAt(path, line, sentence + advice);
}

/**
 * Reads lines as `vane archive` writes them by the scanner of responses, in a tenth of the time
 * that a csv parser takes.
 * @returns false where a line has another form; then no line was read
 */
function takeOwnLines(
  written: string,
  isTabs: boolean,
  layout: Layout,
  context: RowContext,
): boolean {
  if (layout.template === undefined || (isTabs && written.includes(','))) return false;
  const text = isTabs ? written.replaceAll('\t', ',') : written;
  const [first = ''] = text.split(',', 1);
  const station = layout.stationAt === undefined ? context.station : parseKnownStationId(first);
  const asWritten = layout.isService ? scanLines(text) : undefined;
  const rows = asWritten ?? scanLines(asResponse(text, layout, first));
  if (station === undefined || rows === undefined) return false;
  const columns = columnsOf(rows);
  // A row that contradicts its folder is an error that names the line.
  const { station: inPath = station, period } = context.partition;
  if (station !== inPath) return false;
  if (period && columns.time.some((time) => !contains(period, time))) return false;
  const converts = new Map(layout.sources.map(({ into, convert }) => [into as string, convert]));
  const converted = makeColumns(
    rows.count,
    (name) => {
      const convert = converts.get(name);
      return convert ? columns[name].map(convert) : columns[name];
    },
    layout.writtenIn,
  );
  context.batches.addColumns(station, converted);
  return true;
}

/**
 * Lines of cells between commas as the service writes csv: its eight columns, with quoted times in
 * UTC and `null` for a missing value.
 */
function asResponse(text: string, layout: Layout, station: string): string {
  const { stationAt, template = '', width, isService } = layout;
  let lines = text;
  if (stationAt === 0) lines = `\n${lines}`.replaceAll(`\n${station},`, '\n').slice(1);
  if (!isService) lines = fillTemplate(lines, width, `${template}\n`);
  if (!lines.startsWith('"')) lines = lines.replaceAll(/^[^",\n]+/gm, '"$&"');
  if (lines[25] !== '"') {
    lines = lines.replaceAll(/(?<=^")[-\d]+T[:.\d]+[+-]\d\d:\d\d(?=")/gm, (time) => {
      const ms = Date.parse(time);
      return Number.isNaN(ms) || !isDay(time) ? time : formatDate(ms);
    });
  }
  return lines.replaceAll(/,(?=[,\n])/g, ',null');
}

/** Cuts lines of csv, or of text with tabs, into cells. @throws CsvError */
export function parseCells(text: string, isTabs: boolean): string[][] {
  const marks = isTabs ? { delimiter: '\t', quote: false } : {};
  return parse(text, { relax_column_count: true, ...marks });
}

function parseBlock(
  { text, line }: Omit<TextBlock, 'isLast'>,
  isTabs: boolean,
  path: string,
): string[][] {
  try {
    return parseCells(text, isTabs);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = line + Number(error.lines ?? 1) - 1;
    throw faultAt(path, at, 'expected csv, but a quote is not closed, or is inside a cell.');
  }
}

interface FoundHead extends Head {
  readonly layout: Layout;
  readonly isRow: boolean;
}

/** Reads the header lines before the rows; undefined while header lines are still to come. */
function readHead(
  head: readonly (readonly string[])[],
  line: number,
  context: TextContext,
): FoundHead | undefined {
  const { path, zone, note } = context;
  const [first = [], second = [], names = [], units] = head;
  if (/^License(?:$|: )/.test(first[0] ?? '')) {
    if (units === undefined) return undefined;
    const license = afterLabel(first);
    const attribution = afterLabel(second);
    const layout = takeLayout(findLayout(names, units), line, context);
    return { license, attribution, layout, isRow: false };
  }
  // A file without column names is read if it has all of the service's columns.
  if (first.length >= LEGEND.length && !Number.isNaN(readTime(first[0], zone))) {
    note(
      `${fileName(path)} has no header: its columns are read in the order of the service, in km/h.`,
    );
    const names = [...LEGEND, ...first.slice(LEGEND.length).map(() => '')];
    const layout = takeLayout(findLayout(names, UNITS), line, context);
    return { layout, isRow: true };
  }
  if (!first.map(fullName).includes('time')) {
    const headers = HEADERS.filter((header) => header !== 'none').join(' or ');
    throw faultAt(
      path,
      line,
      `expected column names with time among them, not ${excerpt(first.join(','))}; vane archive --header ${headers} writes them.`,
    );
  }
  const layout = takeLayout(findLayout(first, undefined), line, context);
  return { layout, isRow: false };
}

/** The text after the label `License` or `Attribution`, in the next cell or in the same cell. */
const afterLabel = ([label = '', value]: readonly string[]): string =>
  value ?? label.replace(/^\w+: /, '');

function takeLayout(found: Layout | string, line: number, { path, note }: TextContext): Layout {
  if (typeof found === 'string') throw faultAt(path, line, found);
  noteSteps(found, path, note);
  return found;
}
