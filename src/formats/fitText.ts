import stringWidth from 'string-width';

// An escape sequence of chalk, which sets a colour. Text from the service contains none, since
// printable() removes ESC.
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with ESC
const COLOUR = /(\u001b\[[\d;]*m)/;

/**
 * A text cut to at most `width` cells of a terminal. A character that people see as one is never
 * cut, and a colour that was begun is ended.
 * @param ellipsis ends a text that was cut; is itself cut if it alone is too wide
 */
export function cutText(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const mark = ellipsis.slice(0, Math.max(0, width));
  let room = width - stringWidth(mark);
  let isCut = false;
  // The pattern captures the colour codes, so `split` returns them too, at odd indexes.
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

/** The lines of a text that is wrapped to at most `most` lines of a width, and cut at the end. */
export function fitLines(text: string, width: number, most: number, ellipsis: string): string[] {
  const lines = wrapText(text, width);
  const last = lines.splice(most - 1).join(' ');
  return [...lines, ...(last === '' ? [] : [last])].map((line) => cutText(line, width, ellipsis));
}

function startThatFits(text: string, room: number): string {
  if (stringWidth(text) <= room) return text;
  let start = '';
  // The first Intl.Segmenter takes 25 ms to make, so none is made until a text must be cut.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(start + segment) > room) break;
    start += segment;
  }
  return start;
}

/**
 * The lines of a text that is wrapped at blanks to at most `width` cells. A longer word stays whole,
 * so that an address can be copied.
 */
export function wrapText(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line === undefined || stringWidth(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
