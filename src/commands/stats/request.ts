import type { RefusedFields } from '../../domain/condition/condition.ts';
import { parseSpeed } from '../../domain/condition/literals.ts';
import { type Period, periodUntil } from '../../domain/period.ts';
import { alternatives } from '../../domain/text.ts';
import {
  BEAUFORT_FROM_KMH,
  exactSpeed,
  lowestKmh,
  round2,
  type SpeedUnit,
} from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import type { SpeedClasses } from '../../formats/format.ts';
import { STATISTICS_FORMATS, type StatisticsFormatName } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { GROUP_KEYS, type GroupKey, type StatisticsOptions } from '../../statistics/statistics.ts';
import { readCondition } from '../shared/condition.ts';
import { type Config, NO_CONFIG } from '../shared/config.ts';
import { type Connection, readConnection } from '../shared/connection.ts';
import { type HistoryFlags, type HistoryRequest, readHistory } from '../shared/history.ts';
import type { OutputFlags } from '../shared/options.ts';
import { type Output, readOutput } from '../shared/presentation.ts';
import { isEverything, readSelection, readStations } from '../shared/selection.ts';
import { readSetting } from '../shared/settings.ts';
import { readDurationMs, readPeriod, wrong } from '../shared/values.ts';
import { whereOf } from './where.ts';

/** Flags that name readings. */
export interface SourceFlags extends Omit<HistoryFlags, 'start'> {
  readonly start?: string;
  readonly from?: readonly string[];
}

export interface StatsFlags extends SourceFlags, OutputFlags {
  readonly by?: string;
  readonly calm: string;
  readonly rose?: true;
  readonly sectors?: string;
  readonly classes?: string;
  readonly for?: string;
}

/** Files that vane archive wrote, in place of a service. */
export interface FilesRequest {
  readonly paths: readonly string[];
  /** The stations wanted out of the files. */
  readonly stations: readonly number[] | 'all';
  /** Without one the period begins or ends with the readings of each station. */
  readonly bounds: Partial<Period>;
  readonly notes: readonly string[];
}

export type Source = { readonly history: HistoryRequest } | { readonly files: FilesRequest };

/** The arguments and flags of `vane stats`. */
export interface StatsRequest {
  readonly connection: Connection;
  readonly source: Source;
  readonly options: Omit<StatisticsOptions, 'period'>;
  /** Classes of speed of the rose; undefined without one. */
  readonly classes: SpeedClasses | undefined;
  readonly output: Output<StatisticsFormatName>;
}

/** @throws UsageError */
export function readStatsRequest(
  stations: readonly string[],
  flags: StatsFlags,
  config: Config,
  io: Io,
): StatsRequest {
  const output = readOutput(flags, 'Statistics', STATISTICS_FORMATS, config, io);
  const { unit, zone } = output;
  const by = flags.by === undefined ? [] : readKeys(flags.by);
  const calmKmh = readSpeed('--calm', flags.calm, unit);
  const classes = readClasses(flags, unit);
  refuseUseless(flags, by);
  const options: StatsRequest['options'] = {
    zone,
    by,
    calmKmh,
    sectors: Number(flags.sectors ?? 16) as StatisticsOptions['sectors'],
    classesKmh: classes?.kmh,
    where: flags.where === undefined ? undefined : readWhere(flags.where, flags.for, calmKmh),
  };
  return {
    connection: readConnection(flags, io, config),
    source: readSource(stations, flags, config, io),
    options,
    classes,
    output,
  };
}

/** Stations of a service, or files. @throws UsageError */
export function readSource(
  stations: readonly string[],
  flags: SourceFlags,
  config: Config,
  io: Io,
): Source {
  // Here a condition is on readings, and selects no station.
  const { from, where: _, start, ...others } = flags;
  if (from !== undefined) return { files: readFilesRequest(stations, from, flags, config, io) };
  if (start === undefined) {
    throw new UsageError('stats needs --start, such as --start 2024, or files with --from.');
  }
  return { history: readHistory(stations, { ...others, start }, config, io) };
}

function readFilesRequest(
  stations: readonly string[],
  paths: readonly string[],
  { where: _, ...flags }: SourceFlags,
  { favourites }: Config,
  io: Io,
): FilesRequest {
  if (!isEverything(readSelection(flags))) {
    throw new UsageError(
      'With --from there is no list of stations to select from: name them by id, or leave --name, --near and the like out.',
    );
  }
  if (stations.includes('-')) {
    throw new UsageError('With --from the stations are named on the command line, not on stdin.');
  }
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('--from names stdin twice, which can be read once.');
  }
  const { start, stop } = flags;
  const context = { now: io.now(), zone: readSetting('tz', flags, NO_CONFIG, io) };
  const isBounded = start !== undefined || stop !== undefined;
  const { period, notes } = isBounded
    ? readPeriod(start ?? '0000', stop, context)
    : { period: undefined, notes: [] };
  return {
    paths,
    stations: readStations(stations, favourites),
    bounds: {
      ...(period && start !== undefined && { start: period.start }),
      ...(period && stop !== undefined && { stop: periodUntil(context.now, period).stop }),
    },
    notes,
  };
}

