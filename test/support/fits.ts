import stringWidth from 'string-width';
import { expect } from 'vitest';

/** Fails for lines of a text that are too wide, and says of each how wide it is and may be. */
export function expectColumns(text: string, most: number): void {
  for (const [index, line] of text.split('\n').entries()) {
    const columns = stringWidth(line);
    if (columns > most) {
      expect.fail(`line ${index + 1} has ${columns} columns; it may have ${most}: ${line}`);
    }
  }
}

/** Fails for a text of too many lines, and says how many it has and may have. */
export function expectLines(text: string, most: number): void {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length > most) {
    const rest = lines.slice(most).join('\n');
    expect.fail(`the text has ${lines.length} lines; it may have ${most}, so without:\n${rest}`);
  }
}
