import { stringify } from 'csv-stringify/sync';
import { type FlatValue, safeLine } from '../flat.ts';
import { streamColumns, streamValues } from './columns.ts';
import type { StreamFormat } from './stream.ts';

/** RFC 4180, with LF; unlike in `vane live` no cell has a line break, for those who read by lines. */
export const csv: StreamFormat = {
  head: (style) => line(streamColumns(style)),
  record: (record, style) => line(streamValues(record, style)),
};

function line(values: readonly FlatValue[]): string {
  return stringify([values], { cast: { string: safeLine, boolean: String } });
}
