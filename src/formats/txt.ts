import { txtLayout } from '../wire/txt.ts';
import { flattenStations, tabLine } from './flat.ts';
import type { Format } from './format.ts';
import { layOutArchive } from './layOutArchive.ts';

/** Values separated by tabs; an archive byte for byte as the service writes it. */
export const txt: Format = {
  *stations(list) {
    const { names, rows } = flattenStations(list);
    yield tabLine(names);
    for (const row of rows) yield tabLine(row);
  },
  archive: (chunks, layout) => layOutArchive(txtLayout, chunks, layout),
};
