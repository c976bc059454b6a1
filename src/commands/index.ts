import type { CommandModule } from './declaration.ts';

export interface CommandEntry {
  /** The command's description in the list of commands. */
  readonly summary: string;
  /** The command's arguments and options, shown after its name in the list of commands. */
  readonly usage?: string;
  readonly load: () => Promise<CommandModule>;
}

const STATIONS_USAGE = '[options] [stations...]';

/** vane's commands by name, each loaded from the folder of its name; `vane --help` loads none. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  live: {
    summary: 'latest measurements',
    usage: STATIONS_USAGE,
    load: () => import('./live/command.ts'),
  },
  meta: {
    summary: 'descriptions, pictures, votes and dates',
    usage: STATIONS_USAGE,
    load: () => import('./meta/command.ts'),
  },
  archive: {
    summary: 'history over any period',
    usage: STATIONS_USAGE,
    load: () => import('./archive/command.ts'),
  },
  stats: {
    summary: 'what the wind was like over any period',
    usage: STATIONS_USAGE,
    load: () => import('./stats/command.ts'),
  },
  check: {
    summary: 'whether stations can be trusted: faults in their history',
    usage: STATIONS_USAGE,
    load: () => import('./check/command.ts'),
  },
  plot: {
    summary: 'pictures of the wind',
    usage: STATIONS_USAGE,
    load: () => import('./plot/command.ts'),
  },
  watch: {
    summary: 'the wind as it changes, and alarms',
    usage: STATIONS_USAGE,
    load: () => import('./watch/command.ts'),
  },
  serve: {
    summary: 'a station service, or the cache in front of one',
    usage: '[options]',
    load: () => import('./serve/command.ts'),
  },
  cache: { summary: 'the cache of answers', load: () => import('./cache/command.ts') },
  completion: {
    summary: 'completions for a shell',
    usage: '<shell>',
    load: () => import('./completion/command.ts'),
  },
  config: {
    summary: 'your default values, and names for stations',
    load: () => import('./config/command.ts'),
  },
  man: { summary: 'show the manual page', load: () => import('./man/command.ts') },
};
