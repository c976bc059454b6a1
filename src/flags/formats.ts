import { PICTURE_FORMATS } from '../figures/kinds.ts';
import type { FormatTraits } from '../formats/format.ts';
import { FORMATS } from '../formats/index.ts';

/** All formats of `-f`: those of documents, then those of pictures. */
const ALL_FORMATS = { ...FORMATS, ...PICTURE_FORMATS };
export type FormatName = keyof typeof ALL_FORMATS;

/** The file name endings that choose a format; none for `table`. */
export function fileEndingsOf(format: FormatName): readonly string[] {
  return (ALL_FORMATS[format] as FormatTraits).endings ?? [`.${format}`];
}

/**
 * The format that a file name's ending chooses, ignoring `.gz`; undefined for an unknown ending.
 * @param first formats to try first, since two formats share `.txt`
 */
export function formatOfFile(path: string, first: readonly FormatName[]): FormatName | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  return [...first, ...(Object.keys(ALL_FORMATS) as FormatName[])].find((format) =>
    fileEndingsOf(format).some((ending) => name.endsWith(ending)),
  );
}
