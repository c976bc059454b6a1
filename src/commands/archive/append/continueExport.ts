import type { Piece } from '../../../output/target.ts';
import { endOfLines, HEADS, linesOf } from './appendLayout.ts';
import { checkBeginning, checkHead, refuseForeignRows } from './headerCompatibility.ts';
import type { Tail } from './tail.ts';

/**
 * Yields the text that `--append` adds to a file, in pieces of whole lines, once the header lines
 * and the last rows of the file are compared with those of the new export.
 * @param pieces the text of the new export: the header lines, then rows that ascend by time
 * @param onLate called with the number of rows that are older than the file's last row, and left
 *   out
 * @throws UsageError if header lines or last rows differ; every error that `pieces` throws
 */
export async function* continueExport(
  pieces: AsyncIterable<Piece>,
  tail: Tail,
  onLate: (count: number) => void = () => {},
): AsyncGenerator<string> {
  /** The beginning of the export until it is compared with the file, then undefined. */
  let start: string | undefined = '';
  for await (const piece of pieces) {
    let text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (start !== undefined) {
      start += text;
      const end = endOfOverlap(start, tail);
      if (end === undefined) continue;
      text = textToAdd(start, end, tail, onLate);
      start = undefined;
    }
    if (text !== '') yield text;
  }
  const text = start === undefined ? '' : textToAdd(start, start.length, tail, onLate);
  if (text !== '') yield text;
}

/**
 * Finds where the text of an export goes on after the rows that its file already has.
 * @returns an index into the text; undefined while more of the text is needed
 */
function endOfOverlap(text: string, { kept, last, layout }: Tail): number | undefined {
  const { count } = HEADS[layout.header];
  // Compare one line at least: a crash may have cut a file without header in its first row.
  if (kept === 0) return endOfLines(text, Math.max(count, 1));
  let start = endOfLines(text, count);
  if (last === undefined || start === undefined) return start;
  for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
    if ((last.readTime(text.slice(start, end)) ?? Infinity) > last.time) return start;
    start = end + 1;
  }
  return undefined;
}

/**
 * Compares the header lines and first rows of an export with its file.
 * @returns the text that the file lacks
 */
function textToAdd(
  text: string,
  overlapEnd: number,
  tail: Tail,
  onLate: (count: number) => void,
): string {
  if (tail.kept === 0) {
    checkBeginning(tail, text.slice(0, overlapEnd).split('\n'));
    return text;
  }
  const headEnd = endOfLines(text, HEADS[tail.layout.header].count) ?? text.length;
  checkHead(tail, linesOf(text.slice(0, headEnd)));
  if (tail.last === undefined) return text.slice(headEnd);
  const { lines, time, readTime } = tail.last;
  const known = [...lines];
  const lacking = linesOf(text.slice(headEnd, overlapEnd)).filter((line) => {
    const place = known.indexOf(line);
    // Match each row of the file once: where the export has two equal rows, the file may have one.
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
  // Add rows with the time of the file's last row; older rows would be out of order.
  const added = lacking.filter((line) => readTime(line) === time);
  const fresh = added.map((line) => `${line}\n`).join('') + text.slice(overlapEnd);
  if (fresh !== '' && known.length === lines.length) {
    const [first = ''] = fresh.split('\n', 1);
    refuseForeignRows(tail, lines.at(-1) ?? '', first);
  }
  onLate(lacking.length - added.length);
  return fresh;
}
