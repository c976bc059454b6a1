import type { Quality } from '../../domain/quality/limits.ts';
import { joinAlternatives } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { readRowCondition } from '../../flags/conditions.ts';
import { type ReadingsSource, readReadingsSource, type SourceFlags } from '../../flags/history.ts';
import type { OutputFlags, QualityFlags } from '../../flags/options.ts';
import { type OutputOptions, readOutput } from '../../flags/presentation.ts';
import type { Config } from '../../flags/settings.ts';
import { readStationFiles } from '../../flags/stationFiles.ts';
import {
  readDurationMs,
  readSectors,
  readSpeed,
  readSpeedClasses,
  readSpeedList,
  wrongValueError,
} from '../../flags/values.ts';
import { ROW_FORMATS, type RowFormatName } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import type { FileNameTemplate } from '../../output/template.ts';
import { GROUP_KEYS, type GroupKey, type StatisticsOptions } from '../../statistics/statistics.ts';
import { readView, type StatisticsView, type ViewFlags } from '../../statistics/views/index.ts';

export type StatsFlags = SourceFlags &
  OutputFlags &
  QualityFlags &
  ViewFlags & { readonly by?: string; readonly calm: string };

export interface StatsOptions {
  readonly source: ReadingsSource;
  /** Which statistics to compute. The period follows from the readings. */
  readonly statistics: Omit<StatisticsOptions, 'period'>;
  /** The view of the statistics: its rows and its table. */
  readonly view: StatisticsView;
  /** The lowest quality of the readings to keep. */
  readonly quality: Quality;
  readonly output: OutputOptions<RowFormatName>;
  /** The file name with placeholders; undefined if all stations share one file or stdout. */
  readonly template: FileNameTemplate | undefined;
}

/** Reads the arguments and flags of `vane stats`. @throws UsageError */
export function readStatsOptions(
  stations: readonly string[],
  flags: StatsFlags,
  config: Config,
  io: Io,
): StatsOptions {
  const output = readOutput(flags, 'Statistics', ROW_FORMATS, config, io);
  const { unit, zone } = output;
  const calmKmh = readSpeed('--calm', flags.calm, unit);
  const view = readView(flags, {
    by: flags.by === undefined ? [] : readKeys(flags.by),
    unit,
    zone,
    readSpeeds: (flag, text) => readSpeedList(flag, text, unit),
    readClasses: (text) => readSpeedClasses(text, unit),
    readCondition: (text) => readRowCondition(text, calmKmh, zone),
    readDurationMs,
  });
  const { classesKmh, where, spells, above } = view.wanted;
  const sectors = readSectors(flags.sectors);
  const source = readReadingsSource(stations, flags, zone, needPeriod, config, io);
  return {
    source,
    statistics: { zone, by: view.by, calmKmh, sectors, classesKmh, where, spells, above },
    view,
    quality: flags.quality ?? 'all',
    output,
    template: readStationFiles(output.target, source),
  };
}

/** For each key of --by, the keys that are redundant beside it: an hour always lies in one day. */
const WITHIN: Readonly<Partial<Record<GroupKey, readonly GroupKey[]>>> = {
  hour: ['day', 'week', 'month', 'season', 'year', 'hour-of-day', 'month-of-year'],
  day: ['week', 'month', 'season', 'year', 'month-of-year'],
  month: ['season', 'year', 'month-of-year'],
};

/**
 * Reads `--by`: the keys that group the readings.
 * @throws UsageError
 */
function readKeys(text: string): readonly GroupKey[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  const keys = words.flatMap((word) => GROUP_KEYS.find((key) => key === word) ?? []);
  const expected = `${joinAlternatives(GROUP_KEYS)}, or two of them such as month-of-year,hour-of-day`;
  if (keys.length < words.length || keys.length > 2) throw wrongValueError('--by', expected, text);
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

function needPeriod(): never {
  throw new UsageError(
    'stats needs a period, such as --start 2024, --last 30d or --year 2024, or files with --from.',
  );
}
