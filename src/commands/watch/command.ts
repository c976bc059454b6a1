import { type Command, Option } from 'commander';
import { SPEED_UNIT_NAMES } from '../../domain/units.ts';
import { formatNames, STREAM_FORMATS } from '../../formats/index.ts';
import { PLACEHOLDERS, RECORD_VARIABLES } from '../../formats/recordFields.ts';
import { type DeclareCommand, STATIONS_ARGUMENT } from '../shared/command.ts';
import { readConfig } from '../shared/config.ts';
import { addPresentationOptions, addSelectionOptions } from '../shared/options.ts';
import { readWatchRequest, type WatchFlags } from './request.ts';
import { runWatch } from './run.ts';

/** Words in lines of at most 79 columns. */
const fillLines = (words: readonly string[]): string =>
  words
    .join(' ')
    .replace(/(.{1,79})(?: |$)/g, '$1\n')
    .trimEnd();

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...STATIONS_ARGUMENT)
    .description(
      'Polls stations each minute, all of them in one request, and shows new measurements: ' +
        'as a table on a terminal, else as records.',
    )
    .addOption(
      new Option(
        '-f, --format <format>',
        'write records in this format (default: by the name of --output, else ndjson in a pipe), e.g. csv',
      ).choices(formatNames(STREAM_FORMATS)),
    )
    .addOption(
      new Option(
        '--line <template>',
        "write each record by a template (default: none), e.g. '{name} {avg}{unit} {point} {age}'",
      ).conflicts('format'),
    )
    .option(
      '-o, --output <file>',
      'append records to a file, which may be rotated (SIGHUP opens it again); - is stdout (default: -), e.g. wind.ndjson',
    )
    .option('--interval <duration>', 'time between polls, 60s or more, e.g. 5m', '60s')
    .option('--count <n>', 'end after this many polls (default: never), e.g. 10')
    .option('--duration <duration>', 'end after this time (default: never), e.g. 2h')
    .option(
      '--max-failures <n>',
      'end with code 5 after this many failed polls in a row (default: never), e.g. 5',
    )
    .option('--no-history', 'do not request the last hour at the start')
    .option(
      '--when <condition>',
      "alarm: ring when a condition becomes true and when it becomes false (default: none), e.g. 'avg > 15kn'",
    )
    .addOption(
      new Option(
        '--until <condition>',
        "end when a condition is true (default: none), e.g. 'avg in 12..25kn and dir in SW..NW'",
      ).conflicts('when'),
    )
    .option(
      '--for <duration>',
      'time that the condition has to be true first (default: none), e.g. 10m',
    )
    .option(
      '--hysteresis <speed>',
      'how far past its bound a speed has to be before the condition is false again (default: not at all), e.g. 2kn',
    )
    .option(
      '--cooldown <duration>',
      'shortest time between two rings of the alarm (default: none), e.g. 1h',
    )
    .option('--events', 'write records of events only (default: of measurements too)')
    .option(
      '--exec <command>',
      'run a shell command at each event (default: none), e.g. \'notify-send "$VANE_NAME"\'',
    );
  addSelectionOptions(addPresentationOptions(command))
    .addHelpText(
      'after',
      `
On a terminal the table is redrawn in place, stations whose alarm holds first:
q quits, ? lists the keys. In a pipe, and with -f, --line or -o, each new measurement is written at once as a
record: ndjson, csv, txt, influx (line protocol), or a --line with the
placeholders
${fillLines(PLACEHOLDERS.map((name) => `{${name}}`))}.
With -o the terminal still shows the table. A failed poll is not retried before
the next poll, so --retries has no effect.

A condition compares avg max min (speeds), gust_factor (max / avg), dir (degrees
or points, N to NNW), age (45m), state (on off unknown), distance (km from --near)
and trend (change of the mean over the last hour, 5kn is 5 kn per hour) by < <= >
>= = !=, or with in: avg in 12..25kn, dir in SW..NW (clockwise). Join comparisons
with and, or, not, ( ).
A speed needs its unit: ${SPEED_UNIT_NAMES.join(' ')}.
Wind older than 45 minutes and the direction of calm air are unknown; an unknown
value rings no alarm and matches no --where.

A station is shown and recorded at the polls where --where holds. An alarm begins
only there, and ends anywhere.

An event is true, false or stale (no measurement for 45 minutes). Each event
rings the bell, writes a record, and runs --exec for at most 60 s, with the record
as json on stdin and in the environment (VANE_AGE in seconds):
${fillLines(RECORD_VARIABLES)}.

Examples:
  $ vane watch 110 603 --knots
  $ vane watch 110 --when 'avg in 12..25kn and max < 30kn and dir in SW..NW' \\
      --for 10m --hysteresis 2kn --exec 'mail -s "$VANE_NAME" me@example.org'
  $ vane watch all --where 'dir in SW..NW' --when 'avg > 20kn' --events -f csv
  $ vane watch 110 --until 'avg > 15kn' --duration 6h && echo go`,
    )
    .action(async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<WatchFlags>();
      const request = await readWatchRequest(stations, flags, readConfig(io), io);
      await perform(request, runWatch);
    });
};
