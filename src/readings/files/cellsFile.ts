import { CsvError, parse } from 'csv-parse/sync';
import { HEADER_CHOICES } from '../../formats/format.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS } from '../../wire/archive.ts';
import type { LineBlock, LineCursor } from './blocks.ts';
import { describeFile, fileErrorAtLine, noteIncompleteLastLine, quoteFileValue } from './fault.ts';
import { type FileLayout, findFileLayout, fullColumnName } from './layout.ts';
import { LineReader } from './lineReader.ts';
import { type StationColumns, StationColumnsCollector } from './pieces.ts';
import type { FileProvenance, FileTable, TableOptions } from './table.ts';
import { addRow, parseCellTime } from './values.ts';

/** Opens csv or txt with the header lines of any `--header`. */
export async function openCsvOrTxt(
  blocks: AsyncGenerator<LineBlock>,
  cursor: LineCursor,
  options: TableOptions,
): Promise<FileTable> {
  const { path } = options;
  let isTabs: boolean | undefined;
  let found: Head | undefined;
  let rest: LineBlock | undefined;
  const head: string[][] = [];
  while (found === undefined) {
    const { value: block, done } = await blocks.next();
    if (done) break;
    rest = block;
    if (isTabs === undefined) {
      const text = block.bytes.toString();
      isTabs = /^(?:License: |[^\n]*\t)/.test(text);
      if (!isTabs) refuseSemicolons(text, cursor.line, path);
    }
    while (found === undefined && rest.bytes.length > 0) {
      const { record, after } = cutRecord(rest.bytes, isTabs);
      const [cells = []] = parseCells(record, isTabs, cursor.line, path);
      if (!isBlank(cells)) head.push(cells);
      found = head.length === 0 ? undefined : readHead(head, cursor.line, options);
      if (found?.isRow) break;
      rest = { ...rest, bytes: after };
      cursor.line += countLines(record);
    }
  }
  return {
    namesStations: found?.layout.stationAt !== undefined,
    provenance: found?.provenance ?? {},
    async *pieces() {
      if (found === undefined || rest === undefined) return;
      const rows = new Rows(found.layout, isTabs ?? false, options);
      yield* rows.read(rest, cursor);
      for await (const block of blocks) yield* rows.read(block, cursor);
      yield* rows.finish();
    },
  };
}

/**
 * Reads the rows of csv or txt. Lines as vane writes them have a fast path; all others go through a
 * csv parser.
 */
class Rows {
  readonly #layout: FileLayout;
  readonly #isTabs: boolean;
  readonly #options: TableOptions;
  readonly #pieces: StationColumnsCollector;
  readonly #lines: LineReader;

  constructor(layout: FileLayout, isTabs: boolean, options: TableOptions) {
    this.#layout = layout;
    this.#isTabs = isTabs;
    this.#options = options;
    this.#pieces = new StationColumnsCollector(options.bounds);
    this.#lines = new LineReader(layout, isTabs, options, this.#pieces);
  }

