import stringWidth from 'string-width';

// Matches chalk's escape sequences for colours. Text from the service has none, since printable()
// removes ESC.
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with ESC
const COLOUR = /(\u001b\[[\d;]*m)/;

/**
 * Cuts a text to at most `width` cells of a terminal. Characters made of several code points are
 * kept whole, and colours are closed.
 * @param ellipsis ends a text that was cut. If the ellipsis is too wide itself, it is cut.
 */
export function cutText(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const mark = ellipsis.slice(0, Math.max(0, width));
  let room = width - stringWidth(mark);
  let isCut = false;
  // The pattern has a capturing group, so `split` also returns the colour codes, at odd indexes.
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

/** Wraps a text to at most `most` lines of a width, and cuts the rest. */
export function fitLines(text: string, width: number, most: number, ellipsis: string): string[] {
  const lines = wrapText(text, width);
  const last = lines.splice(most - 1).join(' ');
  return [...lines, ...(last === '' ? [] : [last])].map((line) => cutText(line, width, ellipsis));
}

function startThatFits(text: string, room: number): string {
  if (stringWidth(text) <= room) return text;
  let start = '';
  // Create the Intl.Segmenter only when a text must be cut: the first one takes 25 ms.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(start + segment) > room) break;
    start += segment;
  }
  return start;
}

/**
 * Wraps a text at blanks to lines of at most `width` cells. A longer word stays whole, so that an
 * address can be copied.
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
