import { txtLayout } from '../wire/txt.ts';
import { flattenStations, safeLine } from './flat.ts';
import type { Format } from './format.ts';
import { layOutArchive } from './layOutArchive.ts';

/** Values separated by tabs; an archive byte for byte as the service writes it. */
export const txt: Format = {
  *stations(list) {
    const { names, rows } = flattenStations(list);
    const line = (values: readonly unknown[]): string =>
      `${values.map((value) => (value === null ? '' : safe(value))).join('\t')}\n`;
    yield line(names);
    for (const row of rows) yield line(row);
  },
  archive: (chunks, layout) => layOutArchive(txtLayout, chunks, layout),
};

const safe = (value: unknown): string =>
  typeof value === 'string' ? safeLine(value) : String(value);
