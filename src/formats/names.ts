/** The formats that can hold stations, in the order that help lists them. */
export const STATION_FORMAT_NAMES = ['table', 'csv', 'txt', 'json', 'ndjson', 'geojson'] as const;
export type StationFormatName = (typeof STATION_FORMAT_NAMES)[number];

/** The formats that can hold an archive's rows. */
export const ARCHIVE_FORMAT_NAMES = ['table', 'csv', 'txt', 'json', 'ndjson', 'parquet'] as const;
export type ArchiveFormatName = (typeof ARCHIVE_FORMAT_NAMES)[number];

export type FormatName = StationFormatName | ArchiveFormatName;
