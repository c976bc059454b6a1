import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import { addOutputOptions, addSelectionOptions } from '../../flags/options.ts';
import { formatNames, STATION_FORMATS } from '../../formats/index.ts';
import { addExamples, type CommandContext, type DeclareCommand } from '../declaration.ts';
import { type LiveFlags, readLiveOptions } from './options.ts';
import { runLive } from './run.ts';

export const declareCommand: DeclareCommand = (command, tools) => {
  addExamples(
    addStationsOptions(command, false, tools)
      .description('Shows the latest measurements of stations, with one request for all of them.')
      .optionsGroup('Output:')
      .addOption(
        new Option(
          '--line <template>',
          "write each station as a line of this template, with the placeholders of watch --line (default: a table), e.g. '{name} {wind}'",
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
  { io, perform }: CommandContext,
): Command {
  command.argument(
    '[stations...]',
    'ids, page addresses or favourites; other words search names (default: all stations)',
  );
  return addOutputOptions(addSelectionOptions(command), formatNames(STATION_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<LiveFlags>();
      const options = readLiveOptions(stations, flags, withMeta, readConfig(io), io);
      await perform(options, runLive);
    },
  );
}