  read({ bytes, isLast }: LineBlock, cursor: LineCursor): readonly StationColumns[] {
    if (bytes.length === 0) return [];
    if (isLast && this.#isCut(bytes)) noteIncompleteLastLine(this.#options);
    else {
      const others = bytes.subarray(this.#lines.read(bytes, cursor));
      if (others.length > 0) this.#readOthers(others, cursor);
    }
    return this.#pieces.takeFull();
  }

  finish(): readonly StationColumns[] {
    return this.#pieces.finish();
  }

  /** Whether the last line of the file has too few cells or an open quote. */
  #isCut(bytes: Buffer): boolean {
    if (!this.#isTabs && hasOpenQuote(bytes)) return true;
    const [row = []] = parseCells(bytes, this.#isTabs, 1, this.#options.path);
    return row.length < this.#layout.cells;
  }

  #readOthers(bytes: Buffer, cursor: LineCursor): void {
    const options = this.#options;
    const rows = parseCells(bytes, this.#isTabs, cursor.line, options.path);
    for (const [index, cells] of rows.entries()) {
      if (isBlank(cells)) continue;
      const line = cursor.line + index;
      refuseSurplus(cells, this.#layout, this.#isTabs, line, options.path);
      addRow(cells, this.#layout, line, options, this.#pieces);
    }
    cursor.line += countLines(bytes);
  }
}

const isBlank = (cells: readonly string[]): boolean =>
  cells.length === 1 && cells[0]?.trim() === '';

const LF = '\n'.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Cuts off the first record, whose quoted cells may contain line ends. */
function cutRecord(bytes: Buffer, isTabs: boolean): { record: Buffer; after: Buffer } {
  let isOpen = false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at++];
    if (byte === QUOTE && !isTabs) isOpen = !isOpen;
    if (byte === LF && !isOpen) break;
  }
  return { record: bytes.subarray(0, at), after: bytes.subarray(at) };
}

const hasOpenQuote = (bytes: Buffer): boolean =>
  bytes.reduce((isOpen, byte) => (byte === QUOTE ? !isOpen : isOpen), false);

/**
 * Splits lines into cells.
 * @param line the number of the first line, counted from 1
 * @throws UsageError that names the line
 */
function parseCells(bytes: Buffer, isTabs: boolean, line: number, path: string): string[][] {
  const marks = isTabs ? { delimiter: '\t', quote: false } : {};
  try {
    return parse(bytes, { relax_column_count: true, ...marks });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = line + Number(error.lines ?? 1) - 1;
    throw fileErrorAtLine(
      path,
      at,
      'not valid csv: a quotation mark is never closed, or is in the middle of a cell.',
    );
  }
}

/** Refuses csv whose first line has more semicolons than commas, not counting quoted text. */
function refuseSemicolons(text: string, line: number, path: string): void {
  const first = text.trimStart();
  const [line1 = ''] = first.split('\n', 1);
  const bare = line1.replaceAll(/"[^"]*"/g, '');
  if (bare.split(';').length <= bare.split(',').length) return;
  const blank = text.slice(0, -first.length);
  throw fileErrorAtLine(
    path,
    line + blank.split('\n').length - 1,
    "expected commas between the cells, not semicolons. Save the file with commas between cells and points in numbers, or convert it: sed 's/,/./g; s/;/,/g'",
  );
}

/** Refuses a row with more cells than the file has columns. A line end or quotes may be missing. */
function refuseSurplus(
  cells: readonly string[],
  layout: FileLayout,
  isTabs: boolean,
  line: number,
  path: string,
): void {
  const count = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (count <= layout.cells) return;
  const advice = isTabs ? '' : ' Quote text that has a comma, and write 7.5 instead of 7,5.';
  const sentence = `expected up to ${layout.cells} cells, one for each column, not ${count}.`;
  throw fileErrorAtLine(path, line, sentence + advice);
}

interface Head {
  readonly layout: FileLayout;
  readonly provenance: FileProvenance;
  /** Whether the file has no header, so that its first line is a row. */
  readonly isRow: boolean;
}

/** Parses the header lines before the rows; undefined until the header is complete. */
function readHead(
  head: readonly (readonly string[])[],
  line: number,
  options: TableOptions,
): Head | undefined {
  const { path, zone, note } = options;
  const [first = [], second = [], names = [], units] = head;
  if (/^License(?:$|: )/.test(first[0] ?? '')) {
    if (units === undefined) return undefined;
    const [license, attribution] = [afterLabel(first), afterLabel(second)];
    const provenance = { ...(license && { license }), ...(attribution && { attribution }) };
    return { layout: findFileLayout(names, units, line, options), provenance, isRow: false };
  }
  // Accept a file without column names if it has all columns of the service.
  if (first.length >= ARCHIVE_LEGEND.length && !Number.isNaN(parseCellTime(first[0], zone))) {
    note(
      `${describeFile(path)} has no header: its columns are read in the order of the service, in km/h.`,
    );
    const names = [...ARCHIVE_LEGEND, ...first.slice(ARCHIVE_LEGEND.length).map(() => '')];
    return {
      layout: findFileLayout(names, ARCHIVE_UNITS, line, options),
      provenance: {},
      isRow: true,
    };
  }
  if (!first.map(fullColumnName).includes('time')) {
    const headers = HEADER_CHOICES.filter((header) => header !== 'none').join(' or ');
    throw fileErrorAtLine(
      path,
      line,
      `expected column names with time among them, not ${quoteFileValue(first.join(','))}; vane archive --header ${headers} writes them.`,
    );
  }
  return { layout: findFileLayout(first, undefined, line, options), provenance: {}, isRow: false };
}

/** The text after the label `License` or `Attribution`, in the next cell or in the same one. */
const afterLabel = ([label = '', value]: readonly string[]): string =>
  value ?? label.replace(/^\w+: /, '');