/** Units that each key lies within, so that a group of both is one of the key alone. */
const WITHIN: Readonly<Partial<Record<GroupKey, readonly GroupKey[]>>> = {
  hour: ['day', 'month', 'year', 'hour-of-day', 'month-of-year'],
  day: ['month', 'year', 'month-of-year'],
  month: ['year', 'month-of-year'],
};

/** @throws UsageError */
function readKeys(text: string): readonly GroupKey[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  const keys = words.flatMap((word) => GROUP_KEYS.find((key) => key === word) ?? []);
  const expected = `${alternatives(GROUP_KEYS)}, or two of them such as month-of-year,hour-of-day`;
  if (keys.length < words.length || keys.length > 2) throw wrong('--by', expected, text);
  const [first, second] = keys;
  if (first === second) throw new UsageError(`--by names ${first} twice.`);
  for (const [fine, coarse] of [keys, keys.toReversed()]) {
    if (fine && coarse && WITHIN[fine]?.includes(coarse)) {
      throw new UsageError(
        `--by ${text}: each ${fine} has one ${coarse}, so ${coarse} makes no further groups; say --by ${fine}.`,
      );
    }
  }
  return keys;
}

/** A speed with its unit, or a number in the unit asked for. */
export function readSpeed(flag: string, text: string, unit: SpeedUnit): number {
  const number = /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
  const speedKmh = number === undefined ? parseSpeed(text) : lowestKmh(number, unit);
  if (speedKmh !== undefined) return speedKmh;
  throw wrong(flag, 'a speed such as 1kn', text);
}

/** The classes of a rose, and their lowest speeds but the first in km/h. */
export function readClasses(
  { rose, classes }: Pick<StatsFlags, 'rose' | 'classes'>,
  unit: SpeedUnit,
): (SpeedClasses & { readonly kmh: readonly number[] }) | undefined {
  if (!rose) return undefined;
  if (classes === undefined) {
    const lowest = [0, ...BEAUFORT_FROM_KMH].map((kmh) => round2(exactSpeed(kmh, unit) ?? 0));
    return { lowest, kmh: BEAUFORT_FROM_KMH, isBeaufort: true };
  }
  const words = classes.split(',').map((word) => word.trim());
  const numbers = words.map((word) => (/^\d+(?:\.\d+)?$/.test(word) ? Number(word) : Number.NaN));
  const kmh = numbers.map((number) => lowestKmh(number, unit) ?? Number.NaN);
  const isAscending = kmh.every((speed, place) => speed > (kmh[place - 1] ?? 0));
  if (!isAscending || kmh.length > MOST_CLASSES) {
    const forms = `at most ${MOST_CLASSES} ascending numbers above 0 in the unit of --units, such as 5,10,15,20`;
    throw wrong('--classes', forms, classes);
  }
  return { lowest: [0, ...numbers], kmh, isBeaufort: false };
}

const MOST_CLASSES = 50;

/** Refuses options that would have no effect. */
function refuseUseless(flags: StatsFlags, by: readonly GroupKey[]): void {
  const isSector = by.includes('sector');
  const { rose, sectors, classes, where } = flags;
  if (classes !== undefined && !rose) throw new UsageError('--classes is for --rose; add --rose.');
  if (sectors !== undefined && !rose && !isSector) {
    throw new UsageError('--sectors is for --rose and --by sector; add one of them.');
  }
  if (flags.for !== undefined && where === undefined) {
    throw new UsageError("--for needs --where with a condition, such as 'avg > 15kn'.");
  }
  if (rose && isSector) {
    throw new UsageError('--rose has a row for each sector; leave sector out of --by.');
  }
  if (rose && where !== undefined) {
    throw new UsageError('--rose and --where are two tables; ask for one of them at a time.');
  }
}

const OF_READINGS: RefusedFields = {
  age: '“age” is of a latest measurement; the readings of a period have none.',
  state: '“state” is of a latest measurement; the readings of a period have none.',
  distance: '“distance” is of a station; the readings of a period have none.',
  trend: '“trend” belongs to vane watch; a reading has none.',
};

export function readWhere(
  text: string,
  least: string | undefined,
  calmKmh: number,
): StatisticsOptions['where'] {
  return {
    holds: whereOf(readCondition('--where', text, OF_READINGS), calmKmh),
    leastMs: readDurationMs('--for', least ?? '1h'),
  };
}
