import { toAscii } from '../domain/text.ts';
import { renderArchive } from './archiveTable.ts';
import { type CardStyle, renderDocument } from './blocks.ts';
import {
  type Format,
  type FormatTraits,
  HEADER_CHOICES,
  type OutputCapabilities,
  type RowFormat,
} from './format.ts';
import { createChalk, renderStations } from './stationsTable.ts';

/**
 * Tables for people that fit the window. The metadata of a single station become a list of facts.
 */
export const tableFormat: Format & RowFormat & FormatTraits = {
  meaning: 'a table for people',
  endings: [],
  stationHeaders: HEADER_CHOICES,
  namesStations: true,

  stations: (list, look) => renderStations(list, look, tableStyle(look)),

  archive: (chunks, layout, look) => renderArchive(chunks, layout, tableStyle(look), look.maxLines),

  document: (document, style, look) => renderDocument(document, style, tableStyle(look)),
};

function tableStyle(look: OutputCapabilities): CardStyle {
  const { bold, dim } = createChalk(look);
  const write = look.isUnicode ? (text: string) => text : toAscii;
  return { columns: look.width, paintHead: bold, paintLabel: dim, write };
}
