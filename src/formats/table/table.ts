import { Chalk } from 'chalk';
import type { Format } from '../format.ts';
import { renderArchive } from './archive.ts';
import { renderCard } from './card.ts';
import { renderLines } from './render.ts';
import { liveColumns, metaColumns } from './stations.ts';

/** Tables for people: their columns fit the window, and the metadata of one station is a card. */
export function tableIn(colour: boolean): Format {
  // The 16 colours that every terminal theme sets to be read.
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  return {
    *stations(list, look) {
      const [only, ...others] = list.stations;
      if (list.withMeta && only && others.length === 0) {
        yield renderCard(only.station, list, chalk);
        return;
      }
      const columns = list.withMeta ? metaColumns(list) : liveColumns(list, chalk);
      yield `${renderLines(columns, list.stations, look, chalk.bold).join('\n')}\n`;
    },

    archive: (chunks, layout, look) => renderArchive(chunks, layout, look, chalk.bold),
  };
}
