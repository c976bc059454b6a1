import { type Command, Option } from 'commander';
import { FIELDS } from '../../domain/condition/fields.ts';
import { SPEED_UNIT_NAMES } from '../../domain/units.ts';
import { readConfig } from '../../flags/config.ts';
import {
  addFormatShorthands,
  addPresentationOptions,
  addSelectionOptions,
} from '../../flags/options.ts';
import { formatNames, STREAM_FORMATS } from '../../formats/index.ts';
import { PLACEHOLDERS, RECORD_VARIABLES } from '../../formats/recordFields.ts';
import { addExamples, type DeclareCommand, STATIONS_ARGUMENT } from '../declaration.ts';
import { readWatchRequest, type WatchFlags } from './request.ts';
import { runWatch } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  const format = new Option(
    '-f, --format <format>',
    'format of records (default: by the name of --output, else ndjson in a pipe), e.g. csv',
  ).choices(formatNames(STREAM_FORMATS));
  addSelectionOptions(command)
    .argument(...STATIONS_ARGUMENT)
    .description('Polls stations each minute and shows new measurements, or writes records.')
    .optionsGroup('Output:');
  addFormatShorthands(command.addOption(format), 'ndjson')
    .addOption(
      new Option(
        '--line <template>',
        "write each record by a template (default: none), e.g. '{name} {avg}{unit} {point} {age}'",
      ).conflicts(['format', 'json', 'csv']),
    )
    .option(
      '-o, --output <file>',
      'add records to a file; SIGHUP reopens it; - is stdout (default: -), e.g. wind.ndjson',
    )
    .option(
      '--mqtt <address>',
      'publish at a broker (default: none), e.g. mqtts://vane@broker.example/wind',
    )
    .option('--mqtt-discovery [top]', 'let Home Assistant find the stations (default: no)')
    .optionsGroup('Requests:')
    .option('--interval <duration>', 'time between polls, 60s or more, e.g. 5m', '60s')
    .option('--count <n>', 'end after this many polls (default: never), e.g. 10')
    .option('--duration <duration>', 'end after this time (default: never), e.g. 2h')
    .option(
      '--max-failures <n>',
      'end with code 5 after this many failed polls in a row (default: never), e.g. 5',
    )
    .option('--no-history', 'do not request the last hour at the start')
    .optionsGroup('Alarms:')
    .option(
      '--when <condition>',
      "ring when a condition becomes true and when it ends (default: none), e.g. 'avg > 15kn'",
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
      'margin past its bound until a speed ends an alarm (default: none), e.g. 2kn',
    )
    .option(
      '--cooldown <duration>',
      'shortest time between two rings of the alarm (default: none), e.g. 1h',
    )
    .option('--events', 'write records of events only (default: of measurements too)')
    .option(
      '--exec <command>',
      'run a shell command at each event, unit in $VANE_UNIT (default: none), e.g. \'notify-send "$VANE_NAME"\'',
    )
    .option(
      '--post <address>',
      'post each event as json to an address or that in @file (default: none), e.g. https://ntfy.sh/wind',
    )
    .addOption(
      new Option('--post-each <what>', 'what to post (default: event), e.g. reading').choices([
        'event',
        'reading',
      ]),
    )
    .option(
      '--post-text <template>',
      "post a text, with the placeholders of --line (default: json), e.g. '{name} {avg} {unit}'",
    )
    .addOption(
      new Option(
        '--post-header <header>',
        "header of each post, or @file, one a line; repeatable, e.g. 'Title: {name}'",
      )
        .default([], 'none')
        .argParser((header: string, headers: readonly string[]) => [...headers, header]),
    );
  addPresentationOptions(command)
    .addHelpText(
      'after',
      `
Conditions: ${Object.keys(FIELDS).join(' ')}
Speeds need a unit: ${SPEED_UNIT_NAMES.join(' ')}. --exec follows --units, not vane config.`,
    )
    .action(async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<WatchFlags>();
      const request = readWatchRequest(stations, flags, readConfig(io), io);
      await perform(request, runWatch);
    });
  addExamples(
    command,
    'vane watch 110 603 --knots',
    "vane watch 110 --for 10m --when 'avg in 12..25kn and dir in SW..NW' \\\n" +
      '      --hysteresis 2kn --exec \'mail -s "$VANE_NAME" me@example.org\'',
    "vane watch 110 --until 'avg > 15kn' --duration 6h && echo go",
  );
};

