import type { Piece } from '../../../output/target.ts';
import { checkBeginning, checkHead, strangeRows } from './headerCompatibility.ts';
import { type AppendLayout, HEADS, type TimeReader, timeReader } from './layout.ts';
import type { LastRows, Tail } from './tail.ts';

/**
 * Of an export over what remains of its period, the text that its file does not have yet. Every
 * piece ends in a line end, and none comes before head and rows are known to agree.
 * @param pieces the export, head first; rows ascend
 * @param onLate told how many rows the file lacks before its last one; they are left out
 * @throws UsageError where the file was written otherwise; whatever `pieces` throws
 */
export async function* continueExport(
  pieces: AsyncIterable<Piece>,
  path: string,
  tail: Tail | undefined,
  layout: AppendLayout,
  onLate: (count: number) => void = () => {},
): AsyncGenerator<string> {
  const { count } = HEADS[layout.header];
  if (tail === undefined || tail.kept === 0) {
    // What is left of a file without a head is told by its first row.
    yield* replaceStart(pieces, endOfLines(Math.max(count, 1)), (start, rest) => {
      if (tail !== undefined) checkBeginning(path, tail.head, start.split('\n'));
      return start + rest;
    });
    return;
  }
  const rows = replaceStart(pieces, endOfLines(count), (head, rest) => {
    checkHead(path, layout, tail.head, head.split('\n').slice(0, -1));
    return rest;
  });
  const readTime = timeReader(layout, tail.head);
  if (tail.last === undefined || readTime === undefined) yield* rows;
  else yield* withoutKnown(rows, path, layout, tail.last, readTime, onLate);
}

/** The rows that are not in the file: of its last time what it lacks, then all that follow. */
function withoutKnown(
  rows: AsyncIterable<string>,
  path: string,
  layout: AppendLayout,
  last: LastRows,
  readTime: TimeReader,
  onLate: (count: number) => void,
): AsyncGenerator<string> {
  const isLater = (line: string): boolean => (readTime(line) ?? Infinity) > last.time;
  return replaceStart(rows, startOfLine(isLater), (upToLast, later) => {
    const known = [...last.lines];
    const lacking = linesOf(upToLast).filter((line) => {
      const place = known.indexOf(line);
      // Of two rows that are alike the file may have one.
      if (place !== -1) known.splice(place, 1);
      return place === -1;
    });
    const added = lacking.filter((line) => readTime(line) === last.time);
    const fresh = added.map((line) => `${line}\n`).join('') + later;
    if (fresh !== '' && known.length === last.lines.length) {
      const [first = ''] = fresh.split('\n', 1);
      throw strangeRows(path, layout, last.lines.at(-1) ?? '', first);
    }
    onLate(lacking.length - added.length);
    return fresh;
  });
}

/**
 * A text that comes in pieces, with another start.
 * @param findEnd where the start ends in what has come so far; undefined while it goes on
 * @param replace makes the new text out of the start and what has come after it
 */
async function* replaceStart(
  pieces: AsyncIterable<Piece>,
  findEnd: (text: string) => number | undefined,
  replace: (start: string, rest: string) => string,
): AsyncGenerator<string> {
  let held: string | undefined = '';
  for await (const piece of pieces) {
    let text: string = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (held !== undefined) {
      held += text;
      const end = findEnd(held);
      if (end === undefined) continue;
      text = replace(held.slice(0, end), held.slice(end));
      held = undefined;
    }
    if (text !== '') yield text;
  }
  const text = held === undefined ? '' : replace(held, '');
  if (text !== '') yield text;
}

/** Finds where the first lines of a text end. */
function endOfLines(count: number): (text: string) => number | undefined {
  return (text) => {
    let end = 0;
    for (let line = 0; line < count; line++) {
      end = text.indexOf('\n', end) + 1;
      if (end === 0) return undefined;
    }
    return end;
  };
}

/** Finds where the first line of a kind begins. */
function startOfLine(isOfKind: (line: string) => boolean): (text: string) => number | undefined {
  return (text) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (isOfKind(text.slice(start, end))) return start;
      start = end + 1;
    }
    return undefined;
  };
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}
