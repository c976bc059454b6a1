import { addExamples, type DeclareCommand } from '../declaration.ts';
import { addStationsOptions } from '../live/command.ts';

export const declareCommand: DeclareCommand = (command, tools) => {
  addExamples(
    addStationsOptions(command, true, tools).description(
      'Shows the metadata of stations: a card for one station, a table for several.',
    ),
    'vane meta 110',
    'vane meta --name "col du"',
    'vane meta all -o stations.geojson',
  );
};
