import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import {
  addOutputOptions,
  addPeriodOptions,
  addPlainSelectionOptions,
  addQualityOption,
  addRequestOptions,
  CALM_OPTION,
} from '../../flags/options.ts';
import { formatNames, ROW_FORMATS } from '../../formats/index.ts';
import { GROUP_KEYS } from '../../statistics/statistics.ts';
import { VIEW_OPTIONS } from '../../statistics/views/index.ts';
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
    .option(...CALM_OPTION);
  for (const { flags, description, choices } of VIEW_OPTIONS) {
    const option = new Option(flags, description);
    command.addOption(choices ? option.choices(choices) : option);
  }
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addOutputOptions(command, formatNames(ROW_FORMATS)).action(
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
