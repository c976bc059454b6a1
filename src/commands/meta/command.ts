import { addStationsOptions } from '../live/command.ts';
import type { DeclareCommand } from '../shared/command.ts';

export const declareCommand: DeclareCommand = (command, tools) => {
  addStationsOptions(command, true, tools)
    .description('Shows the metadata of stations: one station as a card, several as a table.')
    .addHelpText(
      'after',
      `
Examples:
  $ vane meta 110
  $ vane meta --name "col du"
  $ vane meta all -o stations.geojson`,
    );
};
