import { HOUR_MS } from '../../domain/dates.ts';
import type { Quality } from '../../domain/quality/limits.ts';
import { alternatives } from '../../domain/text.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { readRowCondition } from '../../flags/conditions.ts';
import type { Config } from '../../flags/config.ts';
import { readSource, type Source, type SourceFlags } from '../../flags/history.ts';
import type { OutputFlags, QualityFlags } from '../../flags/options.ts';
import { type Output, readOutput } from '../../flags/presentation.ts';
import { readStationFiles } from '../../flags/stationFiles.ts';
import {
  ifGiven,
  readClasses,
  readDurationMs,
  readSectors,
  readSpeed,
  readSpeeds,
  wrongValue,
} from '../../flags/values.ts';
import type { SpeedClasses, Thresholds } from '../../formats/format.ts';
import { STATISTICS_FORMATS, type StatisticsFormatName } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import type { FileNameTemplate } from '../../output/template.ts';
import { STRONG_GUSTS_MS } from '../../statistics/climate.ts';
import { GROUP_KEYS, type GroupKey, type StatisticsOptions } from '../../statistics/statistics.ts';

export interface StatsFlags extends SourceFlags, OutputFlags, QualityFlags {
  readonly by?: string;
  readonly calm: string;
  readonly rose?: true;
  readonly sectors?: string;
  readonly classes?: string;
  readonly spells?: true;
  readonly for?: string;
  readonly above?: string;
  readonly value?: Thresholds['value'];
  readonly climate?: true;
}

export interface StatsOptions {
  readonly source: Source;
  /** How the statistics are computed; the period follows from the readings. */
  readonly statistics: Omit<StatisticsOptions, 'period'>;
  /** Speed classes of `--rose`; undefined without `--rose`. */
  readonly classes: SpeedClasses | undefined;
  /** Which readings are left out, by the flags of `vane check`. */
  readonly quality: Quality;
  /** The speeds of `--above`, or those of `--climate`; undefined without either. */
  readonly above: Thresholds | undefined;
  readonly isClimate: boolean;
  readonly output: Output<StatisticsFormatName>;
  /** The file name with placeholders; undefined for one file of all stations or stdout. */
  readonly template: FileNameTemplate | undefined;
}

/** Reads the arguments and flags of `vane stats`. @throws UsageError */
export function readStatsOptions(
  stations: readonly string[],
  flags: StatsFlags,
  config: Config,
  io: Io,
): StatsOptions {
  const output = readOutput(flags, 'Statistics', STATISTICS_FORMATS, config, io);
  const { unit, zone } = output;
  const by = flags.by === undefined ? [] : readKeys(flags.by);
  const isClimate = flags.climate ?? false;
  const calmKmh = readSpeed('--calm', flags.calm, unit);
  const classes = flags.rose && readClasses(flags.classes, unit);
  const above = readThresholds(flags, unit);
  refuseUseless(flags, by);
  const statistics: StatsOptions['statistics'] = {
    zone,
    by: isClimate ? ['month'] : by,
    calmKmh,
    sectors: readSectors(flags.sectors),
    classesKmh: classes?.kmh,
    where: readWhere(flags, calmKmh, zone),
    above: above && readAbove(above, calmKmh),
  };
  const source = readSource(stations, flags, zone, needPeriod, config, io);
  return {
    source,
    statistics,
    classes,
    quality: flags.quality ?? 'all',
    above,
    isClimate,
    output,
    template: readStationFiles(output.target, source),
  };
}

/** For each key of --by, the keys that would add no groups to it: an hour lies in one day. */
const WITHIN: Readonly<Partial<Record<GroupKey, readonly GroupKey[]>>> = {
  hour: ['day', 'week', 'month', 'season', 'year', 'hour-of-day', 'month-of-year'],
  day: ['week', 'month', 'season', 'year', 'month-of-year'],
  month: ['season', 'year', 'month-of-year'],
};

