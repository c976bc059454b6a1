import { createRequire } from 'node:module';

/** Loaded, as the segmenter is, when there is text that needs it. */
let measure: ((text: string) => number) | undefined;
let graphemes: Intl.Segmenter | undefined;

// What chalk puts around text. Nothing from a service can hold one: printable() takes ESC away.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Characters of one cell each: ASCII, Latin letters, dashes and quotes, arrows, bars of a trend. */
const NARROW = /^[ -~\u00a1-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2581-\u2588]*$/;

/** Cells of a terminal that text takes, colours not counted. */
export function widthOf(text: string): number {
  // Nearly all there is to measure; string-width takes a hundred times as long.
  if (NARROW.test(text)) return text.length;
  measure ??= createRequire(import.meta.url)('string-width') as (text: string) => number;
  return measure(text);
}

/**
 * Text cut to at most `width` cells of a terminal, between characters as people see them; colours
 * that it opens are closed.
 * @param ellipsis what shows that something is missing; itself cut where even that is too wide
 */
export function cutText(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const mark = ellipsis.slice(0, Math.max(0, width));
  const pieces = text.split(COLOUR);
  let room = width - widthOf(mark);
  let isCut = false;
  // A split by a pattern with a group puts what the group matched at the odd places.
  const kept = pieces.map((piece, place) => {
    if (place % 2 === 1) return piece;
    if (isCut) return '';
    const start = startThatFits(piece, room);
    room -= widthOf(start);
    if (start === piece) return piece;
    isCut = true;
    return start + mark;
  });
  return kept.join('');
}

function startThatFits(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let start = '';
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(start + segment) > room) break;
    start += segment;
  }
  return start;
}
