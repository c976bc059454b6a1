import { DAY_MS, MINUTE_MS, parseDurationMs } from '../../domain/dates.ts';
import type { SplitUnit } from '../../domain/period.ts';
import type { Quality } from '../../domain/quality/limits.ts';
import type { WrittenColumnName } from '../../domain/readings/archiveColumns.ts';
import {
  FLAG_COLUMN,
  INTERVAL_COLUMNS,
  SERVICE_COLUMNS,
} from '../../domain/readings/archiveColumns.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { type HistoryFlags, type HistoryOptions, readHistoryOptions } from '../../flags/history.ts';
import type { OutputFlags, QualityFlags } from '../../flags/options.ts';
import { formatFromFlags, type OutputOptions, readOutput } from '../../flags/presentation.ts';
import type { Config } from '../../flags/settings.ts';
import { isSelectionEmpty } from '../../flags/stations.ts';
import { readIfGiven, wrongValueError } from '../../flags/values.ts';
import type { ArchiveLayout, HeaderChoice } from '../../formats/format.ts';
import {
  ARCHIVE_FORMATS,
  type ArchiveFormatName,
  archiveFormatsWith,
} from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { type OutputTarget, readOutputTarget } from '../../output/target.ts';
import {
  checkFileNameTemplate,
  type FileNameTemplate,
  parseFileNameTemplate,
} from '../../output/template.ts';
import type { CalendarUnit } from '../../statistics/zoneCalendar.ts';
import { type AppendLayout, checkAppendable } from './append/continuedFile.ts';

/** The parsed arguments and flags of `vane archive`. */
export interface ArchiveOptions extends HistoryOptions {
  /** The lines before the rows in csv and txt. */
  readonly header: HeaderChoice;
  /** The chosen columns in order, by the service's names; undefined for all columns. */
  readonly columns: readonly string[] | undefined;
  readonly output: OutputOptions<ArchiveFormatName>;
  /** The format-independent layout of the rows. */
  readonly layout: ArchiveLayout;
  /** The file name with placeholders; undefined for a single file or stdout. */
  readonly template: FileNameTemplate | undefined;
  /** Whether several stations share one file or stdout, so that rows need a station column. */
  readonly isShared: boolean;
  /** The calendar unit by which the export is cut into files; undefined for one file. */
  readonly split: SplitUnit | undefined;
  /**
   * The interval that each row combines, as `--every` sets it; undefined for one row per reading.
   */
  readonly every: TimeStep | undefined;
  /** Whether intervals without readings get a row too. */
  readonly isFilled: boolean;
  /** The lowest quality of the readings to keep. */
  readonly quality: Quality;
  /** The file or stdout for the report; undefined without `--report`. */
  readonly report: OutputTarget | undefined;
  readonly isDryRun: boolean;
  /** The layout of the files that `--append` continues; undefined without `--append`. */
  readonly append: AppendLayout | undefined;
}

/** The interval of `--every`: its name as typed, and its length. */
interface TimeStep {
  readonly name: string;
  readonly unit: CalendarUnit;
}

export interface ArchiveFlags extends HistoryFlags, OutputFlags, QualityFlags {
  readonly header?: HeaderChoice;
  readonly columns?: string;
  readonly split?: SplitUnit;
  readonly every?: string;
  readonly fill?: true;
  readonly report?: string;
  readonly dryRun?: true;
  readonly append?: true;
}

const SEVERAL_AS_CSV =
  'The rows are written as csv with a station column, as with -f csv --header names.';

/** Reads the arguments and flags of `vane archive`. @throws UsageError */
export function readArchiveOptions(
  stations: readonly string[],
  flags: ArchiveFlags,
  config: Config,
  io: Io,
): ArchiveOptions {
  // A table is for people, so a pipe or a shell redirection gets csv instead.
  const usual = io.stdoutTerminal === undefined ? 'csv' : 'table';
  const output = readOutput(flags, 'An archive', ARCHIVE_FORMATS, config, io, usual);
  const { format, target } = output;
  if (flags.header !== undefined && !ARCHIVE_FORMATS[format].hasHeader) {
    throw new UsageError(
      `--header is for ${archiveFormatsWith('hasHeader').join(' and ')}; ${format} has no header.`,
    );
  }
  const history = readHistoryOptions(stations, flags, output.zone, needPeriod, config, io);
  const { stations: named, selection } = history;
  const isForSeveral =
    typeof named === 'string' || named.length > 1 || !isSelectionEmpty(selection);
  const path = readIfGiven(target.path, parseFileNameTemplate);
  const template = path?.uses.size ? path : undefined;
  const isShared = isForSeveral && template === undefined;
  const asked = readIfGiven(flags.columns, readColumns);
  const isCsvForSeveral =
    isShared &&
    format === 'csv' &&
    formatFromFlags(flags) === undefined &&
    flags.header === undefined;
  const header = flags.header ?? (isCsvForSeveral ? 'names' : 'service');
  const options: ArchiveOptions = {
    ...history,
    notes: isCsvForSeveral && !flags.dryRun ? [...history.notes, SEVERAL_AS_CSV] : history.notes,
    header,
    /** The chosen columns in order, by the service's names; undefined for all columns. */
    columns: asked?.filter((name) => name !== 'station'),
    output,
    layout: {
      ...output,
      header,
      columns: placeStation(asked, flags.every !== undefined, isShared),
      isChosen: asked !== undefined,
    },
    /** The file name with placeholders; undefined for a single file or stdout. */
    template,
    isShared,
    split: flags.split,
    every: readIfGiven(flags.every, readStep),
    isFilled: flags.fill ?? false,
    quality: flags.quality ?? 'all',
    report: readIfGiven(flags.report, (path) => readOutputTarget(path, '--report')),
    isDryRun: flags.dryRun ?? false,
    append: undefined,
  };
  if (options.report && !options.report.path && !target.path) {
    throw new UsageError(
      '--report - needs --output: stdout can carry the report or the data, not both.',
    );
  }
  checkColumns(options);
  checkSteps(options, flags);
  checkFlag(options, flags);
  if (template === undefined) checkOnePlace(options, asked?.includes('station') ?? false);
  else checkFileNameTemplate(template, { split: flags.split, severalStations: isForSeveral });
  if (!flags.append) return options;
  const append = checkAppendable(format, target, { ...options, columns: asked });
  return { ...options, append };
}

