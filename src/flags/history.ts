import {
  createDateWriter,
  DAY_MS,
  formatDate,
  normalizeTypedDate,
  parseDuration,
} from '../domain/dates.ts';
import {
  cutPeriodAtNow,
  DAYS_AGO_BY_WORD,
  describePeriod,
  type Period,
  TYPED_START_WORDS,
} from '../domain/period.ts';
import { EARLIEST_START, PeriodError, readPeriod } from '../domain/readPeriod.ts';
import type { StationSelection } from '../domain/selection.ts';
import { joinAlternatives } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import {
  type ConnectionOptions,
  type RequestOptions,
  readConnection,
  readRequestOptions,
} from './connection.ts';
import type { GlobalFlags, PresentationFlags, RequestFlags, SelectionFlags } from './options.ts';
import type { Config } from './settings.ts';
import { isSelectionEmpty, readSelection, readStations } from './stations.ts';
import { DURATION_FORMS, readInteger, requireValue, wrongValueError } from './values.ts';

export interface HistoryFlags extends GlobalFlags, PresentationFlags, SelectionFlags, RequestFlags {
  readonly start?: string;
  readonly stop?: string;
  readonly last?: string;
  readonly year?: string;
}

/** The stations and the period of a command that reads archives, and how to request them. */
export interface HistoryOptions {
  readonly connection: ConnectionOptions;
  /** The station ids; `stdin` if standard input lists them. */
  readonly stations: readonly number[] | 'all' | 'stdin';
  /** The user's configuration, for favourites that stdin names. */
  readonly config: Config;
  readonly selection: StationSelection;
  readonly period: Period;
  /**
   * Whether the start depends on the current time, so that the same text means a later start
   * tomorrow.
   */
  readonly isStartRelative: boolean;
  /** A sentence about each date that daylight saving time skips or repeats. */
  readonly notes: readonly string[];
  /** Maximum number of concurrent requests, 1 to 16. */
  readonly concurrency: number;
  readonly keepGoing: boolean;
  /** When the command started, milliseconds since 1970. */
  readonly now: number;
}

/**
 * Reads the stations and flags of a command that reads archives.
 * @param zone the zone in which the command shows times and reads dates without an offset
 * @param usualStart returns the default start; may throw
 * @throws UsageError
 */
export function readHistoryOptions(
  stations: readonly string[],
  flags: HistoryFlags,
  zone: string,
  usualStart: () => string,
  config: Config,
  io: Io,
): HistoryOptions {
  const now = io.now();
  // In `--near 43.4 4.9`, the word 4.9 looks like a station. Read --near first, so that the error
  // is about --near.
  const selection = readSelection(flags, zone);
  const isStdin = stations.length === 1 && stations[0] === '-';
  const { start, stop } = readBounds(flags);
  const options = {
    connection: readConnection(flags, io, config),
    stations: isStdin ? ('stdin' as const) : readStations(stations, config),
    config,
    selection,
    ...readDates(start ?? usualStart(), stop, now, zone),
    concurrency: readInteger('--concurrency', flags.concurrency, 1, 16),
    keepGoing: flags.keepGoing ?? false,
    now,
  };
  if (stations.length === 0 && isSelectionEmpty(selection)) {
    throw new UsageError(
      'Name stations, select some (--name, --near, --bbox …), or use all for every station.',
    );
  }
  return options;
}

/**
 * Reads the period of `--start` and `--stop`, `--last` or `--year`.
 * @throws UsageError
 */
function readBounds({ start, stop, last, year }: HistoryFlags): {
  readonly start: string | undefined;
  readonly stop: string | undefined;
} {
  if (last !== undefined) {
    return {
      start: requireValue(parseDuration(last) && last, '--last', DURATION_FORMS, last),
      stop: undefined,
    };
  }
  if (year === undefined) return { start, stop };
  if (!/^\d{4}$/.test(year) || year === '9999') {
    throw wrongValueError('--year', 'a calendar year such as 2024', year);
  }
  return { start: year, stop: String(Number(year) + 1).padStart(4, '0') };
}

const DAYS = [...DAYS_AGO_BY_WORD.keys()];

/** The forms of `--start` and `--stop`, for error messages. */
const DATE_FORMS = {
  start: `a date such as 2024-05-01, a length of time such as 3d, or ${[...DAYS, ...TYPED_START_WORDS].join(', ')}`,
  stop: `now, ${joinAlternatives([...DAYS, 'a date such as 2024-05-01 or "2024-05-01 12:00"'])}`,
};

/**
 * Reads the dates of a period.
 * @throws UsageError
 */
