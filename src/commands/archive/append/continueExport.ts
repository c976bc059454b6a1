import type { Piece } from '../../../output/target.ts';
import { checkBeginning, checkHead, foreignRows } from './headerCompatibility.ts';
import { endOfLines, HEADS, linesOf } from './layout.ts';
import type { Tail } from './tail.ts';

/**
 * The text that an export adds to its file, in pieces of whole lines. The head and the rows that
 * overlap with the file are compared before the first piece.
 * @param pieces the export of the remaining period, head first; rows ascend
 * @param onLate called with the number of late rows, which are not added: rows that the file lacks,
 *   of a time before its last row
 * @throws UsageError if the file was written in another form; every error of `pieces`
 */
export async function* continueExport(
  pieces: AsyncIterable<Piece>,
  tail: Tail,
  onLate: (count: number) => void = () => {},
): AsyncGenerator<string> {
  /** The export's text up to the first row later than the file's last row; undefined after that. */
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

/** The index in an export's text at which the file ends; undefined while more text is needed. */
function endOfOverlap(text: string, { kept, last, layout }: Tail): number | undefined {
  const { count } = HEADS[layout.header];
  // For a format without a head, compare the first row with a file that a crash cut.
  if (kept === 0) return endOfLines(text, Math.max(count, 1));
  let start = endOfLines(text, count);
  if (last === undefined || start === undefined) return start;
  for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
    if ((last.readTime(text.slice(start, end)) ?? Infinity) > last.time) return start;
    start = end + 1;
  }
  return undefined;
}

/** Checks the part of an export that overlaps its file. @returns the text that the file lacks */
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
    // Match each row of the file once: of two identical rows, the file may have only one.
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
  // Rows with the file's last time can be appended; rows of an earlier time are late.
  const added = lacking.filter((line) => readTime(line) === time);
  const fresh = added.map((line) => `${line}\n`).join('') + text.slice(overlapEnd);
  if (fresh !== '' && known.length === lines.length) {
    const [first = ''] = fresh.split('\n', 1);
    throw foreignRows(tail, lines.at(-1) ?? '', first);
  }
  onLate(lacking.length - added.length);
  return fresh;
}
