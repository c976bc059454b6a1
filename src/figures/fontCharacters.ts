const TABLE_DIRECTORY = 12;
const TABLE_ENTRY = 16;
const ENCODING_RECORD = 8;
/** The format of a mapping in the table `cmap` that has all characters of Unicode, in groups. */
const SEGMENTED_COVERAGE = 12;
const GROUPS = 16;
const GROUP = 12;

/** Characters that have no shape of their own, such as a joiner of other characters. */
const SHAPELESS = /\p{Default_Ignorable_Code_Point}/u;

/** The characters of texts that none of the TrueType fonts can show, each once. */
export function missingCharacters(texts: readonly string[], fonts: readonly Buffer[]): string[] {
  const groups = fonts.flatMap(readGroups);
  return [...new Set(texts.join(''))].filter((character) => {
    const code = character.codePointAt(0) as number;
    const isKnown = groups.some(([first, last]) => code >= first && code <= last);
    return !isKnown && !SHAPELESS.test(character);
  });
}

/** The first and last character of each group in a font's table `cmap` (OpenType 1.9). */
function readGroups(font: Buffer): [first: number, last: number][] {
  const entries = range(font.readUInt16BE(4), TABLE_DIRECTORY, TABLE_ENTRY);
  const entry = entries.find((at) => font.toString('latin1', at, at + 4) === 'cmap') as number;
  const cmap = font.subarray(font.readUInt32BE(entry + 8));
  const mappings = range(cmap.readUInt16BE(2), 4, ENCODING_RECORD).map((at) =>
    cmap.subarray(cmap.readUInt32BE(at + 4)),
  );
  const mapping = mappings.find((one) => one.readUInt16BE(0) === SEGMENTED_COVERAGE) as Buffer;
  return range(mapping.readUInt32BE(12), GROUPS, GROUP).map((at) => [
    mapping.readUInt32BE(at),
    mapping.readUInt32BE(at + 4),
  ]);
}

/** The places, in bytes, of equally long records in a table of a font. */
const range = (count: number, start: number, length: number): number[] =>
  Array.from({ length: count }, (_, index) => start + index * length);
