import type { ArchiveFormat, Format, StationFormat } from './format.ts';

interface FormatTraits {
  /** File name endings that ask for the format. */
  readonly extensions: readonly string[];
  /** Whether it is no text, so nothing for a terminal, and compressed in itself. */
  readonly isBinary: boolean;
  /** Whether stations written so carry license and attribution themselves. */
  readonly stationsCarryProvenance: boolean;
  /** The same for an archive with the interface's own head. */
  readonly archiveCarriesProvenance: boolean;
}

/** What a format can write follows from the kind that it loads. */
interface Kind<S extends boolean, A extends boolean, F> {
  readonly takesStations: S;
  readonly takesArchive: A;
  /** @param colour whether what it writes may be coloured */
  readonly load: (colour: boolean) => Promise<F>;
}

type FormatEntry = FormatTraits &
  (Kind<true, true, Format> | Kind<true, false, StationFormat> | Kind<false, true, ArchiveFormat>);

/** Every format, loaded when it is asked for. */
export const FORMATS = {
  table: {
    extensions: [],
    isBinary: false,
    takesStations: true,
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: false,
    async load(colour) {
      const [{ tableOf }, { loadPaint }] = await Promise.all([
        import('./table/table.ts'),
        import('./table/paint.ts'),
      ]);
      return tableOf(await loadPaint(colour));
    },
  },
  csv: {
    extensions: ['.csv'],
    isBinary: false,
    takesStations: true,
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: true,
    load: async () => (await import('./csv.ts')).csv,
  },
  txt: {
    extensions: ['.txt', '.tsv'],
    isBinary: false,
    takesStations: true,
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: true,
    load: async () => (await import('./txt.ts')).txt,
  },
  json: {
    extensions: ['.json'],
    isBinary: false,
    takesStations: true,
    takesArchive: true,
    stationsCarryProvenance: true,
    archiveCarriesProvenance: true,
    load: async () => (await import('./json.ts')).json,
  },
  ndjson: {
    extensions: ['.ndjson', '.jsonl'],
    isBinary: false,
    takesStations: true,
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: false,
    load: async () => (await import('./ndjson.ts')).ndjson,
  },
  geojson: {
    extensions: ['.geojson'],
    isBinary: false,
    takesStations: true,
    takesArchive: false,
    stationsCarryProvenance: true,
    archiveCarriesProvenance: false,
    load: async () => (await import('./geojson.ts')).geojson,
  },
  parquet: {
    extensions: ['.parquet'],
    isBinary: true,
    takesStations: false,
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: true,
    load: async () => (await import('./parquet.ts')).parquet,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof FORMATS;
type NameOfFormat<Trait extends 'takesStations' | 'takesArchive'> = {
  [Name in FormatName]: (typeof FORMATS)[Name][Trait] extends true ? Name : never;
}[FormatName];
export type StationFormatName = NameOfFormat<'takesStations'>;
export type ArchiveFormatName = NameOfFormat<'takesArchive'>;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** The formats that can hold stations. */
export const STATION_FORMAT_NAMES = FORMAT_NAMES.filter(
  (name): name is StationFormatName => FORMATS[name].takesStations,
);

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
