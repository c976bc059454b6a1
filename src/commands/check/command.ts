import { type Command, Option } from 'commander';
import { LIMITS, TEST_MEANINGS } from '../../domain/quality/limits.ts';
import { readConfig } from '../../flags/config.ts';
import {
  addDestinationOptions,
  addPeriodOptions,
  addPlainSelectionOptions,
  addRequestOptions,
  addZoneOption,
} from '../../flags/options.ts';
import { CHECK_FORMATS, formatNames } from '../../formats/index.ts';
import { VERDICT_MEANINGS } from '../../statistics/stationCheck.ts';
import {
  addExamples,
  type DeclareCommand,
  HISTORY_ARGUMENT,
  STATION_FILES_NOTE,
} from '../declaration.ts';
import { type CheckFlags, readCheckRequest } from './request.ts';
import { runCheck } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...HISTORY_ARGUMENT)
    .description('Tests the history of stations for faults: gaps, spikes, flat lines and more.');
  addPeriodOptions(command, true)
    .optionsGroup('Check:')
    .addOption(new Option('--by <key>', 'a row for each month (default: none)').choices(['month']))
    .addOption(
      new Option(
        '--fail-on <flag>',
        'exit with code 8 if a test finds this flag or a worse one, or a station is gone (default: never)',
      ).choices(['suspect', 'fail']),
    );
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addDestinationOptions(command, formatNames(CHECK_FORMATS));
  addZoneOption(command).action(async (stations: string[], _, self: Command) => {
    const flags = self.optsWithGlobals<CheckFlags>();
    await perform(readCheckRequest(stations, flags, readConfig(io), io), runCheck);
  });
  addExamples(
    command,
    'vane check 110',
    'vane check all --start 2024-05 --stop 2024-06 -f csv -o may.csv',
    'vane check --from station-110.csv --by month --fail-on fail',
  );
};

const list = (entries: readonly (readonly [term: string, meaning: string])[]): string =>
  entries.map(([term, meaning]) => `  ${term}  ${meaning}`).join('\n');

const limits = Object.values(LIMITS).map(({ test, kind, suspect, fail, source }) => {
  const bound = test === 'flat' ? 'from' : 'over';
  const parts = [`suspect ${bound} ${suspect}`, `failing ${bound} ${fail}`];
  const known = parts.filter((part) => !part.endsWith('Infinity'));
  return [test, `${kind}: ${known.join(', ')} (${source})`] as const;
});

/** Notes of the manual page: the tests, their limits, flags and verdicts. */
export const NOTES = `\
Without --start the last 30 days are checked, and with --from all readings, in order of time. The
tests are those of the manual of QARTOD (IOOS) for wind:

${list(Object.entries(TEST_MEANINGS))}

Their limits, with the source of both or of each:

${list(limits)}

A speed below 0 and a direction outside 0 to 360 fail the range test. Rate and spike compare
neighbours at most 15 minutes apart; a spike has steps in opposite directions, and the smaller one
counts. A flat line is a whole run of equal values, which ends where readings are more than 15
minutes apart, a calm more than 6 hours. Equal directions count at stations that report single
degrees, once they have reported one that is no multiple of 22.5. Of times, differing rows of one
time are suspect, as are rows that a service sends out of order, and rows in the future fail.

The flag of a reading is the gravest of its tests: 1 pass, 2 not evaluated (a row in the future, or
not later than one before it), 3 suspect, 4 fail, 9 missing (no average). Gap, position and time flag
no reading: their faults are counted as episodes. Faults of one test at most an hour apart are one
episode. Episodes count in the month of their start.

${list(Object.entries(VERDICT_MEANINGS))}

The table has the gravest verdict first; coverage as in stats, the last average, per cent of
readings that fail and that are suspect, and the worst test. Of one station, or with --verbose of
all, it has the episodes too, at most 40 of each, failing ones first. In ndjson and json a row has
station, month with --by, verdict, coverage, last, readings and tests, which has the numbers suspect
and fail of each test; csv has these as gap_suspect, gap_fail and so on.

With --fail-on the exit code is 8 if a test found that flag or a worse one, and where a station is
gone or in no file; else it is 0 whatever was found.

${STATION_FILES_NOTE}`;
