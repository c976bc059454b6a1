import type { ChalkInstance } from 'chalk';
import type { Format } from '../format.ts';
import { renderArchive } from './archive.ts';
import { renderCard } from './card.ts';
import { renderTable } from './render.ts';
import { liveColumns, metaColumns } from './stations.ts';

/** For people: columns that fit the window, a card for the metadata of one station. */
export const tableOf = (chalk: ChalkInstance): Format => ({
  *stations(list, look) {
    const [only, ...others] = list.stations;
    if (list.withMeta && only && others.length === 0) {
      yield renderCard(only.station, list, chalk);
      return;
    }
    const columns = list.withMeta ? metaColumns(list) : liveColumns(list, chalk);
    yield renderTable(columns, list.stations, look, chalk.bold);
  },

  archive: (chunks, layout, look) => renderArchive(chunks, layout, look, chalk.bold),
});
