import { printable } from '../text.ts';

const MAX_WIDTH = 70;
/** Columns kept before the place in a line that is cut. */
const BEFORE_WIDTH = 40;

/**
 * Shows a place in a text: the text in one line, safe for a terminal, and under the place a
 * caret. Of a long text the 70 columns around the place.
 * @param at index into the text; one outside it means its beginning or its end
 */
export function pointAt(text: string, at: number): string {
  const place = characterStart(text, Math.min(Math.max(0, at), text.length));
  // Each side by itself: printable() may shorten the text, and the caret has to follow.
  const before = [...printable(text.slice(0, place))];
  const line = [...before, ...printable(text.slice(place))];
  const start = Math.max(0, Math.min(before.length - BEFORE_WIDTH, line.length - MAX_WIDTH));
  const shown = line.slice(start, start + MAX_WIDTH);
  if (start > 0) shown[0] = '…';
  if (start + MAX_WIDTH < line.length) shown[MAX_WIDTH - 1] = '…';
  return `${shown.join('')}\n${' '.repeat(before.length - start)}^`;
}

/** A place between the halves of a surrogate pair moves in front of it. */
function characterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
