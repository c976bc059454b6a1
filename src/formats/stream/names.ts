/** The formats for what a watch brings, with the file name endings that ask for each. */
export const STREAM_EXTENSIONS = {
  ndjson: ['.ndjson', '.jsonl'],
  csv: ['.csv'],
  txt: ['.txt', '.tsv'],
  influx: ['.lp', '.influx'],
} as const satisfies Record<string, readonly string[]>;

export type StreamFormatName = keyof typeof STREAM_EXTENSIONS;

export const STREAM_FORMAT_NAMES = Object.keys(STREAM_EXTENSIONS) as StreamFormatName[];

/** The format that a file's name asks for; undefined for an unknown ending. */
export function streamFormatOfFile(path: string): StreamFormatName | undefined {
  const name = path.toLowerCase();
  return STREAM_FORMAT_NAMES.find((format) =>
    STREAM_EXTENSIONS[format].some((extension) => name.endsWith(extension)),
  );
}

// biome-ignore format: read as the help shows them
/** What a template of `--line` can name; `gust` is `max`, and `lull` is `min`. */
export const PLACEHOLDERS = [
  'id', 'name', 'avg', 'gust', 'max', 'lull', 'min', 'unit', 'dir', 'point', 'arrow', 'age',
  'time', 'date', 'state', 'snr', 'gust_factor', 'trend', 'km', 'event', 'condition',
] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];
