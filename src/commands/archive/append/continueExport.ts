import type { Piece } from '../../../output/target.ts';
import { checkBeginning, checkHead, foreignRows } from './headerCompatibility.ts';
import { endOfLines, HEADS, linesOf } from './layout.ts';
import type { Tail } from './tail.ts';

/**
 * The text that an export adds to its file. Every piece ends in a line end, and none comes before
 * the head and the overlapping rows are found to match.
 * @param pieces the export of the remaining period, head first; rows ascend
 * @param onLate called with the number of rows before the file's last one that the file lacks; they
 *   are not added
 * @throws UsageError where the file was written in another form; whatever `pieces` throws
 */
export async function* continueExport(
  pieces: AsyncIterable<Piece>,
  tail: Tail,
  onLate: (count: number) => void = () => {},
): AsyncGenerator<string> {
  /** The export up to the first row that is later than the file; undefined after that. */
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

/** Finds where an export goes beyond its file; undefined where more of its text is needed. */
function endOfOverlap(text: string, { kept, last, layout }: Tail): number | undefined {
  const { count } = HEADS[layout.header];
  // A file without a head is recognised by its first row.
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
    // The file may have one of two identical rows.
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
  // Rows of the file's last time may be added; those before it came too late.
  const added = lacking.filter((line) => readTime(line) === time);
  const fresh = added.map((line) => `${line}\n`).join('') + text.slice(overlapEnd);
  if (fresh !== '' && known.length === lines.length) {
    const [first = ''] = fresh.split('\n', 1);
    throw foreignRows(tail, lines.at(-1) ?? '', first);
  }
  onLate(lacking.length - added.length);
  return fresh;
}
