import Table from 'cli-table3';
import { widest } from './cut.ts';
import { GAP } from './fit.ts';

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left right';
const chars = {
  ...Object.fromEntries(BORDERS.split(' ').map((name) => [name, ''])),
  middle: GAP,
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** cli-table3's time grows with the square of the rows, so it is given this many at a time. */
const ROWS_AT_ONCE = 50;

/**
 * Draws a table without borders, its columns two blanks apart.
 * @param rows cells of one line each, which may be coloured; column names are the first row
 * @param widths cells of a terminal that each column takes, by default those of its widest text
 * @returns one line for each row
 */
export function drawTable(
  rows: readonly (readonly string[])[],
  widths: readonly number[] = widestOfEach(rows),
): string[] {
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const table = new Table({ chars, style, colWidths: [...widths] });
    for (const row of rows.slice(start, start + ROWS_AT_ONCE)) table.push([...row]);
    for (const line of table.toString().split('\n')) lines.push(line.trimEnd());
  }
  return lines;
}

function widestOfEach([first = [], ...rest]: readonly (readonly string[])[]): number[] {
  return first.map((head, index) => widest([head, ...rest.map((row) => row[index] ?? '')]));
}
