import { csv } from './csv.ts';
import { influx } from './influx.ts';
import type { StreamFormatName } from './names.ts';
import { ndjson } from './ndjson.ts';
import type { StreamFormat } from './stream.ts';
import { txt } from './txt.ts';

/** Every format for what a watch brings. */
export const STREAM_FORMATS = { ndjson, csv, txt, influx } as const satisfies Record<
  StreamFormatName,
  StreamFormat
>;
