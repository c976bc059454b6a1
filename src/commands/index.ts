import type * as Everyday from './bundleEveryday.ts';
import type * as History from './bundleHistory.ts';
import type { DeclareCommand } from './declaration.ts';

export interface CommandEntry {
  /** The command's description in the list of commands; an empty text hides the command there. */
  readonly summary: string;
  /** The command's arguments and options, shown after its name in the list of commands. */
  readonly usage?: string;
  readonly load: () => Promise<DeclareCommand>;
}

const STATIONS_USAGE = '[options] [stations...]';

const everyday = (name: keyof typeof Everyday) => async () =>
  (await import('./bundleEveryday.ts'))[name];

const history = (name: keyof typeof History) => async () =>
  (await import('./bundleHistory.ts'))[name];

/** vane's commands by name, each loaded from the folder of its name; `vane --help` loads none. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  live: { summary: 'latest measurements', usage: STATIONS_USAGE, load: everyday('live') },
  meta: {
    summary: 'descriptions, pictures, votes and dates',
    usage: STATIONS_USAGE,
    load: everyday('meta'),
  },
  archive: {
    summary: 'history over any period',
    usage: STATIONS_USAGE,
    load: history('archive'),
  },
  stats: {
    summary: 'what the wind was like over any period',
    usage: STATIONS_USAGE,
    load: history('stats'),
  },
  plot: {
    summary: 'pictures of the wind',
    usage: STATIONS_USAGE,
    load: history('plot'),
  },
  watch: {
    summary: 'the wind as it changes, and alarms',
    usage: STATIONS_USAGE,
    load: async () => (await import('./watch/command.ts')).declareCommand,
  },
  serve: {
    summary: 'a station service, or the cache in front of one',
    usage: '[options]',
    load: async () => (await import('./serve/command.ts')).declareCommand,
  },
  cache: { summary: 'the cache of answers', load: everyday('cache') },
  completion: {
    summary: 'completions for a shell',
    usage: '<shell>',
    load: everyday('completion'),
  },
  config: { summary: 'your default values, and names for stations', load: everyday('config') },
  man: { summary: '', load: async () => (await import('./man/command.ts')).declareCommand },
};
