import type { StationFormat } from './format.ts';

interface FormatEntry {
  /** File name endings that ask for the format. */
  readonly extensions: readonly string[];
  readonly takesArchive: boolean;
  /** Whether stations written so carry license and attribution themselves. */
  readonly stationsCarryProvenance: boolean;
  /** The same for an archive with the interface's own head. */
  readonly archiveCarriesProvenance: boolean;
  readonly load: () => Promise<StationFormat>;
}

/** Every format, loaded when it is asked for. */
export const FORMATS = {
  table: {
    extensions: [],
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: false,
    load: async () => (await import('./table/table.ts')).table,
  },
  csv: {
    extensions: ['.csv'],
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: true,
    load: async () => (await import('./csv.ts')).csv,
  },
  txt: {
    extensions: ['.txt', '.tsv'],
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: true,
    load: async () => (await import('./txt.ts')).txt,
  },
  json: {
    extensions: ['.json'],
    takesArchive: true,
    stationsCarryProvenance: true,
    archiveCarriesProvenance: true,
    load: async () => (await import('./json.ts')).json,
  },
  ndjson: {
    extensions: ['.ndjson', '.jsonl'],
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: false,
    load: async () => (await import('./ndjson.ts')).ndjson,
  },
  geojson: {
    extensions: ['.geojson'],
    takesArchive: false,
    stationsCarryProvenance: true,
    archiveCarriesProvenance: false,
    load: async () => (await import('./geojson.ts')).geojson,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof FORMATS;
export type ArchiveFormatName = {
  [Name in FormatName]: (typeof FORMATS)[Name]['takesArchive'] extends true ? Name : never;
}[FormatName];

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** The formats that can hold an archive's rows. */
export const ARCHIVE_FORMAT_NAMES = FORMAT_NAMES.filter(
  (name): name is ArchiveFormatName => FORMATS[name].takesArchive,
);

/** The format that a file's name asks for, its `.gz` aside; undefined for an unknown ending. */
export function formatOfFile(path: string): FormatName | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  return FORMAT_NAMES.find((format) =>
    FORMATS[format].extensions.some((extension) => name.endsWith(extension)),
  );
}
