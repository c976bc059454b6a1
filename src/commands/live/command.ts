import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import { addOutputOptions, addSelectionOptions } from '../../flags/options.ts';
import { formatNames, STATION_FORMATS } from '../../formats/index.ts';
import { addExamples, type CommandTools, type DeclareCommand } from '../declaration.ts';
import { type LiveFlags, readLiveRequest } from './request.ts';
import { runLive } from './run.ts';

export const declareCommand: DeclareCommand = (command, tools) => {
  addExamples(
    addStationsOptions(command, false, tools)
      .description('Shows the latest measurements of stations, all in one request.')
      .optionsGroup('Output:')
      .addOption(
        new Option(
          '--line <template>',
          "write each station by a template of watch --line (default: none), e.g. '{name} {wind}'",
        ).conflicts(['format', 'json', 'csv']),
      ),
    'vane live 110',
    "vane live --where 'avg in 15..25kn and dir in SW..NW' --near 48,-4.7",
    'vane live all --sort gust --limit 10 -f csv',
  );
};

/** Adds the arguments, options and action that `live` and `meta` share. */
export function addStationsOptions(
  command: Command,
  withMeta: boolean,
  { io, perform }: CommandTools,
): Command {
  command.argument(
    '[stations...]',
    'ids, page addresses or favourites; other words search names; none means all',
  );
  return addOutputOptions(addSelectionOptions(command), formatNames(STATION_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<LiveFlags>();
      const request = readLiveRequest(stations, flags, withMeta, readConfig(io), io);
      await perform(request, runLive);
    },
  );
}

/** The explanations of the command on the manual page, after its options. */
export const NOTES = `\
The table shows mean (avg), gust and lull of the 4 minutes before the measurement, and the direction
that the wind comes from; the arrow points where the wind blows to. The age is the time since the
measurement: s, min, h, d, y. A measurement older than 45 minutes is marked old and dimmed. A mean
under 1 km/h is calm and has no direction. – is a value that the station did not send. Signal is the
radio's signal-to-noise ratio: red below 10 dB, green above 20. Speeds are coloured by Beaufort
force: cyan 0–3, green 4–5, yellow 6–7, red 8–9, magenta 10–12.

--line writes a line for each station, with the placeholders of watch --line. {trend} is – here, and
{event}, {condition} and {since} are empty. In tmux and in waybar:

  set -g status-right "#(vane live 110 --line '{name} {wind}')"
  "exec": "vane live 110 --line '{wind}'", "interval": 60`;
