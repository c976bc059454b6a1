import stringWidth from 'string-width';

// What chalk puts around text. Nothing from a service can hold one: printable() takes ESC away.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
const COLOUR = /(\u001b\[[\d;]*m)/;

const graphemes = new Intl.Segmenter();

/** Cells of a terminal that text takes, colours not counted. */
export function widthOf(text: string): number {
  // Nearly all there is to measure; string-width takes a hundred times as long.
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
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
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(start + segment) > room) break;
    start += segment;
  }
  return start;
}
