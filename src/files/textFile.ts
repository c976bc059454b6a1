import { CsvError, parse } from 'csv-parse/sync';
import { columnsOf } from '../domain/columnReader.ts';
import { HEADERS } from '../formats/format.ts';
import { LEGEND, UNITS } from '../wire/archive.ts';
import { scanLines } from '../wire/scanRows.ts';
import { excerpt, faultAt, fileName } from './fault.ts';
import { findLayout, type Layout, noteSteps, readTime } from './fileLayout.ts';
import { type RowContext, takeRow } from './fileRows.ts';

/** Most characters of a line, to bound the memory: no line of an export is that long. */
const MOST_LINE = 1_000_000;

/** The four header lines that `vane archive` writes by default. */
const HEADER_LINES = /^"?License(?:[^\n]*\n){4}/;

/** A part of a file that consists of complete lines. */
interface Block {
  readonly text: string;
  /** The number of the block's first line in the file, counted from 1. */
  readonly line: number;
}

export interface Head {
  readonly license?: string;
  readonly attribution?: string;
}

export interface TextContext extends RowContext {
  readonly note: (sentence: string) => void;
}

/** Cuts a text into blocks of complete lines, since a file may be larger than the memory. */
async function* blocksOf(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let line = 1;
  let rest = '';
  const cut = (text: string): Block => {
    const block = { text, line };
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line++;
    return block;
  };
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true });
    // The rows of the first block are read faster once the header lines have told the columns.
    const head = line === 1 ? HEADER_LINES.exec(rest)?.[0] : undefined;
    if (head !== undefined) {
      yield cut(head);
      rest = rest.slice(head.length);
    }
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) yield cut(rest.slice(0, end));
    rest = rest.slice(end);
    if (rest.length > MOST_LINE) {
      throw faultAt(path, line, 'expected a row, not a line of over a million characters.');
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield cut(rest);
}

const linesOf = (text: string): string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

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
  for await (const { text, line: first } of blocksOf(bytes, path)) {
    for (const [index, json] of linesOf(text).entries()) {
      if (json.trim() === '') continue;
      const line = first + index;
      const row = parseObject(json, path, line);
      const names = Object.keys(row);
      const key = names.join();
      let layout = layouts.get(key);
      if (layout === undefined) {
        layout = takeLayout(findLayout(names, undefined), line, context);
        layouts.set(key, layout);
      }
      takeRow(Object.values(row), layout, line, context);
    }
  }
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

const splitCells = (text: string, separator: string): string[][] =>
  linesOf(text).map((line) => line.split(separator));

/** Reads csv or txt that was written with any `--header`. */
export async function readCells(bytes: AsyncIterable<Buffer>, context: TextContext): Promise<Head> {
  const { path } = context;
  let isTabs: boolean | undefined;
  const head: string[][] = [];
  let found: ReturnType<typeof readHead>;
  for await (const block of blocksOf(bytes, path)) {
    isTabs ??= /^(?:License: |[^\n]*\t)/.test(block.text);
    if (found?.layout.isService && takeLines(block.text, context)) continue;
    const rows = isTabs ? splitCells(block.text, '\t') : parseCsv(block, path, found?.width);
    for (const [index, cells] of rows.entries()) {
      const line = block.line + index;
      if (cells.length === 1 && cells[0]?.trim() === '') continue;
      if (found !== undefined) {
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

/**
 * Reads lines of csv in the service's own layout with a fast reader; false if a line has another
 * form.
 */
function takeLines(text: string, { station, batches }: RowContext): boolean {
  const rows = station === undefined ? undefined : scanLines(text);
  if (station === undefined || rows === undefined) return false;
  batches.addColumns(station, columnsOf(rows));
  return true;
}

/** Cuts lines of csv into cells. @param width the number of columns; undefined until it is known */
function parseCsv({ text, line }: Block, path: string, width: number | undefined): string[][] {
  // Split at commas in a fifth of a parser's time: vane writes no rows with a comma in a cell.
  const split = width === undefined ? [] : splitCells(text.replaceAll('"', ''), ',');
  if (split.length > 0 && split.every(({ length }) => length === width)) return split;
  try {
    return parse(text, { relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = line + Number(error.lines ?? 1) - 1;
    throw faultAt(
      path,
      at,
      'expected cells of csv; a quote opens and does not close, or stands within a cell.',
    );
  }
}

interface FoundHead extends Head {
  readonly layout: Layout;
  readonly width: number;
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
    return { license, attribution, layout, width: names.length, isRow: false };
  }
  // A file without column names is read if it has all of the service's columns.
  if (first.length >= LEGEND.length && !Number.isNaN(readTime(first[0], zone))) {
    note(`${fileName(path)} has no header: its columns are read as those of the service, in km/h.`);
    const layout = takeLayout(findLayout(LEGEND, UNITS), line, context);
    return { layout, width: first.length, isRow: true };
  }
  if (!first.includes('time')) {
    const headers = HEADERS.filter((header) => header !== 'none').join(' or ');
    throw faultAt(
      path,
      line,
      `expected the names of columns, time among them, not ${excerpt(first.join(','))}; vane archive --header ${headers} writes them.`,
    );
  }
  const layout = takeLayout(findLayout(first, undefined), line, context);
  return { layout, width: first.length, isRow: false };
}

/** The text after the label `License` or `Attribution`, in the next cell or in the same cell. */
const afterLabel = ([label = '', value]: readonly string[]): string =>
  value ?? label.replace(/^\w+: /, '');

function takeLayout(found: Layout | string, line: number, { path, note }: TextContext): Layout {
  if (typeof found === 'string') throw faultAt(path, line, found);
  noteSteps(found, path, note);
  return found;
}
