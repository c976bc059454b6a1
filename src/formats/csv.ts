import { stringify } from 'csv-stringify/sync';
import { csvLayout } from '../wire/csv.ts';
import { flattenStations, safeText } from './flat.ts';
import type { Format } from './format.ts';
import { layOutArchive } from './layOutArchive.ts';

/** RFC 4180, with LF; an archive byte for byte as the service writes it. */
export const csv: Format = {
  *stations(list) {
    const { names, rows } = flattenStations(list);
    yield stringify([names.map(safeText), ...rows], {
      cast: { string: safeText, boolean: String },
    });
  },
  archive: (chunks, layout) => layOutArchive(csvLayout, chunks, layout),
};
