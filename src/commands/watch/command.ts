import { type Command, Option } from 'commander';
import { CONDITION_FIELDS } from '../../domain/condition/fields.ts';
import { SPEED_UNIT_NAMES } from '../../domain/units.ts';
import { readConfig } from '../../flags/config.ts';
import {
  addFormatShorthands,
  addPresentationOptions,
  addSelectionOptions,
} from '../../flags/options.ts';
import { wrapText } from '../../formats/fitText.ts';
import { formatNames, WATCH_RECORD_FORMATS } from '../../formats/index.ts';
import { addExamples, type DeclareCommand, STATIONS_ARGUMENT } from '../declaration.ts';
import { readWatchOptions, type WatchFlags } from './options.ts';
import { runWatch } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  const format = new Option(
    '-f, --format <format>',
    'format of records (default: by the extension of --output, else ndjson in a pipe), e.g. csv',
  ).choices(formatNames(WATCH_RECORD_FORMATS));
  addSelectionOptions(command)
    .argument(...STATIONS_ARGUMENT)
    .description('Polls stations every minute: shows a live table, writes records, sends alerts.')
    .optionsGroup('Output:');
  addFormatShorthands(command.addOption(format), 'ndjson')
    .addOption(
      new Option(
        '--line <template>',
        "write each record as a line of this template (default: none), e.g. '{name} {avg}{unit} {point} {age}'",
      ).conflicts(['format', 'json', 'csv']),
    )
    .option(
      '-o, --output <file>',
      'add records to this file; SIGHUP reopens it; - is stdout (default: -), e.g. wind.ndjson',
    )
    .option(
      '--mqtt <address>',
      'publish to this MQTT broker (default: none), e.g. mqtts://vane@broker.example/wind',
    )
    .option('--mqtt-discovery [top]', 'announce the stations to Home Assistant (default: no)')
    .optionsGroup('Requests:')
    .option('--interval <duration>', 'poll this often, at least 60s, e.g. 5m', '60s')
    .option('--count <n>', 'stop after this many polls (default: never), e.g. 10')
    .option('--duration <duration>', 'stop after this time (default: never), e.g. 2h')
    .option(
      '--max-failures <n>',
      'exit with code 5 after this many failed polls in a row (default: never), e.g. 5',
    )
    .option(
      '--no-history',
      'start without the readings of the past hour (default: request them, for up to 10 stations)',
    )
    .optionsGroup('Alerts:')
    .option(
      '--when <condition>',
      "alert when this condition becomes true and when it ends (default: each favourite's own), e.g. 'avg > 15kn'",
    )
    .addOption(
      new Option(
        '--until <condition>',
        "stop when this condition becomes true (default: none), e.g. 'avg in 12..25kn and dir in SW..NW'",
      ).conflicts('when'),
    )
    .option(
      '--for <duration>',
      'alert only after the condition was true for this long (default: at once), e.g. 10m',
    )
    .option(
      '--hysteresis <speed>',
      "end an alert only when the speed is this far past the bound: with 2kn, an alert of 'avg > 15kn' ends at 13kn (default: 0), e.g. 2kn",
    )
    .option(
      '--cooldown <duration>',
      'at least this time between two alerts (default: none), e.g. 1h',
    )
    .option('--events', 'write only events, no measurements (default: both)')
    .option(
      '--exec <command>',
      'run this shell command at each event, with $VANE_AVG, $VANE_UNIT and more (default: none), e.g. \'notify-send "$VANE_NAME"\'',
    )
    .option(
      '--post <address>',
      'post each event as json to this address, or the one in @file (default: none), e.g. https://ntfy.sh/wind',
    )
    .addOption(
      new Option(
        '--post-each <what>',
        'post events, or every reading (default: event), e.g. reading',
      ).choices(['event', 'reading']),
    )
    .option(
      '--post-text <template>',
      "post this text instead of json, with the placeholders of --line (default: json), e.g. '{name} {avg} {unit}'",
    )
    .addOption(
      new Option(
        '--post-header <header>',
        "add this header to each post, or those in @file, one per line; repeatable, e.g. 'Title: {name}'",
      )
        .default([], 'none')
        .argParser((header: string, headers: readonly string[]) => [...headers, header]),
    );
  addPresentationOptions(command)
    .addHelpText(
      'after',
      `
Conditions can use:
${wrapText(`${Object.keys(CONDITION_FIELDS).join(' ')}.`, 80).join('\n')}
Speeds need a unit: ${SPEED_UNIT_NAMES.join(' ')}.
--exec uses --units, not vane config.`,
    )
    .action(async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<WatchFlags>();
      const options = readWatchOptions(stations, flags, readConfig(io), io);
      await perform(options, runWatch);
    });
  addExamples(
    command,
    'vane watch 110 603 --knots',
    "vane watch 110 --for 10m --when 'avg in 12..25kn and dir in SW..NW' \\\n" +
      '      --hysteresis 2kn --exec \'mail -s "$VANE_NAME" me@example.org\'',
    "vane watch 110 --until 'avg > 15kn' --duration 6h && echo go",
  );
};
