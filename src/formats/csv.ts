import { csvLayout } from '../wire/csvAndTxt.ts';
import {
  type FlatValue,
  flattenStations,
  layOutArchive,
  recordNames,
  recordValues,
  safeLine,
  safeText,
} from './flat.ts';
import type { Format, StatisticsFormat, StreamFormat } from './format.ts';
import { flatRows } from './summary/fields.ts';

/**
 * CSV (RFC 4180) with LF line ends. With `--header service`, an archive has exactly the bytes that
 * the service sends. A record of `vane watch` has no line breaks in its cells, for programs that
 * read the stream line by line.
 */
export async function loadCsv(): Promise<Format & StatisticsFormat & StreamFormat> {
  const { stringify } = await import('csv-stringify/sync');
  const writeRows = (
    rows: readonly (readonly FlatValue[])[],
    writeText: (text: string) => string,
  ): string => stringify([...rows], { cast: { string: writeText, boolean: String } });
  return {
    *stations(list) {
      const { names, rows } = flattenStations(list);
      yield writeRows([names, ...rows], safeText);
    },
    archive: (chunks, layout) => layOutArchive(csvLayout, chunks, layout),
    async *statistics(list) {
      let isBegun = false;
      for await (const station of list.stations) {
        const rows = flatRows(station, list, { isUnitInName: true, isText: true });
        const names = isBegun ? [] : rows.slice(0, 1).map((row) => Object.keys(row));
        isBegun ||= rows.length > 0;
        const values = rows.map((row) => Object.values(row) as FlatValue[]);
        yield writeRows([...names, ...values], safeLine);
      }
    },
    head: (style) => writeRows([recordNames(style)], safeLine),
    record: (record, style) => writeRows([recordValues(record, style)], safeLine),
  };
}
