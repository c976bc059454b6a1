import stringWidth from 'string-width';

/** Made at the first cut, since loading Unicode's rules takes 25 ms. */
let graphemes: Intl.Segmenter | undefined;

// Matches what chalk writes around text; text from a service holds no ESC after printable().
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Cells of a terminal that the widest of several texts takes, colours not counted. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

/**
 * Text cut to at most `width` cells of a terminal. The cut lies between characters as people see
 * them (cli-table3 cuts an emoji in half), and colours that the text opens are closed.
 * @param ellipsis ends a text that was cut; is itself cut where even that is too wide
 */
export function cutText(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const mark = ellipsis.slice(0, Math.max(0, width));
  let room = width - stringWidth(mark);
  let isCut = false;
  // Splitting by a pattern with a group puts the colours at the odd places.
  const kept = text.split(COLOUR).map((piece, place) => {
    if (place % 2 === 1) return piece;
    if (isCut) return '';
    const start = startThatFits(piece, room);
    room -= stringWidth(start);
    if (start === piece) return piece;
    isCut = true;
    return start + mark;
  });
  return kept.join('');
}

function startThatFits(text: string, room: number): string {
  if (stringWidth(text) <= room) return text;
  graphemes ??= new Intl.Segmenter();
  let start = '';
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(start + segment) > room) break;
    start += segment;
  }
  return start;
}
