import { stringify } from 'csv-stringify/sync';
import { csvLayout } from '../wire/text.ts';
import {
  type FlatValue,
  flattenStations,
  layOutArchive,
  recordNames,
  recordValues,
  safeLine,
  safeText,
} from './flat.ts';
import type { Format, StreamFormat } from './format.ts';

/**
 * RFC 4180, with LF; an archive byte for byte as the service writes it. No cell of a record has a
 * line break, for programs that read a stream line by line.
 */
export const csv: Format & StreamFormat = {
  *stations(list) {
    const { names, rows } = flattenStations(list);
    yield writeRows([names, ...rows], safeText);
  },
  archive: (chunks, layout) => layOutArchive(csvLayout, chunks, layout),
  head: (style) => writeRows([recordNames(style)], safeLine),
  record: (record, style) => writeRows([recordValues(record, style)], safeLine),
};

function writeRows(
  rows: readonly (readonly FlatValue[])[],
  writeText: (text: string) => string,
): string {
  return stringify([...rows], { cast: { string: writeText, boolean: String } });
}
