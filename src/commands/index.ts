import type { CommandModule } from './declaration.ts';

interface CommandEntry {
  /** The command's description in the list of commands. */
  readonly summary: string;
  /** The arguments and options, shown after the command's name in the list of commands. */
  readonly usage?: string;
  readonly load: () => Promise<CommandModule>;
}

const STATIONS_USAGE = '[options] [stations...]';

/**
 * vane's commands by name. Each is loaded from the folder of that name; `vane --help` loads none.
 */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  live: {
    summary: 'show the latest measurements',
    usage: STATIONS_USAGE,
    load: () => import('./live/command.ts'),
  },
  meta: {
    summary: 'show descriptions, pictures, votes and dates',
    usage: STATIONS_USAGE,
    load: () => import('./meta/command.ts'),
  },
  archive: {
    summary: 'export the history of any period',
    usage: STATIONS_USAGE,
    load: () => import('./archive/command.ts'),
  },
  stats: {
    summary: 'compute statistics of any period',
    usage: STATIONS_USAGE,
    load: () => import('./stats/command.ts'),
  },
  check: {
    summary: 'find faults in the history of stations',
    usage: STATIONS_USAGE,
    load: () => import('./check/command.ts'),
  },
  plot: {
    summary: 'draw charts of the wind',
    usage: STATIONS_USAGE,
    load: () => import('./plot/command.ts'),
  },
  watch: {
    summary: 'show the wind as it changes, and send alerts',
    usage: STATIONS_USAGE,
    load: () => import('./watch/command.ts'),
  },
  serve: {
    summary: 'run a caching server, or a simulated network',
    usage: '[options]',
    load: () => import('./serve/command.ts'),
  },
  cache: { summary: 'show or clear the cache on disk', load: () => import('./cache/command.ts') },
  completion: {
    summary: 'print completions for a shell',
    usage: '<shell>',
    load: () => import('./completion/command.ts'),
  },
  config: {
    summary: 'set your defaults and your favourite stations',
    load: () => import('./config/command.ts'),
  },
  man: { summary: 'show the manual page', load: () => import('./man/command.ts') },
};
