import { chmod } from 'node:fs/promises';
import { hideAddressCredentials, printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { configPath, formatConfig, readConfig } from '../../flags/config.ts';
import {
  describeFavourites,
  favouriteConditionKey,
  favouriteStationKey,
  findFavourite,
  splitFavouriteKey,
} from '../../flags/favourites.ts';
import type { GlobalFlags, PresentationFlags } from '../../flags/options.ts';
import {
  type Config,
  EMPTY_CONFIG,
  findSetting,
  isSettingKey,
  SETTING_KEYS,
  type Setting,
} from '../../flags/settings.ts';
import { drawTable } from '../../formats/textTable.ts';
import type { Io } from '../../io.ts';
import { statIfThere } from '../../output/file.ts';
import { lockFiles } from '../../output/lockFiles.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { writeOutput, writeToStream } from '../../output/write.ts';

export type ConfigFlags = GlobalFlags & PresentationFlags;

export interface ConfigOptions {
  readonly task: 'list' | 'get' | 'set' | 'unset' | 'path';
  /** The configuration key to show or change; undefined for `list` and `path`. */
  readonly key: string | undefined;
  /** The new value for the task `set`; undefined for other tasks. */
  readonly value: string | undefined;
  readonly flags: ConfigFlags;
}

export async function runConfig(options: ConfigOptions, io: Io): Promise<void> {
  const { task, flags } = options;
  const key = options.key as string;
  const path = configPath(io);
  const reporter = createReporter(io, { isQuiet: flags.quiet ?? false, isVerbose: false });
  if (task === 'list') return list(flags, path, reporter, io);
  if (task === 'get') {
    const { value } = settingOf(key, flags, readConfig(io), io);
    return writeToStream(io.stdout, `${printable(value)}\n`);
  }
  if (path === undefined) {
    throw new UsageError(
      'Cannot tell where the config file is: set VANE_CONFIG, XDG_CONFIG_HOME or HOME.',
    );
  }
  if (task === 'path') return writeToStream(io.stdout, `${path}\n`);
  await change(key, options.value, path, reporter, io);
}

async function list(
  flags: ConfigFlags,
  path: string | undefined,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const config = readConfig(io);
  const rows = [...new Set<string>([...SETTING_KEYS, ...config.keys()])].map((key) => {
    const { value, from, by } = settingOf(key, flags, config, io);
    const isNamed = from === 'flag' || from === 'environment';
    const isForPeople = from === 'file' && (key === 'units' || key === 'tz');
    const origin = isNamed ? `${from} ${by}` : from;
    return [key, printable(value), origin + (isForPeople ? ', for people' : '')];
  });
  await writeToStream(io.stdout, `${drawTable([['key', 'value', 'from'], ...rows]).join('\n')}\n`);
  if (path === undefined) return;
  const isThere = await statIfThere(path);
  reporter.note(isThere ? `The file is ${path}.` : `There is no file ${path} yet.`);
}

/** The value of a key and its source, as `vane config` shows them. */
function settingOf(key: string, flags: ConfigFlags, config: Config, io: Io): Setting {
  if (!isSettingKey(key)) {
    const value = config.get(key);
    if (value !== undefined) return { value, from: 'file', by: key };
    const { name } = splitFavouriteKey(key);
    throw new UsageError(
      findFavourite(config, name)
        ? `The favourite ${name} has no condition. Set one: vane config set ${key} 'avg > 15kn'.`
        : `There is no favourite ${name} (${describeFavourites(config)}).`,
    );
  }
  if (key !== 'base_url') return findSetting(key, flags, config, io);
  if (flags.demo) return { value: 'simulated network', from: 'flag', by: '--demo' };
  // Hide passwords: --base-url and the environment may contain one, although other commands refuse
  // it.
  const setting = findSetting(key, flags, config, io);
  return { ...setting, value: hideAddressCredentials(setting.value) };
}

async function change(
  key: string,
  value: string | undefined,
  path: string,
  { note }: Reporter,
  io: Io,
): Promise<void> {
  if (value === undefined && !readToChange(io).has(key)) {
    note(`${key} was not set in ${path}.`);
    return;
  }
  if ((await statIfThere(path))?.isCharacterDevice()) {
    throw new UsageError(
      `${path} cannot store anything. Set VANE_CONFIG to the path of a file, or unset it.`,
    );
  }
  const onWait = () => note(`Another vane process is changing ${path}; waiting for it to finish.`);
  await using locks = await lockFiles([path], { io, onWait });
  // Read the file while holding the lock, so that no change of another process is lost.
  const config = new Map(readToChange(io));
  const removed = value === undefined ? remove(key, config) : key;
  if (value !== undefined) put(key, value, config);
  locks.check(path);
  const isNew = (await statIfThere(path)) === undefined;
  await writeOutput([formatConfig(config)], { path, isGzip: false }, io);
  // The umask may allow others to write the file, and vane would then refuse it: set the mode.
  if (isNew) await chmod(path, 0o600);
  note(
    value === undefined
      ? `Removed ${removed} from ${path}.`
      : `${key} is now ${value}, in ${path}.`,
  );
  if (!isSettingKey(key)) return;
  const { from, by } = findSetting(key, {}, EMPTY_CONFIG, io);
  if (from === 'environment') note(`${by} is set and takes precedence over ${key}.`);
}

/**
 * Sets a configuration key.
 * @throws UsageError for the condition of a favourite that has no station
 */
function put(key: string, value: string, config: Map<string, string>): void {
  const { name, isCondition } = splitFavouriteKey(key);
  if (isCondition && !config.has(favouriteStationKey(name))) {
    throw new UsageError(
      `There is no favourite ${name}. Set its station first: vane config set ${favouriteStationKey(name)} 110.`,
    );
  }
  config.set(key, value);
}

/**
 * Removes a configuration key. Removing a favourite's station also removes its condition.
 * @returns what was removed
 */
function remove(key: string, config: Map<string, string>): string {
  config.delete(key);
  const { name, isCondition } = splitFavouriteKey(key);
  const hadCondition = !isCondition && config.delete(favouriteConditionKey(name));
  return hadCondition ? `${key} and its condition` : key;
}

/**
 * Reads the configuration file before a change. Throws if the file cannot be read: replacing it
 * might lose favourites.
 */
function readToChange(io: Io): Config {
  try {
    return readConfig(io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} Nothing was written. Correct or remove the file first.`);
  }
}
