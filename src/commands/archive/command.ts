import { type Command, Option } from 'commander';
import { SPLIT_UNITS } from '../../domain/period.ts';
import { readConfig } from '../../flags/config.ts';
import {
  addOutputOptions,
  addPeriodOptions,
  addQualityOption,
  addRequestOptions,
  addSelectionOptions,
} from '../../flags/options.ts';
import { HEADER_CHOICES } from '../../formats/format.ts';
import { ARCHIVE_FORMATS, archiveFormatsWith, formatNames } from '../../formats/index.ts';
import { addExamples, type DeclareCommand, HISTORY_ARGUMENT } from '../declaration.ts';
import { type ArchiveFlags, readArchiveOptions, SHORT_COLUMN_WORDS } from './options.ts';
import { runArchive } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  addSelectionOptions(command)
    .argument(...HISTORY_ARGUMENT)
    .description('Exports the history of stations, which vane requests in chunks of 31 days.');
  addPeriodOptions(command, false);
  addQualityOption(command)
    .optionsGroup('Output:')
    .addOption(
      new Option(
        '--header <kind>',
        `header of ${archiveFormatsWith('hasHeader').join(' and ')}: the four lines of the service, one row of names, or none (default: service), e.g. names`,
      ).choices(HEADER_CHOICES),
    )
    .option(
      '--columns <names>',
      `only these columns, in this order: ${SHORT_COLUMN_WORDS.join(' ')} (default: all but flag), e.g. time,avg,gust`,
    )
    .addOption(
      new Option(
        '--split <part>',
        "write one file per year or month of UTC; with --every, of the zone of --tz (default: one file), e.g. year with -o '{year}.csv'",
      ).choices(SPLIT_UNITS),
    )
    .option(
      '--every <step>',
      'resample to one row per interval: 1w, 1mo, or at least 10min if it divides a day evenly, such as 15min, 2h or 1d (default: one row per reading), e.g. 1h',
    )
    .option(
      '--fill',
      'with --every: also write intervals without a reading (default: leave them out)',
    )
    .option(
      '--append',
      `add to the file of --output, after its last row (${archiveFormatsWith('rows').join(', ')})`,
    );
  addRequestOptions(command)
    .option(
      '--report <file>',
      'write a json report of what was exported and what is missing; - is stdout (default: none), e.g. report.json',
    )
    .option(
      '--dry-run',
      'download no history: list the requests, or estimate size and duration for all, a selection or more than 10 stations',
    );
  addOutputOptions(command, formatNames(ARCHIVE_FORMATS), 'table, or csv in a pipe').action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<ArchiveFlags>();
      const options = readArchiveOptions(stations, flags, readConfig(io), io);
      await perform(options, runArchive);
    },
  );
  addExamples(
    command,
    'vane archive 110 --start 2024 --stop 2025 -o station-110.csv',
    'vane archive 110 --start 30d --every 1h --columns time,avg,dir -f csv',
    "vane archive 110 603 --start 2015 --split year -o '{name}-{year}.csv'",
  );
};
