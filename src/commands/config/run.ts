import { dirname } from 'node:path';
import { hideUser, printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawTable } from '../../formats/columns.ts';
import type { Io } from '../../io.ts';
import { makeOutputFolder, statIfThere } from '../../output/file.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { writeOutput } from '../../output/write.ts';
import { describeFavourites } from '../shared/config/favourites.ts';
import { configPath, readConfig } from '../shared/config/file.ts';
import {
  changeConfig,
  formatConfig,
  type Key,
  nameOf,
  PLAIN_KEYS,
} from '../shared/config/parse.ts';
import {
  type Config,
  findBaseUrl,
  findUnits,
  findZone,
  type Setting,
} from '../shared/config/settings.ts';
import type { ConfigFlags, ConfigRequest } from './request.ts';

/** Shows or changes the user's configuration file. */
export async function runConfig(request: ConfigRequest, io: Io): Promise<void> {
  const { task, key, flags } = request;
  const path = await configPath(io);
  const reporter = createReporter(io, { isQuiet: flags.quiet ?? false, isVerbose: false });
  if (task === 'list') return list(flags, path, reporter, io);
  if (task === 'get') return get(key as Key, flags, io);
  if (path === undefined) {
    throw new UsageError(
      'The configuration file has no place: none of VANE_CONFIG, XDG_CONFIG_HOME and HOME is set.',
    );
  }
  if (task === 'path') io.stdout.write(`${path}\n`);
  else await change(key as Key, request.value, path, reporter, io);
}

async function list(
  flags: ConfigFlags,
  path: string | undefined,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const settings = settingsOf(flags, io.env, await readConfig(io));
  const lines = drawTable([
    ['key', 'value', 'from'],
    ...settings.map(([key, setting]) => [key, printable(setting.value), describeOrigin(setting)]),
  ]);
  io.stdout.write(`${lines.join('\n')}\n`);
  if (path !== undefined) reporter.note(await describeFile(path));
}

function settingsOf(flags: ConfigFlags, env: Io['env'], config: Config): [string, Setting][] {
  const favourites = [...config.favourites].map(([favourite, value]): [string, Setting] => {
    const name = nameOf({ favourite });
    return [name, { value, from: 'file', by: name }];
  });
  return [
    ...PLAIN_KEYS.map((key): [string, Setting] => [key, findPlain[key](flags, env, config)]),
    ...favourites,
  ];
}

// Commands refuse an address that holds a password, but the variable or the file may hold one.
const showAddress = (setting: Setting): Setting => ({ ...setting, value: hideUser(setting.value) });

const findPlain = {
  base_url: (flags, env, config) =>
    flags.demo
      ? { value: 'simulated network', from: 'flag', by: '--demo' }
      : showAddress(findBaseUrl(flags, env, config)),
  units: (flags, _, config) => findUnits(flags, config),
  tz: (flags, _, config) => findZone(flags, config),
} as const satisfies Record<
  Key & string,
  (flags: ConfigFlags, env: Io['env'], config: Config) => Setting
>;

function describeOrigin({ from, by }: Setting): string {
  return from === 'flag' || from === 'environment' ? `${from} ${by}` : from;
}

async function describeFile(path: string): Promise<string> {
  return (await statIfThere(path)) ? `The file is ${path}.` : `There is no file ${path} yet.`;
}

async function get(key: Key, flags: ConfigFlags, io: Io): Promise<void> {
  const config = await readConfig(io);
  io.stdout.write(`${printable(findValue(key, flags, io.env, config))}\n`);
}

function findValue(key: Key, flags: ConfigFlags, env: Io['env'], config: Config): string {
  if (typeof key === 'string') return findPlain[key](flags, env, config).value;
  const station = config.favourites.get(key.favourite);
  if (station !== undefined) return station;
  throw new UsageError(
    `There is no favourite ${key.favourite} (${describeFavourites(config.favourites)}).`,
  );
}

async function change(
  key: Key,
  value: string | undefined,
  path: string,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const before = await readToChange(io);
  const name = nameOf(key);
  if (value === undefined && !isSet(key, before)) {
    reporter.note(`${name} was not set in ${path}.`);
    return;
  }
  makeOutputFolder(dirname(path));
  const text = formatConfig(changeConfig(before, key, value));
  await writeOutput([text], { path, isGzip: false }, io);
  reporter.note(
    value === undefined ? `Removed ${name} from ${path}.` : `${name} is ${value} now, in ${path}.`,
  );
  if (key === 'base_url' && io.env.VANE_BASE_URL) {
    reporter.note('VANE_BASE_URL is set and takes precedence over base_url.');
  }
}

/** Refuses to overwrite a file that cannot be read: it may hold the user's favourites. */
async function readToChange(io: Io): Promise<Config> {
  try {
    return await readConfig(io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} Nothing was written; correct or remove the file first.`);
  }
}

function isSet(key: Key, config: Config): boolean {
  return typeof key === 'string' ? config[key] !== undefined : config.favourites.has(key.favourite);
}
