import { csv, txt } from './delimited.ts';
import type {
  ArchiveFormat,
  FormatTraits,
  RowFormat,
  StationFormat,
  WatchRecordFormat,
} from './format.ts';
import { influx } from './influx.ts';
import { geojson, json, ndjson } from './json.ts';
import { parquet } from './parquet.ts';
import { tableFormat } from './tableFormat.ts';

/** The formats of data, in the order of the help. */
export const FORMATS = { table: tableFormat, csv, txt, json, ndjson, geojson, parquet, influx };

type Name = keyof typeof FORMATS;
type NameWith<F> = { [N in Name]: (typeof FORMATS)[N] extends F ? N : never }[Name];

export type Formats<N extends string, F = FormatTraits> = Readonly<Record<N, F>>;

/** The formats that have a member, for example those that can write `stations`. */
function formatsWith<F>(member: keyof F & string): Formats<NameWith<F>, F & FormatTraits> {
  const entries = Object.entries(FORMATS).filter(([, format]) => member in format);
  return Object.fromEntries(entries) as unknown as Formats<NameWith<F>, F & FormatTraits>;
}

/** The formats of `vane live` and `vane meta`. */
export const STATION_FORMATS = formatsWith<StationFormat>('stations');
export const ARCHIVE_FORMATS = formatsWith<ArchiveFormat>('archive');
/** The formats of `vane watch`, besides `--line`. */
export const WATCH_RECORD_FORMATS = formatsWith<WatchRecordFormat>('record');
/** The formats of `vane stats` and `vane check`. */
export const ROW_FORMATS = formatsWith<RowFormat>('document');

export type StationFormatName = keyof typeof STATION_FORMATS;
export type ArchiveFormatName = keyof typeof ARCHIVE_FORMATS;
export type RowFormatName = keyof typeof ROW_FORMATS;

export function formatNames<N extends string>(formats: Formats<N>): N[] {
  return Object.keys(formats) as N[];
}

/** The names of the archive formats that have a trait, such as `hasHeader`. */
export function archiveFormatsWith(trait: 'hasHeader' | 'rows'): ArchiveFormatName[] {
  return formatNames(ARCHIVE_FORMATS).filter((name) => ARCHIVE_FORMATS[name][trait] !== undefined);
}
