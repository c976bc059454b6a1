import type { Command } from 'commander';
import { checkConfigValue, readConfigKey } from '../../flags/config.ts';
import { addUnitsOption, addZoneOption } from '../../flags/options.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { type ConfigFlags, type ConfigOptions, runConfig } from './run.ts';

export const declareCommand: DeclareCommand = (group, { perform }) => {
  group
    .description('Shows and changes your defaults, and your favourites: short names for stations.')
    .addHelpText(
      'after',
      `
Keys:
  base_url              address of the service, as with --base-url
  units                 unit of speeds, as with --units
  tz                    time zone of times and dates, as with --tz
  favourites.NAME       a station: its id, or the address of its page
  favourites.NAME.when  the condition of good wind there, as with watch --when

vane live favourites shows all your favourites, and where the wind is good.
vane watch favourites alerts by the condition of each favourite.

Precedence: option, environment variable ($VANE_BASE_URL, $VANE_UNITS or
$VANE_TZ), config file, built-in default. The config file's units and tz affect
only what people read: tables, pictures, screens, --line and --post-text. They
never change csv, json, --exec or MQTT. $VANE_CONFIG sets the path of the config
file; vane config path prints it.`,
    );
  const act =
    (task: ConfigOptions['task']) =>
    async (...given: unknown[]) => {
      // commander calls an action with its arguments, its options and, last, the command.
      const self = given.at(-1) as Command;
      const [keyText, value] = self.args;
      const key = keyText === undefined ? undefined : readConfigKey(keyText);
      if (key !== undefined && value !== undefined) checkConfigValue(key, value);
      await perform({ task, key, value, flags: self.optsWithGlobals<ConfigFlags>() }, runConfig);
    };
  const key = ['<key>', 'units, tz, base_url, favourites.NAME or favourites.NAME.when'] as const;
  addZoneOption(addUnitsOption(group.command('list')))
    .description('Lists every key with its value and where the value comes from.')
    .addHelpText('after', '\nExample:\n  $ vane config list')
    .action(act('list'));
  addZoneOption(addUnitsOption(group.command('get').argument(...key)))
    .description('Prints the value of a key.')
    .addHelpText('after', '\nExample:\n  $ vane config get favourites.home')
    .action(act('get'));
  group
    .command('set')
    .argument(...key)
    .argument('<value>', "the new value, e.g. kn, Europe/Paris, PP603, 'avg > 15kn'")
    .description('Sets a key in the config file, and creates the file if needed.')
    .addHelpText('after', '\nExample:\n  $ vane config set favourites.home 110')
    .action(act('set'));
  group
    .command('unset')
    .argument(...key)
    .description('Removes a key from the config file.')
    .addHelpText('after', '\nExample:\n  $ vane config unset favourites.home')
    .action(act('unset'));
  group.command('path').description('Prints the path of the config file.').action(act('path'));
  addExamples(
    group,
    'vane config set units kn',
    'vane config set favourites.home 110    # then: vane live home',
    "vane config set favourites.home.when 'avg > 12kn and dir in SW..NW'",
  );
};
