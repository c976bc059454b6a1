import type { SplitUnit } from '../../domain/period.ts';
import { COLUMNS } from '../../domain/reading.ts';
import type { Selection } from '../../domain/selection.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import type { Header } from '../../formats/format.ts';
import {
  ARCHIVE_FORMATS,
  type ArchiveFormatName,
  archiveFormatsWith,
} from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { readTarget, type Target } from '../../output/target.ts';
import { checkTemplate, parseTemplate, type Template } from '../../output/template.ts';
import { type Config, type Favourites, NO_CONFIG } from '../shared/config.ts';
import { type Connection, readConnection } from '../shared/connection.ts';
import type { GlobalFlags, OutputFlags, SelectionFlags } from '../shared/options.ts';
import { type Output, readOutput } from '../shared/presentation.ts';
import { isEverything, readSelection, readStations } from '../shared/selection.ts';
import { readSetting } from '../shared/settings.ts';
import { readInteger, readPeriod, type WrittenPeriod } from '../shared/values.ts';
import { type AppendLayout, checkAppendable } from './append/layout.ts';

/** The arguments and flags of `vane archive`. */
export interface ArchiveRequest extends WrittenPeriod {
  readonly connection: Connection;
  readonly stations: readonly number[] | 'all' | 'stdin';
  /** Stations by the user's names, for names read from stdin. */
  readonly favourites: Favourites;
  readonly selection: Selection;
  readonly header: Header;
  /** The service's names of the columns wanted, in order; undefined for all. */
  readonly columns: readonly string[] | undefined;
  /** The place of a column `station` among them; undefined where there is none. */
  readonly stationAt: number | undefined;
  readonly output: Output<ArchiveFormatName>;
  /** Names the files; undefined where everything goes to one place. */
  readonly template: Template | undefined;
  /** Whether several stations go to one place, so that rows need to say their station. */
  readonly isShared: boolean;
  readonly split: SplitUnit | undefined;
  /** Requests under way at once, 1 to 16. */
  readonly concurrency: number;
  readonly keepGoing: boolean;
  /** Where the machine-readable report goes, if anywhere. */
  readonly report: Target | undefined;
  readonly isDryRun: boolean;
  /** How the files that are continued are laid out; undefined where files are written anew. */
  readonly append: AppendLayout | undefined;
  /** Milliseconds since 1970 when the command began. */
  readonly now: number;
}

export interface ArchiveFlags extends GlobalFlags, OutputFlags, SelectionFlags {
  readonly start: string;
  readonly stop?: string;
  readonly header?: Header;
  readonly columns?: string;
  readonly split?: SplitUnit;
  readonly concurrency: string;
  readonly keepGoing?: true;
  readonly report?: string;
  readonly dryRun?: true;
  readonly append?: true;
}

/** @throws UsageError */
export function readArchiveRequest(
  stations: readonly string[],
  flags: ArchiveFlags,
  config: Config,
  io: Io,
): ArchiveRequest {
  const now = io.now();
  const output = readOutput(flags, 'An archive', ARCHIVE_FORMATS, config, io);
  const { format, target } = output;
  if (flags.header !== undefined && !ARCHIVE_FORMATS[format].hasHeader) {
    throw new UsageError(
      `--header is for ${archiveFormatsWith('hasHeader').join(' and ')}; ${format} has no head to choose.`,
    );
  }
  const selection = readSelection(flags);
  const { favourites } = config;
  const isStdin = stations.length === 1 && stations[0] === '-';
  const named = isStdin ? 'stdin' : readStations(stations, favourites);
  const isForSeveral = typeof named === 'string' || named.length > 1 || !isEverything(selection);
  const path = target.path === undefined ? undefined : parseTemplate(target.path);
  const template = path?.uses.size ? path : undefined;
  const isShared = isForSeveral && template === undefined;
  const asked = flags.columns === undefined ? undefined : readColumns(flags.columns);
  const stationAt = asked?.indexOf('station') ?? -1;
  const request: ArchiveRequest = {
    connection: readConnection(flags, io, config),
    stations: named,
    favourites,
    selection,
    ...readPeriod(flags.start, flags.stop, { now, zone: readSetting('tz', flags, NO_CONFIG, io) }),
    header: flags.header ?? 'service',
    columns: asked?.filter((name) => name !== 'station'),
    stationAt: stationAt === -1 ? (isShared ? 0 : undefined) : stationAt,
    output,
    template,
    isShared,
    split: flags.split,
    concurrency: readInteger('--concurrency', flags.concurrency, 1, 16),
    keepGoing: flags.keepGoing ?? false,
    report: flags.report === undefined ? undefined : readTarget(flags.report, '--report'),
    isDryRun: flags.dryRun ?? false,
    append: undefined,
    now,
  };
  if (stations.length === 0 && isEverything(selection)) {
    throw new UsageError(
      'Name the stations, select some (--name, --near, --bbox …), or say all for every one.',
    );
  }
  if (request.report && !request.report.path && !target.path) {
    throw new UsageError(
      '--report - needs --output: stdout holds the report or the data, not both.',
    );
  }
  checkColumns(request);
  if (template === undefined) checkOnePlace(request, stationAt !== -1);
  else checkTemplate(template, { split: flags.split, severalStations: isForSeveral });
  if (!flags.append) return request;
  const append = checkAppendable(format, target, { ...request, columns: asked });
  return { ...request, append };
}

/** The words of `--columns`: short names, then the service's own that differ from them. */
export const COLUMN_WORDS: readonly string[] = [
  ...new Set([...COLUMNS.map(({ short }) => short), 'station', ...COLUMNS.map(({ name }) => name)]),
];

/** The service's names of columns, and `station`. */
function readColumns(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  const odd = words.find((word) => !COLUMN_WORDS.includes(word));
  if (odd !== undefined) {
    throw new UsageError(
      `--columns takes names out of ${COLUMN_WORDS.join(',')}; “${printable(odd)}” is not one.`,
    );
  }
  const names = words.map((word) => COLUMNS.find(({ short }) => short === word)?.name ?? word);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--columns names ${twice} twice.`);
  return names;
}

/** Checks that the columns asked for make rows of the format. */
function checkColumns({ columns, output: { format } }: ArchiveRequest): void {
  if (columns?.length === 0) {
    throw new UsageError('--columns station needs another column beside it, such as time.');
  }
  if (columns && ARCHIVE_FORMATS[format].isSeries && !columns.includes('time')) {
    throw new UsageError(`${format} needs the column time; add it to --columns.`);
  }
}

/** Checks that one file, or stdout, can hold the whole export. */
function checkOnePlace(
  { split, output: { format }, header, isShared }: ArchiveRequest,
  isStationNamed: boolean,
): void {
  if (split !== undefined) {
    throw new UsageError(`--split needs a file for each part: --output 'wind-{${split}}.csv'.`);
  }
  if (isShared && !isStationNamed && !ARCHIVE_FORMATS[format].stationHeaders.includes(header)) {
    throw new UsageError(
      `${format} has no column for the station: for several, use --format csv --header names, ndjson, parquet or influx, name station in --columns, or write a file for each with {station} in --output.`,
    );
  }
}
