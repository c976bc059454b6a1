import type { Json } from '../domain/json.ts';
import type { Reading } from '../domain/reading.ts';
import { Rows } from '../domain/rows.ts';
import { isPlain, type TextLayout } from '../wire/text.ts';
import { plainNames, prependStation } from './convert.ts';
import { withoutFormula } from './flat.ts';
import type { ArchiveChunk, ArchiveLayout, Piece } from './format.ts';

/**
 * Writes chunks as one text: the head once, then the rows of all. With the service's head the text
 * is the service's own, byte for byte; with another, no cell is a formula to a spreadsheet.
 */
export async function* layOutArchive(
  layout: TextLayout,
  chunks: AsyncIterable<ArchiveChunk>,
  { header, withStation }: ArchiveLayout,
): AsyncGenerator<Piece> {
  let isFirst = true;
  for await (const bare of chunks) {
    const chunk = withStation ? prependStation(bare) : bare;
    const { legend, units } = chunk;
    if (isFirst && header === 'service') yield layout.head(chunk);
    if (isFirst && header === 'names')
      yield layout.names(plainNames(legend, units).map(withoutFormula));
    isFirst = false;
    yield layout.rows(header === 'service' ? chunk : withoutFormulas(chunk));
  }
}

function withoutFormulas(chunk: ArchiveChunk): ArchiveChunk {
  if (isPlain(chunk.legend)) return chunk;
  const readings = chunk.rows.readings.map((row) => row.map(safeValue) as unknown as Reading);
  return { ...chunk, rows: Rows.ofReadings(readings) };
}

function safeValue(value: Json): Json {
  return typeof value === 'string' ? withoutFormula(value) : value;
}
