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

/** A format that is loaded when it is asked for. */
interface Entry<F> extends Traits {
  readonly load: () => Promise<F>;
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

const loadTable = async () => table;
const loadTxt = async () => txt;

const STATION_ENTRIES = {
  table: { load: loadTable },
  csv: { load: loadCsv },
  txt: { load: loadTxt },
  json: { carriesProvenance: true, load: async () => json },
  ndjson: { load: async () => ndjson },
  geojson: { carriesProvenance: true, load: async () => geojson },
} as const satisfies Record<string, Entry<StationFormat>>;

const ARCHIVE_ENTRIES = {
  table: { stationHeaders: HEADERS, load: loadTable },
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
    load: loadTxt,
  },
  json: { carriesProvenance: true, stationHeaders: [], load: async () => json },
  ndjson: { stationHeaders: HEADERS, rows: 'json', load: async () => ndjson },
  parquet: {
    isBinary: true,
    carriesProvenance: true,
    stationHeaders: HEADERS,
    load: async () => parquet,
  },
  influx: { isSeries: true, stationHeaders: HEADERS, load: async () => influx },
} as const satisfies Record<string, ArchiveEntry>;

const STREAM_ENTRIES = {
  ndjson: { load: async () => ndjson },
  csv: { load: loadCsv },
  txt: { load: loadTxt },
  influx: { load: async () => influx },
} as const satisfies Record<string, Entry<StreamFormat>>;

const STATISTICS_ENTRIES = {
  table: { load: loadTable },
  csv: { load: loadCsv },
  json: { carriesProvenance: true, load: async () => json },
  ndjson: { load: async () => ndjson },
} as const satisfies Record<string, Entry<StatisticsFormat>>;

export type StationFormatName = keyof typeof STATION_ENTRIES;
export type ArchiveFormatName = keyof typeof ARCHIVE_ENTRIES;
export type StreamFormatName = keyof typeof STREAM_ENTRIES;
export type StatisticsFormatName = keyof typeof STATISTICS_ENTRIES;
export type PictureFormatName = 'terminal' | 'svg' | 'png' | 'html';
export type FormatName =
  | StationFormatName
  | ArchiveFormatName
  | StreamFormatName
  | PictureFormatName;

export type Formats<N extends FormatName, E = Traits> = Readonly<Record<N, E>>;

/** The formats of each command, in the order of its help; `vane watch` has `--line` besides. */
export const STATION_FORMATS: Formats<StationFormatName, Entry<StationFormat>> = STATION_ENTRIES;
export const ARCHIVE_FORMATS: Formats<ArchiveFormatName, ArchiveEntry> = ARCHIVE_ENTRIES;
export const STREAM_FORMATS: Formats<StreamFormatName, Entry<StreamFormat>> = STREAM_ENTRIES;
export const STATISTICS_FORMATS: Formats<
  StatisticsFormatName,
  Entry<StatisticsFormat>
> = STATISTICS_ENTRIES;
/** The formats of pictures, which `src/figures/` writes. */
export const PICTURE_FORMATS: Formats<PictureFormatName> = {
  terminal: {},
  svg: {},
  png: { isBinary: true },
  html: {},
};

/** File name endings that choose a format. */
const EXTENSIONS: Readonly<Record<FormatName, readonly string[]>> = {
  table: [],
  csv: ['.csv'],
  txt: ['.txt', '.tsv'],
  json: ['.json'],
  ndjson: ['.ndjson', '.jsonl'],
  geojson: ['.geojson'],
  parquet: ['.parquet'],
  influx: ['.lp', '.influx'],
  terminal: ['.txt'],
  svg: ['.svg'],
  png: ['.png'],
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
  return [...first, ...(Object.keys(EXTENSIONS) as FormatName[])].find((format) =>
    EXTENSIONS[format].some((extension) => name.endsWith(extension)),
  );
}
