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

/** The explanations of the command on the manual page, after its options. */
export const NOTES = `\
--header service is the service's four lines, names the column names alone, none no header. --append
continues the file after its last row.

With --every a row is a step of the clock of --tz: start <= time < start + step, named by its start.
wind_speed_avg is the mean of the averages, wind_speed_max the highest gust, wind_speed_min the
lowest lull, wind_heading the direction of the resultant wind, to which a mean under 1 km/h adds
nothing (missing where nothing is left), pressure the mean, the position that of the last reading.
Two columns follow: readings, and coverage as in stats, from 0 to 1 of the part of the step that
lies in the period and before now. Gaps are found by the most frequent time between two readings of
the station, of the last 1000 and at first of 100. A step of 3h begins at 0, 3, 6 o'clock, one of 1w
on Monday (ISO 8601). Where the clock changes, a step of 1h or less ends, so that an hour shown twice
is two steps; a longer step begins when the clock first shows its beginning, so that a day has 23 to
25 hours. A part of --split begins and ends by the clock of --tz too; a week is in the part in which
it begins. Impossible values count as missing, as in stats.

A date is yyyy to yyyy-MM-ddTHH:mm:ss.SSS, then Z, +hhmm or nothing: for UTC, or the zone of --tz or
$VANE_TZ. Missing parts take their lowest value. Readings satisfy start <= time < stop.

--quality suspect leaves out readings that fail a test of check, and pass the suspect ones too; the
column flag has the flag of each. Both may wait for the readings of the next chunk.

With {station} {name} {start} {stop} {year} {month} in --output each station and part gets its own
file; {id} is {station}. Missing folders are created. Finished periods are cached on disk: after an
interruption the same command requests only the rest; with --refresh it requests all of them again.

--report has rows, late, files, missing, repairs, columns, chunks, requests, retries, cache_hits,
bytes and seconds; once version, period, every, steps (rows of --every) and units of the columns;
and stations, each with station, name, readings, first, last, step_s, coverage, gaps_over_6h (start,
stop, hours; at most 1000, and gaps_over_6h_left_out more) and missing_chunks (start, stop). Names
take one request for the latest data. With --append the figures of a station are those of the
requested rest.

--dry-run of all or a selection sends one request, for the list of stations, and prints an estimate,
as it does for over 10 stations without a request. Bytes are those of 360 rows a day of 70 bytes,
before compression. Each request is taken to last as long as that for the list, or 1 s where none
was sent.`;
