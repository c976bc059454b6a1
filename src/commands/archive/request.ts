import type { SplitUnit } from '../../domain/period.ts';
import { COLUMNS } from '../../domain/reading.ts';
import type { Selection } from '../../domain/selection.ts';
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
  /** Names of the columns wanted, in order; undefined for all. */
  readonly columns: readonly string[] | undefined;
  readonly output: Output<ArchiveFormatName>;
  /** Names the files; undefined where everything goes to one place. */
  readonly template: Template | undefined;
  /** Whether several stations go to one place, so that rows need a station column. */
  readonly withStation: boolean;
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
  const request: ArchiveRequest = {
    connection: readConnection(flags, io, config),
    stations: named,
    favourites,
    selection,
    ...readPeriod(flags.start, flags.stop, { now, zone: readSetting('tz', flags, NO_CONFIG, io) }),
    header: flags.header ?? 'service',
    columns: flags.columns === undefined ? undefined : readColumns(flags.columns),
    output,
    template,
    withStation: isForSeveral && template === undefined,
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
  if (template === undefined) checkOnePlace(request);
  else checkTemplate(template, { split: flags.split, severalStations: isForSeveral });
  return flags.append ? { ...request, append: checkAppendable(format, target, request) } : request;
}

function readColumns(text: string): readonly string[] {
  const known: readonly string[] = COLUMNS.map(({ name }) => name);
  const columns = text.split(',').map((name) => name.trim());
  const odd = columns.find((name) => !known.includes(name));
  if (odd !== undefined) {
    throw new UsageError(`--columns takes names out of ${known.join(',')}; “${odd}” is not one.`);
  }
  const twice = columns.find((name, index) => columns.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--columns names ${twice} twice.`);
  return columns;
}

/** Checks that one file, or stdout, can hold the whole export. */
function checkOnePlace({ split, output: { format }, header, withStation }: ArchiveRequest): void {
  if (split !== undefined) {
    throw new UsageError(`--split needs a file for each part: --output 'wind-{${split}}.csv'.`);
  }
  if (withStation && !ARCHIVE_FORMATS[format].stationHeaders.includes(header)) {
    throw new UsageError(
      `${format} has no column for the station: for several, use --format csv --header names, ndjson or parquet, or a file for each with {station} in --output.`,
    );
  }
}
