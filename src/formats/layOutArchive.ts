import type { TextLayout } from '../wire/layout.ts';
import { plainNames, prependStation } from './convert.ts';
import type { ArchiveChunk, ArchiveLayout, Piece } from './format.ts';

/** Writes chunks as one text: the head once, then the rows of all. */
export async function* layOutArchive(
  layout: TextLayout,
  chunks: AsyncIterable<ArchiveChunk>,
  { header, withStation }: ArchiveLayout,
): AsyncGenerator<Piece> {
  let isFirst = true;
  for await (const bare of chunks) {
    const chunk = withStation ? prependStation(bare) : bare;
    if (isFirst && header === 'service') yield layout.head(chunk);
    if (isFirst && header === 'names') yield layout.names(plainNames(chunk.legend, chunk.units));
    isFirst = false;
    yield layout.rows(chunk);
  }
}
