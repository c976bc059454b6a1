/**
 * A pattern for a text that contains all these words, in any order: an error has to name the
 * reader's own word, the station, the period or the option, while its wording is free.
 */
export const naming = (...words: readonly (string | number)[]): RegExp =>
  new RegExp(`^${words.map((word) => `(?=[\\s\\S]*${escaped(String(word))})`).join('')}`);

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
