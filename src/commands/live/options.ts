import type { Command } from 'commander';
import { formatNames, STATION_FORMATS } from '../../formats/index.ts';
import { type CommandTools, STATIONS_ARGUMENT } from '../shared/command.ts';
import { readConfig } from '../shared/config/file.ts';
import { addOutputOptions, addSelectionOptions } from '../shared/options.ts';
import type { LiveFlags } from './request.ts';

/** Adds the arguments, options and action that `live` and `meta` share. */
export function addStationsOptions(
  command: Command,
  withMeta: boolean,
  { io, perform }: Pick<CommandTools, 'io' | 'perform'>,
): Command {
  command.argument(...STATIONS_ARGUMENT);
  return addOutputOptions(addSelectionOptions(command), formatNames(STATION_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const [{ readLiveRequest }, { runLive }, config] = await Promise.all([
        import('./request.ts'),
        import('./run.ts'),
        readConfig(io),
      ]);
      const flags = self.optsWithGlobals<LiveFlags>();
      await perform(readLiveRequest(stations, flags, withMeta, config, io), runLive);
    },
  );
}
