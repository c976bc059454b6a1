import { printable } from '../../domain/text.ts';
import { describeFileError, UsageError } from '../../errors.ts';
import { readSmallFile } from '../../flags/shortText.ts';

const MAX_KIB = 64;

/** A part of the value of an option, with its place for errors. */
interface OptionPart {
  readonly text: string;
  /** The option itself, or the place in the file that the option names. */
  readonly place: string;
}

/**
 * Reads the value of an option that may be `@` and the path of a file: other users can read the
 * command line, but not a file of mode 0600.
 * @returns the lines of the file but blank ones, or the value itself
 * @throws UsageError for a file that cannot be read, holds nothing or is larger than 64 KiB; it
 *   quotes nothing of the file
 */
export function readValueOrFile(option: string, value: string): OptionPart[] {
  if (!value.startsWith('@')) return [{ text: value, place: option }];
  const path = value.slice(1);
  const file = `the file “${printable(path)}” of ${option}`;
  const lines = readText(path, file).split(/\r\n|[\r\n]/);
  const given = lines.map((line, i) => ({ text: line.trim(), place: `Line ${i + 1} of ${file}` }));
  const filled = given.filter(({ text }) => text !== '');
  if (filled.length === 0) throw new UsageError(`There is nothing in ${file}.`);
  return filled;
}

function readText(path: string, file: string): string {
  let text: string | undefined;
  try {
    text = readSmallFile(path, MAX_KIB * 1024);
  } catch (error) {
    throw new UsageError(`Could not read ${file}: ${describeFileError(error)}.`);
  }
  if (text !== undefined) return text;
  throw new UsageError(`Could not read ${file}: it is larger than ${MAX_KIB} KiB.`);
}