/** The explanations of the command on the manual page, after its options. */
export const NOTES = `\
On a terminal the table is redrawn in place, stations whose alarm holds first: q quits, ? lists the
keys; Enter opens the station that up and down chose, / finds names and ids. The bars of the last
hour go from 0 to the highest mean of all stations. In a pipe, and with -f, --line or -o, each new
measurement is written at once as a record: ndjson, csv, txt, influx (line protocol), or a --line.
With --mqtt a pipe gets records only where -f, --line, -o or --events asks for them. With -o the
terminal still shows the table. A failed poll is not retried before the next poll, so --retries has
no effect. A watch without a single good poll, or with lost messages of --post or --mqtt, ends with
code 5.

CONDITIONS explains the conditions of --when, --until and --where. Wind older than 45 minutes and
the direction of calm air are unknown; an unknown value rings no alarm and matches no --where.

A station is shown and recorded at the polls where --where holds. An alarm begins only there, and
ends anywhere.

--for looks back into the last hour, which is requested at the start for at most ten stations: a
condition that has been true all this time is true at the first poll.

An event is true, false or stale (no measurement for 45 minutes). Each event rings the bell, writes
a record, and runs --exec for at most 60 s, with the record as json on stdin and in the environment
(VANE_AGE in seconds). Its speeds and dates follow --units and --tz, or $VANE_UNITS and $VANE_TZ,
never vane config; VANE_UNIT names the unit of the speeds. Output of the command goes to stderr; the
command waits while nobody reads it. An interrupted watch ends its commands by SIGTERM, and 2 s
later by SIGKILL.

--post sends each event, or with --post-each reading each reading instead, by HTTP POST: as json
with license and attribution, or as the text of --post-text. In --post-text and --post-header
{event} is a word: started, ended or no data. Where --post-header names the Content-Type
application/json or application/x-www-form-urlencoded, the values in the text are escaped for it. In
a header each value is cut at 200 characters, control characters become spaces, and text beyond
ASCII is written in encoded words (RFC 2047). Posts are sent in order, one after the other. After a broken connection,
5xx or 429 (with Retry-After) a post is tried again for ten minutes, then given up with a line on
stderr; other answers without success give it up at once, and no redirect is followed. Of more than
1000 posts that wait the oldest are dropped. A watch that ends, also by a signal, waits for its
posts for 10 s. Messages name only scheme and host of the address.

Other users of the machine can read the command line of a running program. Put the address of a
webhook into a file that only you can read, and name the file: --post @file. Put secret headers into
another file, one header per line as in --post-header: --post-header @file. vane reads both files
once, at the start; each has at most 64 KiB.

--mqtt publishes at a broker with QoS 1. With mqtt://vane@broker.example/wind the newest record of
station 110 is at wind/110/state as json; wind/110/availability is online, or offline without a
measurement of the last 45 minutes; wind/110/alarm is ON or OFF; wind/attribution has license and
attribution of the data as json. These are retained; events, at wind/110/event, are not.
wind/availability is offline once vane has ended, by its last will too, so each watch needs a prefix
of its own. While the broker is away, the newest message of each topic waits for it. A watch that
ends waits for acknowledgements, 10 s at most. An event whose acknowledgement was lost is sent
again, byte for byte the same. mqtts trusts the certificates of $NODE_EXTRA_CA_CERTS too.

--mqtt-discovery needs Home Assistant 2025.4 or later. Put it after the stations, since a word after
it is its prefix.

Placeholders of --line: ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}.
{wind} is the mean and the direction in words, such as 17 kn SW. {event}, {condition} and {since} are
empty for a measurement; {event} is true, false or stale, and {since} is a phrase such as right since
14:10, no longer right since 15:02 or no data since 13:20, in the zone of --tz.

Variables of --exec: ${RECORD_VARIABLES.join(' ')}.`;
