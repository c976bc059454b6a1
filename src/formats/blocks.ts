import stringWidth from 'string-width';
import { formatZoneName } from '../domain/dates.ts';
import type {
  DocumentBlock,
  DocumentRow,
  MinimumTextWidths,
  RowDocument,
  StationTitle,
  TextColumn,
  ValueWriter,
} from '../domain/document.ts';
import { printable } from '../domain/text.ts';
import { cutText, fitLines, wrapText } from './fitText.ts';
import type { DocumentStyle } from './format.ts';
import { drawTable, renderLines, type TableColumn, type TableStyle } from './textTable.ts';
import { createValueWriter, NUMERIC_KINDS } from './words.ts';

/** How to write facts about one thing for people. */
export interface CardStyle extends TableStyle {
  /** Colours the labels of facts. */
  readonly paintLabel: (text: string) => string;
}

/** Writes a document for people, with a blank line between blocks. */
export async function* renderDocument(
  document: RowDocument,
  { zone, ...values }: DocumentStyle,
  style: CardStyle,
): AsyncGenerator<string> {
  const write = createValueWriter(values);
  let separator = '';
  for await (const block of document.blocks(write)) {
    yield separator +
      linesOf(block, zone, write, style)
        .map((line) => `${line}\n`)
        .join('');
    separator = '\n';
  }
}

function linesOf(
  block: DocumentBlock,
  zone: string,
  write: ValueWriter,
  style: CardStyle,
): string[] {
  const { columns = Number.POSITIVE_INFINITY, write: show } = style;
  if ('title' in block) {
    const { title, keys = [], lead } = block;
    const lines = titleLines(title, keys, zone, write, style);
    if (lead === undefined) return lines;
    return [...lines, ...fitLines(show(printable(lead)), columns, 2, show('…'))];
  }
  if ('notes' in block) return block.notes.flatMap((note) => wrapText(show(note), columns));
  if ('facts' in block) return cardLines(block, style);
  const lines = renderLines(tableColumns(block.columns, block.rows, write), block.rows, style);
  return block.foot === undefined ? lines : [...lines, block.foot];
}

/**
 * Writes the title of a block: station and group, then the period. These are two lines, cut to the
 * window, or three if the window is narrow.
 */
function titleLines(
  { station, name, period }: StationTitle,
  keys: readonly string[],
  zone: string,
  write: ValueWriter,
  { columns = Number.POSITIVE_INFINITY, paintHead, write: show }: CardStyle,
): string[] {
  const head = printable(name ? `Station ${station}, ${name.trim()}` : `Station ${station}`);
  const end = show(['', ...keys].join(', '));
  const start = cutText(show(head), columns - stringWidth(end), show('…'));
  // Writes a time to the minute. At midnight, only the date is written.
  const moment = (ms: number): string => write('clock', ms).replace(/ 00:00$/, '');
  const span = `${moment(period.start)} to ${moment(period.stop)}`;
  const zoneName = formatZoneName(zone);
  const line = `${span} ${zoneName}`;
  return [paintHead(start + end), ...(line.length <= columns ? [line] : [span, zoneName])];
}

/** Number of blanks between facts and the table beside them. */
const GAP = 4;

/** Writes facts with a table beside them, or below them if the window is narrow. */
function cardLines(
  { facts, beside }: Extract<DocumentBlock, { facts: unknown }>,
  { columns, paintLabel, write }: CardStyle,
): string[] {
  const draw = (rows: readonly (readonly string[])[]): string[] =>
    drawTable(rows.map(([label = '', ...cells]) => [paintLabel(label), ...cells.map(write)]));
  const left = draw(facts);
  const right = beside.length > 0 ? draw(beside) : [];
  const widthOf = (lines: readonly string[]): number =>
    Math.max(0, ...lines.map((line) => stringWidth(line)));
  const width = widthOf(left) + GAP;
  if (columns !== undefined && width + widthOf(right) > columns) {
    return [...left, ...(right.length > 0 ? ['', ...right] : [])];
  }
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const fact = left[at] ?? '';
    return `${fact}${' '.repeat(width - stringWidth(fact))}${right[at] ?? ''}`.trimEnd();
  });
}

function tableColumns(
  columns: readonly TextColumn[],
  rows: readonly DocumentRow[],
  write: ValueWriter,
): TableColumn<DocumentRow>[] {
  return columns.map(({ kind, room, brief, ...column }, place) => {
    const textOf = (row: DocumentRow): string => write(kind, row[place]);
    return {
      isDecimal: NUMERIC_KINDS.has(kind),
      ...column,
      ...(room && { room: room === 'head' ? wholeText(rows.map(textOf)) : room }),
      ...(brief !== undefined && { brief: { head: brief } }),
      cell: (row) => ({ text: textOf(row) }),
    };
  });
}

/** Allows the header of a column to be cut, but none of its texts. */
function wholeText(texts: readonly string[]): MinimumTextWidths {
  const width = texts.reduce((most, text) => Math.max(most, text.length), 0);
  return { roomy: Number.POSITIVE_INFINITY, comfortable: width, tight: width };
}