/** Reads the keys of `--by`, by which readings are grouped. @throws UsageError */
function readKeys(text: string): readonly GroupKey[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  const keys = words.flatMap((word) => GROUP_KEYS.find((key) => key === word) ?? []);
  const expected = `${alternatives(GROUP_KEYS)}, or two of them such as month-of-year,hour-of-day`;
  if (keys.length < words.length || keys.length > 2) throw wrongValue('--by', expected, text);
  const [first, second] = keys;
  if (first === second) throw new UsageError(`--by names ${first} twice.`);
  for (const [fine, coarse] of [keys, keys.toReversed()]) {
    if (fine && coarse && WITHIN[fine]?.includes(coarse)) {
      throw new UsageError(
        `--by ${text}: each ${fine} has one ${coarse}, so ${coarse} adds no groups; use --by ${fine}.`,
      );
    }
  }
  return keys;
}

/** Refuses options that would have no effect. */
function refuseUseless(flags: StatsFlags, by: readonly GroupKey[]): void {
  const isSector = by.includes('sector');
  const { rose, sectors, classes, where, spells, above, climate } = flags;
  const tables = Object.entries({ rose, spells, where: !spells && where, above, climate });
  const [one, other] = tables.filter(([, given]) => given).map(([name]) => `--${name}`);
  if (one && other) {
    throw new UsageError(
      `${one} and ${other} are two different tables; use one of them at a time.`,
    );
  }
  if (classes !== undefined && !rose) throw new UsageError('--classes needs --rose; add it.');
  if (sectors !== undefined && !rose && !isSector) {
    throw new UsageError('--sectors needs --rose or --by sector; add one of them.');
  }
  if (spells && where === undefined) {
    throw new UsageError("--spells needs --where with a condition, such as 'avg > 15kn'.");
  }
  if (spells && isSector) {
    throw new UsageError('A spell may turn through several sectors; leave sector out of --by.');
  }
  if (flags.for !== undefined && where === undefined) {
    throw new UsageError("--for needs --where with a condition, such as 'avg > 15kn'.");
  }
  if (rose && isSector) {
    throw new UsageError('--rose already has one row per sector; leave sector out of --by.');
  }
  if (flags.value !== undefined && above === undefined) {
    throw new UsageError('--value needs --above with speeds, such as --above 10,15,20kn.');
  }
  if (climate && by.length > 0) {
    throw new UsageError('--climate already has one row per month of the year; leave out --by.');
  }
}

/** Reads `--where`, `--spells` and `--for` of `vane stats`. @throws UsageError */
function readWhere({ where, spells, for: least }: StatsFlags, calmKmh: number, zone: string) {
  if (where === undefined) return undefined;
  const holds = readRowCondition(where, calmKmh, zone);
  const isSpells = spells ?? false;
  const minMs = ifGiven(least, (text) => readDurationMs('--for', text));
  return { holds, minMs: minMs ?? (isSpells ? 0 : HOUR_MS), isSpells };
}

/** Reads `--above` and `--value`, or the gusts of `--climate`. @throws UsageError */
function readThresholds(
  { above, value = 'avg', climate }: StatsFlags,
  unit: SpeedUnit,
): Thresholds | undefined {
  if (climate) return { ...readSpeeds('--climate', `${STRONG_GUSTS_MS}ms`, unit), value: 'gust' };
  return above === undefined ? undefined : { ...readSpeeds('--above', above, unit), value };
}

/** For each threshold, the condition that a speed is at or above it. */
function readAbove({ numbers, unit, value }: Thresholds, calmKmh: number) {
  return numbers.map((number) => readRowCondition(`${value} >= ${number}${unit}`, calmKmh, 'utc'));
}

function needPeriod(): never {
  throw new UsageError(
    'stats needs a period, such as --start 2024, --last 30d or --year 2024, or files with --from.',
  );
}
