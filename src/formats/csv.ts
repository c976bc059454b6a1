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
import type { Format, StatisticsFormat, StreamFormat } from './format.ts';
import { flatRows } from './summary/rows.ts';

/**
 * RFC 4180, with LF; an archive byte for byte as the service writes it, unless `--header` says
 * otherwise. No cell of a record has a line break, for programs that read a stream line by line.
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