/**
 * The columns to write, in order: the chosen ones, or all. A file of several stations also gets the
 * column `station`.
 */
function placeStation(
  asked: readonly string[] | undefined,
  isEvery: boolean,
  isShared: boolean,
): readonly WrittenColumnName[] {
  const all = [...SERVICE_COLUMNS, ...(isEvery ? INTERVAL_COLUMNS : [])].map(({ name }) => name);
  const columns = (asked as readonly WrittenColumnName[] | undefined) ?? all;
  return isShared && !columns.includes('station') ? ['station', ...columns] : columns;
}

function needPeriod(): never {
  throw new UsageError(
    'archive needs a period, such as --start 2024-05-01, --last 7d or --year 2024.',
  );
}

export const SHORT_COLUMN_WORDS = [
  ...SERVICE_COLUMNS.map(({ short }) => short),
  'station',
  FLAG_COLUMN.short,
] as const;

/** All words of `--columns`: short names, the service's names, then the columns of `--every`. */
const COLUMN_WORDS: readonly string[] = [
  ...new Set([
    ...SHORT_COLUMN_WORDS,
    ...SERVICE_COLUMNS.map(({ name }) => name),
    ...INTERVAL_COLUMNS.map(({ name }) => name),
  ]),
];

/**
 * Reads a list of columns such as `time,avg`.
 * @returns the names that the service uses; `station` stays
 */
function readColumns(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  const odd = words.find((word) => !COLUMN_WORDS.includes(word));
  if (odd !== undefined) {
    throw new UsageError(
      `--columns has no “${printable(odd)}”; choose from ${COLUMN_WORDS.join(', ')}.`,
    );
  }
  const names = words.map(
    (word) => SERVICE_COLUMNS.find(({ short }) => short === word)?.name ?? word,
  );
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--columns names ${twice} twice.`);
  return names;
}

const STEP_FORMS =
  'an interval of at least 10min that divides a day evenly, such as 15min, 6h or 1d, or 1w or 1mo';

/**
 * Reads `--every`; `name` is the interval as the user typed it.
 * @throws UsageError
 */
function readStep(text: string): TimeStep {
  const name = text.trim();
  if (/^1mo(?:nth)?$|^P1M$/.test(name)) return { name, unit: 'month' };
  const ms = parseDurationMs(name);
  if (ms === undefined) throw wrongValueError('--every', STEP_FORMS, text);
  if (ms === 7 * DAY_MS) return { name, unit: 'week' };
  const isShort = ms < 10 * MINUTE_MS;
  if (DAY_MS % ms === 0 && !isShort) return { name, unit: ms };
  const fault = DAY_MS % ms === 0 ? 'is below 10min' : 'does not divide a day evenly';
  throw new UsageError(`--every takes ${STEP_FORMS}; ${name} ${fault}.`);
}

function checkColumns({ columns, output: { format } }: ArchiveOptions): void {
  if (columns?.length === 0) {
    throw new UsageError('--columns station needs another column, such as time.');
  }
  if (columns && ARCHIVE_FORMATS[format].isSeries && !columns.includes('time')) {
    throw new UsageError(`${format} needs the column time; add it to --columns.`);
  }
}

function checkSteps({ columns, every }: ArchiveOptions, flags: ArchiveFlags): void {
  if (every === undefined) {
    if (flags.fill)
      throw new UsageError('--fill needs --every with an interval, such as --every 1h.');
    const odd = INTERVAL_COLUMNS.find(({ name }) => columns?.includes(name));
    if (odd) {
      throw new UsageError(
        `The column “${odd.name}” exists only with --every; add an interval, such as --every 1h.`,
      );
    }
  } else if (flags.append) {
    throw new UsageError(
      '--append does not work with --every, because the last interval of the file may be incomplete. Leave --append out; cached chunks are not requested again.',
    );
  }
}

function checkFlag({ columns, every, quality }: ArchiveOptions, flags: ArchiveFlags): void {
  const hasFlag = columns?.includes(FLAG_COLUMN.name);
  if (hasFlag && every !== undefined) {
    throw new UsageError('The column “flag” exists only without --every; leave one of them out.');
  }
  if (flags.append && (hasFlag || quality !== 'all')) {
    const subject = hasFlag ? 'The column flag' : `--quality ${quality}`;
    throw new UsageError(
      `${subject} does not work with --append: a quality test needs the readings before and after each reading. Leave out one of the two.`,
    );
  }
}

function checkOnePlace(
  { split, output: { format }, header, isShared }: ArchiveOptions,
  isStationNamed: boolean,
): void {
  if (split !== undefined) {
    throw new UsageError(`--split needs one file per part: --output 'wind-{${split}}.csv'.`);
  }
  if (isShared && !isStationNamed && !ARCHIVE_FORMATS[format].stationHeaders.includes(header)) {
    throw new UsageError(
      `${format} has no column for the station. For several stations, use -f csv --header names, ndjson, parquet or influx, add station to --columns, or write one file per station with {station} in --output.`,
    );
  }
}
