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
import { HEADERS } from '../../formats/format.ts';
import { ARCHIVE_FORMATS, archiveFormatsWith, formatNames } from '../../formats/index.ts';
import { addExamples, type DeclareCommand, HISTORY_ARGUMENT } from '../declaration.ts';
import { type ArchiveFlags, readArchiveRequest, SHORT_COLUMN_WORDS } from './request.ts';
import { runArchive } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  addSelectionOptions(command)
    .argument(...HISTORY_ARGUMENT)
    .description('Writes the history of stations, requested in chunks of 31 days.');
  addPeriodOptions(command, false);
  addQualityOption(command)
    .optionsGroup('Output:')
    .addOption(
      new Option(
        '--header <kind>',
        `header of ${archiveFormatsWith('hasHeader').join(' and ')}, e.g. names for the column names alone (default: service, its four lines)`,
      ).choices(HEADERS),
    )
    .option(
      '--columns <names>',
      `only these columns, in this order: ${SHORT_COLUMN_WORDS.join(' ')} (default: all), e.g. time,avg,gust`,
    )
    .addOption(
      new Option(
        '--split <part>',
        "a file for each year or month (UTC), named by --output (default: one file), e.g. year with -o '{year}.csv'",
      ).choices(SPLIT_UNITS),
    )
    .option(
      '--every <step>',
      'a row for each step of 10min or more that divides a day (15min, 2h, 1d), of 1w or 1mo: mean, highest gust, resultant direction (default: a row for each reading), e.g. 1h',
    )
    .option('--fill', 'with --every: rows for steps without a reading too')
    .option('--append', `continue the file of --output (${archiveFormatsWith('rows').join(', ')})`);
  addRequestOptions(command)
    .option(
      '--report <file>',
      'write a report of the export as json; - is stdout (default: none), e.g. report.json',
    )
    .option(
      '--dry-run',
      'print the requests only; for a selection or over 10 stations an estimate',
    );
  addOutputOptions(command, formatNames(ARCHIVE_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<ArchiveFlags>();
      const request = readArchiveRequest(stations, flags, readConfig(io), io);
      await perform(request, runArchive);
    },
  );
  addExamples(
    command,
    'vane archive 110 --start 2024 --stop 2025 -o station-110.csv',
    'vane archive 110 --start 30d --every 1h --columns time,avg,dir -f csv',
    "vane archive 110 603 --start 2015 --split year -o '{name}-{year}.csv'",
  );
};
