import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import {
  addOutputOptions,
  addPeriodOptions,
  addPlainSelectionOptions,
  addQualityOption,
  addRequestOptions,
  CALM_OPTION,
  SECTOR_CHOICES,
} from '../../flags/options.ts';
import { formatNames, STATISTICS_FORMATS } from '../../formats/index.ts';
import { GROUP_KEYS } from '../../statistics/statistics.ts';
import { addExamples, type DeclareCommand, HISTORY_ARGUMENT } from '../declaration.ts';
import { readStatsOptions, type StatsFlags } from './options.ts';
import { runStats } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...HISTORY_ARGUMENT)
    .description('Computes statistics of the wind: means, extremes, percentiles, directions.');
  addPeriodOptions(command, true);
  addQualityOption(command)
    .optionsGroup('Statistics:')
    .option(
      '--by <keys>',
      `one row per ${GROUP_KEYS.join(', ')}, or two of these (default: one row per station), e.g. month-of-year,hour-of-day`,
    )
    .option(...CALM_OPTION)
    .option('--rose', 'show the percentage of readings per sector and speed class')
    .addOption(
      new Option('--sectors <n>', 'number of sectors of direction (default: 16), e.g. 8').choices(
        SECTOR_CHOICES,
      ),
    )
    .option(
      '--classes <speeds>',
      'lower bounds of the speed classes of --rose (default: Beaufort forces), e.g. 5,10,15,20',
    )
    .option(
      '--where <condition>',
      "count how often this condition was true (default: none), e.g. 'avg in 12..25kn'",
    )
    .option('--spells', 'list the unbroken times during which --where was true, the longest first')
    .option(
      '--for <duration>',
      'count only days on which --where was true for at least this long, or list only spells at least this long (default: 1h for days, any length for spells), e.g. 2h',
    )
    .option(
      '--above <speeds>',
      'count the hours and days at or above each speed (default: none), e.g. 10,15,20,25kn',
    )
    .addOption(
      new Option(
        '--value <value>',
        'speed to compare with --above: the mean (avg) or the gust (default: avg), e.g. gust',
      ).choices(['avg', 'gust']),
    )
    .option('--climate', 'average each month of the year over all years');
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addOutputOptions(command, formatNames(STATISTICS_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<StatsFlags>();
      await perform(readStatsOptions(stations, flags, readConfig(io), io), runStats);
    },
  );
  addExamples(
    command,
    'vane stats 110 --start 2024 --stop 2025 --by month',
    "vane stats 110 --start 2024 --where 'avg > 15kn' --spells --for 2h",
    'vane stats --from station-110.csv.gz --rose --knots',
  );
};
