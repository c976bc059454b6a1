import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import { addHints, PERIOD_HINTS } from '../../flags/mistakes.ts';
import {
  addOutputOptions,
  addPeriodOptions,
  addPlainSelectionOptions,
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
  addPeriodOptions(command, false)
    .option(
      '--from <files...>',
      'read files of vane archive and no service; - is stdin, e.g. station-110.csv.gz',
    )
    .optionsGroup('Statistics:')
    .option(
      '--by <keys>',
      `a row for each group: ${GROUP_KEYS.join(', ')}, or two of them, e.g. month-of-year,hour-of-day`,
    )
    .option(...CALM_OPTION)
    .option('--rose', 'per cents of readings by sector and class of speed')
    .addOption(
      new Option(
        '--sectors <n>',
        'sectors of --rose and --by sector, e.g. 8 (default: 16)',
      ).choices(SECTOR_CHOICES),
    )
    .option(
      '--classes <speeds>',
      'lower bounds of the classes of --rose (default: Beaufort forces), e.g. 5,10,15,20',
    )
    .option(
      '--where <condition>',
      "how often a condition held (it selects no station here), e.g. 'avg in 12..25kn'",
    )
    .option(
      '--for <duration>',
      'time of --where in a day from which the day counts (default: 1h), e.g. 2h',
    );
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addHints(command, PERIOD_HINTS);
  addOutputOptions(command, formatNames(STATISTICS_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<StatsFlags>();
      await perform(readStatsRequest(stations, flags, readConfig(io), io), runStats);
    },
  );
  addExamples(
    command,
    'vane stats 110 --start 2024 --stop 2025 --by month',
    `vane stats 110 --start 2015 --by month-of-year \\
      --where 'avg in 12..25kn and dir in SW..NW'`,
    'vane stats --from station-110.csv.gz --rose --knots',
  );
};
