import type { ArchiveFormat, StationFormat } from './format.ts';
import type { ArchiveFormatName, FormatName, StationFormatName } from './names.ts';

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

/** What a format can write follows from the lists that it is in. */
interface FormatEntry<N> extends FormatTraits {
  readonly takesStations: N extends StationFormatName ? true : false;
  readonly takesArchive: N extends ArchiveFormatName ? true : false;
  /** @param colour whether what it writes may be coloured */
  readonly load: (
    colour: boolean,
  ) => Promise<
    (N extends StationFormatName ? StationFormat : unknown) &
      (N extends ArchiveFormatName ? ArchiveFormat : unknown)
  >;
}

/** Every format, loaded when it is asked for. */
export const FORMATS = {
  table: {
    extensions: [],
    isBinary: false,
    takesStations: true,
    takesArchive: true,
    stationsCarryProvenance: false,
    archiveCarriesProvenance: false,
    load: async (colour) => (await import('./table/table.ts')).tableIn(colour),
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
} as const satisfies { readonly [N in FormatName]: FormatEntry<N> };

const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** The format that a file's name asks for, its `.gz` aside; undefined for an unknown ending. */
export function formatOfFile(path: string): FormatName | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  return FORMAT_NAMES.find((format) =>
    FORMATS[format].extensions.some((extension) => name.endsWith(extension)),
  );
}
