import { txtLayout } from '../wire/text.ts';
import { flattenStations, layOutArchive, recordNames, recordValues, tabLine } from './flat.ts';
import type { Format, StreamFormat } from './format.ts';

/** Values separated by tabs; an archive byte for byte as the service writes it, unless `--header` says otherwise. */
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
