import type { LineBlock, LineCursor } from './blocks.ts';
import { fileErrorAtLine, noteIncompleteLastLine, quoteFileValue } from './fault.ts';
import { type FileLayout, findFileLayout } from './layout.ts';
import { type StationColumns, StationColumnsCollector } from './pieces.ts';
import type { FileTable, TableOptions } from './table.ts';
import { addRow } from './values.ts';

/** Maximum number of different sets of names in the rows, since each needs memory. */
const MAX_LAYOUTS = 100;

/** Opens ndjson. Each row is an object with the names of its values, and may name its station. */
export function openNdjson(
  blocks: AsyncGenerator<LineBlock>,
  cursor: LineCursor,
  options: TableOptions,
): FileTable {
  return {
    namesStations: true,
    provenance: {},
    async *pieces() {
      const rows = new Rows(options);
      for await (const block of blocks) yield* rows.read(block, cursor);
      yield* rows.finish();
    },
  };
}

/** Reads the rows of ndjson. */
class Rows {
  readonly #options: TableOptions;
  readonly #pieces: StationColumnsCollector;
  /**
   * The column indexes by the names in a row. A file may contain several exports with different
   * columns.
   */
  readonly #layouts = new Map<string, FileLayout>();

  constructor(options: TableOptions) {
    this.#options = options;
    this.#pieces = new StationColumnsCollector(options.bounds);
  }

  read({ bytes, isLast }: LineBlock, cursor: LineCursor): readonly StationColumns[] {
    const text = bytes.toString();
    const lines = text.split('\n');
    if (!isLast) lines.pop();
    for (const json of lines) {
      const isCut = isLast && isCutJson(json);
      if (isCut) noteIncompleteLastLine(this.#options);
      if (json.trim() !== '' && !isCut) this.#readRow(json, cursor.line);
      cursor.line++;
    }
    return this.#pieces.takeFull();
  }

  finish(): readonly StationColumns[] {
    return this.#pieces.finish();
  }

  #readRow(json: string, line: number): void {
    const row = parseObject(json, line, this.#options);
    const layout = this.#layoutOf(Object.keys(row), line);
    addRow(Object.values(row), layout, line, this.#options, this.#pieces);
  }

  #layoutOf(names: readonly string[], line: number): FileLayout {
    const key = JSON.stringify(names);
    const known = this.#layouts.get(key);
    if (known) return known;
    if (this.#layouts.size === MAX_LAYOUTS) {
      const sentence = `rows have over ${MAX_LAYOUTS} different lists of names.`;
      throw fileErrorAtLine(this.#options.path, line, sentence);
    }
    const layout = findFileLayout(names, undefined, line, this.#options);
    this.#layouts.set(key, layout);
    return layout;
  }
}

/** Whether the last line begins a row but does not finish it. */
function isCutJson(text: string): boolean {
  const json = text.trim();
  return json.startsWith('{') && !json.endsWith('}');
}

function parseObject(text: string, line: number, { path }: TableOptions): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Ignore that the text is not JSON: the error below names the line.
  }
  const wanted = 'expected a JSON object of one row, as -f ndjson writes (-f json is not read)';
  throw fileErrorAtLine(path, line, `${wanted}, not ${quoteFileValue(text)}.`);
}
