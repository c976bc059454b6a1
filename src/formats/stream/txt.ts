import { tabLine } from '../flat.ts';
import { streamColumns, streamValues } from './columns.ts';
import type { StreamFormat } from './stream.ts';

/** Values separated by tabs. */
export const txt: StreamFormat = {
  head: (style) => tabLine(streamColumns(style)),
  record: (record, style) => tabLine(streamValues(record, style)),
};
