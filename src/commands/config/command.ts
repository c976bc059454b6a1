import type { Command } from 'commander';
import { checkValue, readKey } from '../../flags/config.ts';
import { addUnitsOption, addZoneOption } from '../../flags/options.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { type ConfigFlags, type ConfigRequest, runConfig } from './run.ts';

export const declareCommand: DeclareCommand = (group, { perform }) => {
  group
    .description(
      'Shows and changes the values that hold where no flag says otherwise, and your favourites: ' +
        'names of your own for stations.',
    )
    .addHelpText(
      'after',
      `
Keys:
  base_url          address of the service, as with --base-url
  units             unit of speeds, as with --units
  tz                zone of times and dates, as with --tz
  favourites.NAME   a station: id, printed id, or address of its page;
                    vane live favourites shows all of them

A flag goes before the environment ($VANE_BASE_URL, $VANE_UNITS, $VANE_TZ), that
before the file, and the file before the default. units and tz of the file apply
to what people read: tables, pictures, screens, --line and --post-text. In csv,
json and other formats for programs, --mqtt and --exec, only flags and the
environment change units and times. The file is $VANE_CONFIG, else the one of
vane config path.`,
    );
  const act =
    (task: ConfigRequest['task']) =>
    async (...given: unknown[]) => {
      // commander calls an action with its arguments, its options and, last, the command.
      const self = given.at(-1) as Command;
      const [keyText, value] = self.args;
      const key = keyText === undefined ? undefined : readKey(keyText);
      if (key !== undefined && value !== undefined) checkValue(key, value);
      await perform({ task, key, value, flags: self.optsWithGlobals<ConfigFlags>() }, runConfig);
    };
  const key = ['<key>', 'units, tz, base_url or favourites.NAME'] as const;
  addZoneOption(addUnitsOption(group.command('list')))
    .description('Lists every key with its value and the source of the value.')
    .addHelpText('after', '\nExample:\n  $ vane config list')
    .action(act('list'));
  addZoneOption(addUnitsOption(group.command('get').argument(...key)))
    .description('Prints the value of a key, wherever it comes from.')
    .addHelpText('after', '\nExample:\n  $ vane config get favourites.home')
    .action(act('get'));
  group
    .command('set')
    .argument(...key)
    .argument('<value>', 'the new value, e.g. kn, Europe/Paris, PP603')
    .description('Sets a key in the file, which is made if there is none.')
    .addHelpText('after', '\nExample:\n  $ vane config set favourites.home 110')
    .action(act('set'));
  group
    .command('unset')
    .argument(...key)
    .description('Takes a key out of the file.')
    .addHelpText('after', '\nExample:\n  $ vane config unset favourites.home')
    .action(act('unset'));
  group.command('path').description('Prints where the file is.').action(act('path'));
  addExamples(
    group,
    'vane config set units kn',
    'vane config set favourites.home 110    and then: vane live home',
    'vane config list',
  );
};
