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
import { readStatsRequest, type StatsFlags } from './request.ts';
import { runStats } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...HISTORY_ARGUMENT)
    .description('Computes what the wind was like: means, extremes, percentiles, directions.');
  addPeriodOptions(command, true);
  addQualityOption(command)
    .optionsGroup('Statistics:')
    .option(
      '--by <keys>',
      `rows by ${GROUP_KEYS.join(', ')}, or two of them, e.g. month-of-year,hour-of-day`,
    )
    .option(...CALM_OPTION)
    .option('--rose', 'per cents of readings by sector and class of speed')
    .addOption(
      new Option('--sectors <n>', 'sectors of direction, e.g. 8 (default: 16)').choices(
        SECTOR_CHOICES,
      ),
    )
    .option(
      '--classes <speeds>',
      'lower bounds of the classes of --rose (default: Beaufort forces), e.g. 5,10,15,20',
    )
    .option(
      '--where <condition>',
      "how often a condition held (it selects no station here), e.g. 'avg in 12..25kn'",
    )
    .option('--spells', 'how long --where lasted at a time: its longest runs')
    .option(
      '--for <duration>',
      'least time of --where in a day, or of a spell, to count (default: 1h in a day, any spell), e.g. 2h',
    )
    .option('--above <speeds>', 'hours and days at or above each speed, e.g. 10,15,20,25kn')
    .addOption(
      new Option('--value <value>', 'value for --above (default: avg), e.g. gust').choices([
        'avg',
        'gust',
      ]),
    )
    .option('--climate', 'each month of the year, over all years');
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addOutputOptions(command, formatNames(STATISTICS_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<StatsFlags>();
      await perform(readStatsRequest(stations, flags, readConfig(io), io), runStats);
    },
  );
  addExamples(
    command,
    'vane stats 110 --start 2024 --stop 2025 --by month',
    "vane stats 110 --start 2024 --where 'avg > 15kn' --spells --for 2h",
    'vane stats --from station-110.csv.gz --rose --knots',
  );
};
