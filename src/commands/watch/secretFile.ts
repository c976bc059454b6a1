import { printable } from '../../domain/text.ts';
import { describeFileError, UsageError } from '../../errors.ts';
import { readSmallFile } from '../../flags/shortText.ts';

const MAX_KIB = 64;

/** A part of an option's value, and where it comes from. */
interface OptionPart {
  readonly text: string;
  /** The place to name in errors: the option, or a line of the file that it names. */
  readonly place: string;
}

/**
 * Reads the value of an option, or with `@path` the lines of a file. A file can keep a secret,
 * since other users can see the command line.
 * @returns the non-blank lines of the file, or the value itself
 * @throws UsageError if the file cannot be read, is empty or exceeds 64 KiB; the message quotes
 *   nothing of the file
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
