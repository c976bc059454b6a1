import type { Piece } from '../../../output/target.ts';
import { checkBeginning, checkHead, foreignRows } from './headerCompatibility.ts';
import { type AppendLayout, HEADS, type TimeReader, timeReader } from './layout.ts';
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
  const { count } = HEADS[layout.header];
  if (tail === undefined || tail.kept === 0) {
    // A file without a head is recognised by its first row.
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
  else yield* rowsToAdd(rows, path, layout, tail.last, readTime, onLate);
}

/** The rows that the file lacks: those of its last time, then all later ones. */
function rowsToAdd(
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
      // The file may have one of two identical rows.
      if (place !== -1) known.splice(place, 1);
      return place === -1;
    });
    const added = lacking.filter((line) => readTime(line) === last.time);
    const fresh = added.map((line) => `${line}\n`).join('') + later;
    if (fresh !== '' && known.length === last.lines.length) {
      const [first = ''] = fresh.split('\n', 1);
      throw foreignRows(path, layout, last.lines.at(-1) ?? '', first);
    }
    onLate(lacking.length - added.length);
    return fresh;
  });
}

/**
 * Replaces the start of a text that comes in pieces.
 * @param findEnd finds where the start ends; undefined while more text is needed
 * @param replace makes the new text of the start and the rest of its last piece
 */
async function* replaceStart(
  pieces: AsyncIterable<Piece>,
  findEnd: (text: string) => number | undefined,
  replace: (start: string, rest: string) => string,
): AsyncGenerator<string> {
  let pending: string | undefined = '';
  for await (const piece of pieces) {
    let text: string = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (pending !== undefined) {
      pending += text;
      const end = findEnd(pending);
      if (end === undefined) continue;
      text = replace(pending.slice(0, end), pending.slice(end));
      pending = undefined;
    }
    if (text !== '') yield text;
  }
  const text = pending === undefined ? '' : replace(pending, '');
  if (text !== '') yield text;
}

/** Finds the end of the first lines of a text. */
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

/** Finds the start of the first line that a test accepts. */
function startOfLine(isWanted: (line: string) => boolean): (text: string) => number | undefined {
  return (text) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (isWanted(text.slice(start, end))) return start;
      start = end + 1;
    }
    return undefined;
  };
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}
