import { txtLayout } from '../wire/csvAndTxt.ts';
import { flattenStations, layOutArchive, recordNames, recordValues, tabLine } from './flat.ts';
import type { Format, StreamFormat } from './format.ts';

/**
 * Tab-separated values. With `--header service`, the default, an archive is byte for byte the
 * service's own.
 */
export const txt: Format & StreamFormat = {
  *stations(list) {
    const { names, rows } = flattenStations(list);
    yield tabLine(names);
    for (const row of rows) yield tabLine(row);
  },
  archive: (chunks, layout) => layOutArchive(txtLayout, chunks, layout),
  head: (style) => tabLine(recordNames(style)),
  record: (record, style) => tabLine(recordValues(record, style)),
};
