import { toAscii } from '../domain/text.ts';
import { renderArchive } from './archiveTable.ts';
import { renderChecks } from './checkTable.ts';
import {
  type CheckFormat,
  type Format,
  type FormatTraits,
  HEADERS,
  type Look,
  type StatisticsFormat,
} from './format.ts';
import { chalkFor, renderStations } from './stationsTable.ts';
import type { CardStyle } from './statisticsCard.ts';
import { renderStatistics } from './statisticsTable.ts';

/** Tables for people that fit the window. Metadata of a single station are a list of facts. */
export const tableFormat: Format & StatisticsFormat & CheckFormat & FormatTraits = {
  meaning: 'a table for people',
  endings: [],
  stationHeaders: HEADERS,
  namesStations: true,

  stations: (list, look) => renderStations(list, look, tableStyle(look)),

  archive: (chunks, layout, look) => renderArchive(chunks, layout, tableStyle(look), look.maxLines),

  statistics: (list, look) => renderStatistics(list, tableStyle(look)),

  checks: (list, look) => renderChecks(list, tableStyle(look)),
};

function tableStyle(look: Look): CardStyle {
  const { bold, dim } = chalkFor(look);
  const write = look.isUnicode ? (text: string) => text : toAscii;
  return { columns: look.columns, paintHead: bold, paintLabel: dim, write };
}