function readDates(start: string, stop: string | undefined, now: number, zone: string) {
  const texts = { start, stop: stop ?? 'now' };
  refuseSameMonth(start.trim(), texts.stop.trim());
  try {
    const { shifted, ...read } = readPeriod(start, texts.stop, { now, zone, isTyped: true });
    /** A sentence about each date that daylight saving time skips or repeats. */
    const notes = shifted.map(({ at, ms, shift }) => {
      const fault = shift === 'gap' ? 'does not exist' : 'exists twice';
      const moment = createDateWriter(zone)(formatDate(ms));
      return `--${at}: ${texts[at].trim()} ${fault} in ${zone}, where the clocks change; it is read as ${moment}.`;
    });
    return { ...read, notes };
  } catch (error) {
    if (!(error instanceof PeriodError)) throw error;
    const { fault, isImpossible } = error;
    if (fault === 'order') {
      const hint = stop === undefined ? ' (without --stop it ends now)' : '';
      throw new UsageError(
        `The stop of the period is before its start${hint}: ${start} to ${texts.stop}.`,
      );
    }
    const text = texts[fault];
    if (!isImpossible) throw wrongValueError(`--${fault}`, DATE_FORMS[fault], text);
    throw new UsageError(`--${fault}: there is no such date as ${text}.`);
  }
}

/**
 * Refuses a stop that is the same year or month as the start, since the user probably means all of
 * it. Equal days and times are allowed as an empty period, since scripts compute them.
 */
function refuseSameMonth(start: string, stop: string): void {
  const [, year = '', month] = /^(\d{4})(?:-(\d\d))?$/.exec(normalizeTypedDate(start)) ?? [];
  if (year === '' || normalizeTypedDate(stop) !== normalizeTypedDate(start)) return;
  const nextYear = String(Number(year) + 1).padStart(4, '0');
  const nextMonth = String(Number(month) + 1).padStart(2, '0');
  const next = month === '12' ? `${nextYear}-01` : `${year}-${nextMonth}`;
  throw new UsageError(
    `The stop is not included, so ${start} to ${stop} is empty. ` +
      `For all of ${start}: --stop ${month === undefined ? nextYear : next}.`,
  );
}

/**
 * Maximum period of a table or picture with calendar units, years. A longer one would take minutes.
 */
const MAX_YEARS = 200;

/** Refuses a period of over 200 years. @throws UsageError */
export function refuseLongPeriod(subject: string, period: Period): void {
  if (period.stop - period.start <= MAX_YEARS * 366 * DAY_MS) return;
  throw new UsageError(
    `${subject} covers at most ${MAX_YEARS} years, and this period is ${describePeriod(period)}; add --start.`,
  );
}

/** Flags that choose the source of readings: a period of a service, or files. */
export interface SourceFlags extends HistoryFlags {
  readonly from?: readonly string[];
  readonly output?: string;
}

/** Files written by `vane archive`, to read instead of a service. */
export interface FilesOptions {
  readonly paths: readonly string[];
  /** The words in `paths` that are stations and belong before --from, for an error. */
  readonly stationWords: readonly string[];
  readonly stations: readonly number[] | 'all';
  /** The start and stop that the user gave. A missing one follows from the readings. */
  readonly bounds: Partial<Period>;
  /** A sentence about each date that daylight saving time skips or repeats. */
  readonly notes: readonly string[];
  readonly verbosity: RequestOptions;
  /** The value of --output, which must not be one of the files to read. */
  readonly output: string | undefined;
}

export type ReadingsSource =
  | { readonly history: HistoryOptions }
  | { readonly files: FilesOptions };

/**
 * Reads the source of readings: stations of a service, or the files of `--from`.
 * @param zone the zone in which the command shows times
 * @param usualStart returns the default start for a service; may throw
 * @throws UsageError
 */
export function readReadingsSource(
  stations: readonly string[],
  flags: SourceFlags,
  zone: string,
  usualStart: () => string,
  config: Config,
  io: Io,
): ReadingsSource {
  // stats and plot test --where on readings, so it does not select stations.
  const { from, where: _, ...others } = flags;
  return from === undefined
    ? { history: readHistoryOptions(stations, others, zone, usualStart, config, io) }
    : { files: readFilesOptions(stations, from, others, zone, config, io) };
}

function readFilesOptions(
  stations: readonly string[],
  paths: readonly string[],
  flags: SourceFlags,
  zone: string,
  config: Config,
  io: Io,
): FilesOptions {
  if (!isSelectionEmpty(readSelection(flags, zone))) {
    throw new UsageError(
      '--from has no list of stations to select from. Name stations by id, or leave out --name, --near and similar options.',
    );
  }
  if (stations.includes('-')) {
    throw new UsageError('With --from, name the stations on the command line, not on stdin.');
  }
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('--from names stdin twice, but it can be read only once.');
  }
  const { start, stop } = readBounds(flags);
  const { output } = flags;
  const now = io.now();
  const { period, notes } = readDates(start ?? EARLIEST_START, stop, now, zone);
  const bounds: Partial<Period> = {
    ...(start !== undefined && { start: period.start }),
    ...(stop !== undefined && { stop: cutPeriodAtNow(now, period).stop }),
  };
  const verbosity = readRequestOptions(flags);
  return {
    paths,
    stationWords: paths.filter((path) => isStation(path, config)),
    stations: readStations(stations, config),
    bounds,
    notes,
    verbosity,
    output,
  };
}

function isStation(word: string, config: Config): boolean {
  try {
    return readStations([word], config).length > 0;
  } catch {
    return false;
  }
}
