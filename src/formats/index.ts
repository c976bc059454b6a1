import { loadCsv } from './csv.ts';
import {
  type ArchiveFormat,
  HEADERS,
  type Header,
  type StationFormat,
  type StatisticsFormat,
  type StreamFormat,
} from './format.ts';
import { geojson } from './geojson.ts';
import { influx } from './influx.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';
import { table } from './table.ts';
import { txt } from './txt.ts';

/** The traits that a command knows of a format without loading it. */
interface Traits {
  /** The output is compressed binary data: not for a terminal, and not worth a `.gz`. */
  readonly isBinary?: true;
  /** Whether the output tells license and source; in csv and txt only with `--header service`. */
  readonly carriesProvenance?: true;
}

interface Entry<F> extends Traits {
  /** Loads the format. Only csv gains by that, since csv-stringify takes time to load. */
  readonly load: () => F | Promise<F>;
}

interface ArchiveEntry extends Entry<ArchiveFormat> {
  /** Whether `--header` chooses the lines before the rows. */
  readonly hasHeader?: true;
  /** The values of `--header` with which each row has the id of its station. */
  readonly stationHeaders: readonly Header[];
  /**
   * Whether each row becomes a point of a time series, which needs a time and its station's name.
   */
  readonly isSeries?: true;
  /** How rows of an existing file are split into fields for `--append`, which continues it. */
  readonly rows?: 'csv' | 'tabs' | 'json';
}

export type Formats<N extends string, E = Traits> = Readonly<Record<N, E>>;

/** Gives all entries one type, so that the traits of each can be read. */
const entriesOf =
  <E>() =>
  <N extends string>(entries: Formats<N, E>) =>
    entries;

/** The formats of `vane live` and `vane meta`, like those below in the order of its help. */
export const STATION_FORMATS = entriesOf<Entry<StationFormat>>()({
  table: { load: () => table },
  csv: { load: loadCsv },
  txt: { load: () => txt },
  json: { carriesProvenance: true, load: () => json },
  ndjson: { load: () => ndjson },
  geojson: { carriesProvenance: true, load: () => geojson },
});

export const ARCHIVE_FORMATS = entriesOf<ArchiveEntry>()({
  table: { stationHeaders: HEADERS, load: () => table },
  csv: {
    carriesProvenance: true,
    hasHeader: true,
    stationHeaders: ['names'],
    rows: 'csv',
    load: loadCsv,
  },
  txt: {
    carriesProvenance: true,
    hasHeader: true,
    stationHeaders: [],
    rows: 'tabs',
    load: () => txt,
  },
  json: { carriesProvenance: true, stationHeaders: [], load: () => json },
  ndjson: { stationHeaders: HEADERS, rows: 'json', load: () => ndjson },
  parquet: {
    isBinary: true,
    carriesProvenance: true,
    stationHeaders: HEADERS,
    load: () => parquet,
  },
  influx: { isSeries: true, stationHeaders: HEADERS, load: () => influx },
});

/** The formats of `vane watch`, which has `--line` besides. */
export const STREAM_FORMATS = entriesOf<Entry<StreamFormat>>()({
  ndjson: { load: () => ndjson },
  csv: { load: loadCsv },
  txt: { load: () => txt },
  influx: { load: () => influx },
});

export const STATISTICS_FORMATS = entriesOf<Entry<StatisticsFormat>>()({
  table: { load: () => table },
  csv: { load: loadCsv },
  json: { carriesProvenance: true, load: () => json },
  ndjson: { load: () => ndjson },
});

/** The formats of pictures, which `src/figures/` writes. */
export const PICTURE_FORMATS = entriesOf<Traits>()({
  terminal: {},
  svg: {},
  png: { isBinary: true },
  html: {},
});

export type StationFormatName = keyof typeof STATION_FORMATS;
export type ArchiveFormatName = keyof typeof ARCHIVE_FORMATS;
export type StreamFormatName = keyof typeof STREAM_FORMATS;
export type StatisticsFormatName = keyof typeof STATISTICS_FORMATS;
export type PictureFormatName = keyof typeof PICTURE_FORMATS;
export type FormatName =
  | StationFormatName
  | ArchiveFormatName
  | StreamFormatName
  | PictureFormatName;

/** What the manual page and README.md say of each format. */
export const FORMAT_MEANINGS: Readonly<Record<FormatName, string>> = {
  table: 'for people; the default',
  csv: "an archive has the service's own layout, byte for byte; else one row for each station or group",
  txt: 'the same, separated by tabs',
  json: "the service's envelope, one document",
  ndjson: 'one object a line',
  geojson: 'a FeatureCollection (RFC 7946)',
  parquet: 'typed columns, compressed by snappy; units and license in the metadata',
  influx: 'line protocol of InfluxDB',
  terminal: 'a picture of characters; the default of plot',
  svg: "a picture for pages, light or dark as the reader's system",
  png: 'the same picture in pixels',
  html: 'the same picture in a page, with its numbers',
};

const ALL_NAMES = [
  STATION_FORMATS,
  ARCHIVE_FORMATS,
  STREAM_FORMATS,
  STATISTICS_FORMATS,
  PICTURE_FORMATS,
].flatMap((formats) => Object.keys(formats) as FormatName[]);

/** File name endings that choose a format, where they differ from its name: `.csv` chooses csv. */
const ENDINGS: Partial<Record<FormatName, readonly string[]>> = {
  table: [],
  txt: ['.txt', '.tsv'],
  ndjson: ['.ndjson', '.jsonl'],
  influx: ['.lp', '.influx'],
  terminal: ['.txt'],
  html: ['.html', '.htm'],
};

export function formatNames<N extends FormatName>(formats: Formats<N>): N[] {
  return Object.keys(formats) as N[];
}

/** The names of the archive formats with a trait, such as `hasHeader`. */
export function archiveFormatsWith(trait: 'hasHeader' | 'rows'): ArchiveFormatName[] {
  return formatNames(ARCHIVE_FORMATS).filter((name) => ARCHIVE_FORMATS[name][trait] !== undefined);
}

/**
 * The format that a file name's ending chooses, `.gz` aside; undefined for an unknown ending.
 * @param first formats that come before all others, as `.txt` is an ending of two
 */
export function formatOfFile(path: string, first: readonly FormatName[]): FormatName | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  return [...first, ...ALL_NAMES].find((format) =>
    (ENDINGS[format] ?? [`.${format}`]).some((ending) => name.endsWith(ending)),
  );
}
