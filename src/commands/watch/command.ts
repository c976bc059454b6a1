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
