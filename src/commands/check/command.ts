import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import {
  addDestinationOptions,
  addPeriodOptions,
  addPlainSelectionOptions,
  addRequestOptions,
  addZoneOption,
} from '../../flags/options.ts';
import { formatNames, ROW_FORMATS } from '../../formats/index.ts';
import { addExamples, type DeclareCommand, HISTORY_ARGUMENT } from '../declaration.ts';
import { type CheckFlags, readCheckOptions } from './options.ts';
import { runCheck } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...HISTORY_ARGUMENT)
    .description('Tests the history of stations for faults: gaps, spikes, flat lines and more.');
  addPeriodOptions(command, true, '30d')
    .optionsGroup('Check:')
    .addOption(
      new Option(
        '--by <key>',
        'one row per station and month (default: one row per station)',
      ).choices(['month']),
    )
    .addOption(
      new Option(
        '--fail-on <flag>',
        'exit with code 8 if a test finds this flag or a worse one, or if a station is gone (default: never)',
      ).choices(['suspect', 'fail']),
    );
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addDestinationOptions(command, formatNames(ROW_FORMATS));
  addZoneOption(command).action(async (stations: string[], _, self: Command) => {
    const flags = self.optsWithGlobals<CheckFlags>();
    await perform(readCheckOptions(stations, flags, readConfig(io), io), runCheck);
  });
  addExamples(
    command,
    'vane check 110',
    'vane check all --start 2024-05 --stop 2024-06 -f csv -o may.csv',
    'vane check --from station-110.csv --by month --fail-on fail',
  );
};
