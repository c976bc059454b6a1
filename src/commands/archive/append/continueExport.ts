import type { Piece } from '../../../output/target.ts';
import { checkBeginning, checkHead, foreignRows } from './headerCompatibility.ts';
import { type AppendLayout, endOfLines, HEADS, linesOf } from './layout.ts';
import type { LastRows, Tail } from './tail.ts';

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
  path: string,
  tail: Tail | undefined,
  layout: AppendLayout,
  onLate: (count: number) => void = () => {},
): AsyncGenerator<string> {
  /** The export up to the first row that is later than the file; undefined after that. */
  let start: string | undefined = '';
  for await (const piece of pieces) {
    let text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (start !== undefined) {
      start += text;
      const end = endOfOverlap(start, tail, layout);
      if (end === undefined) continue;
      text = textToAdd(start, end, path, tail, layout, onLate);
      start = undefined;
    }
    if (text !== '') yield text;
  }
  if (start === undefined) return;
  const text = textToAdd(start, start.length, path, tail, layout, onLate);
  if (text !== '') yield text;
}

/** Finds where an export goes beyond its file; undefined where more of its text is needed. */
function endOfOverlap(
  text: string,
  tail: Tail | undefined,
  layout: AppendLayout,
): number | undefined {
  const { count } = HEADS[layout.header];
  // A file without a head is recognised by its first row.
  if (!tail?.kept) return endOfLines(text, Math.max(count, 1));
  let start = endOfLines(text, count);
  if (tail.last === undefined || start === undefined) return start;
  const { time, readTime } = tail.last;
  for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
    if ((readTime(text.slice(start, end)) ?? Infinity) > time) return start;
    start = end + 1;
  }
  return undefined;
}

/** Checks the part of an export that overlaps its file. @returns the text that the file lacks */
function textToAdd(
  text: string,
  overlapEnd: number,
  path: string,
  tail: Tail | undefined,
  layout: AppendLayout,
  onLate: (count: number) => void,
): string {
  if (!tail?.kept) {
    if (tail) checkBeginning(path, tail.head, text.slice(0, overlapEnd).split('\n'));
    return text;
  }
  const headEnd = endOfLines(text, HEADS[layout.header].count) ?? text.length;
  checkHead(path, layout, tail.head, linesOf(text.slice(0, headEnd)));
  if (tail.last === undefined) return text.slice(headEnd);
  const overlap = linesOf(text.slice(headEnd, overlapEnd));
  return rowsToAdd(overlap, text.slice(overlapEnd), path, layout, tail.last, onLate);
}

/** The rows that the file lacks: those of its last time, then all later ones. */
function rowsToAdd(
  overlap: readonly string[],
  later: string,
  path: string,
  layout: AppendLayout,
  last: LastRows,
  onLate: (count: number) => void,
): string {
  const known = [...last.lines];
  const lacking = overlap.filter((line) => {
    const place = known.indexOf(line);
    // The file may have one of two identical rows.
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
  const added = lacking.filter((line) => last.readTime(line) === last.time);
  const fresh = added.map((line) => `${line}\n`).join('') + later;
  if (fresh !== '' && known.length === last.lines.length) {
    const [first = ''] = fresh.split('\n', 1);
    throw foreignRows(path, layout, last.lines.at(-1) ?? '', first);
  }
  onLate(lacking.length - added.length);
  return fresh;
}
