import type { Command } from 'commander';
import type { GlobalFlags } from '../../flags/options.ts';
import { readSize } from '../../flags/values.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { type CacheOptions, runCache } from './run.ts';

export const declareCommand: DeclareCommand = (group, { perform }) => {
  group.description(
    'Shows and clears the responses that vane keeps on disk: live data for 60 s, finished archive ' +
      'chunks (31 days) for good.',
  );
  const act = (task: CacheOptions['task']) => async (_: unknown, self: Command) => {
    const { maxSize, quiet } = self.optsWithGlobals<GlobalFlags & { maxSize?: string }>();
    const maxBytes = maxSize === undefined ? 0 : readSize('--max-size', maxSize);
    await perform({ task, maxBytes, isQuiet: quiet ?? false }, runCache);
  };
  group.command('path').description('Prints the folder of the cache.').action(act('path'));
  group
    .command('list')
    .description('Lists the cached responses, the least recently used first.')
    .action(act('list'));
  group
    .command('clear')
    .description('Removes all cached responses, or enough of them to reach a size.')
    .option(
      '--max-size <size>',
      'keep the most recently used, up to this size (default: keep nothing), e.g. 200MB',
    )
    .action(act('clear'));
  addExamples(
    group,
    'vane cache list',
    'vane cache clear --max-size 200MB',
    'VANE_CACHE_DIR=/tmp/wind vane cache path',
  );
};
