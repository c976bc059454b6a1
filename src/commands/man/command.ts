import { manualPage } from '../../completions/man.ts';
import { readTree } from '../../completions/tree.ts';
import { writeNow } from '../../output/write.ts';
import { VERSION } from '../../version.ts';
import { NOTES as archive } from '../archive/manual.ts';
import { NOTES as cache } from '../cache/manual.ts';
import type { DeclareCommand } from '../declaration.ts';
import { NOTES as live } from '../live/manual.ts';
import { NOTES as plot } from '../plot/manual.ts';
import { NOTES as serve } from '../serve/manual.ts';
import { NOTES as stats } from '../stats/manual.ts';
import { NOTES as watch } from '../watch/manual.ts';

/** The notes of each command that has some, from its `manual.ts`. */
export const NOTES = {
  'vane archive': archive,
  'vane cache': cache,
  'vane live': live,
  'vane plot': plot,
  'vane serve': serve,
  'vane stats': stats,
  'vane watch': watch,
};

/** Prints the manual page. Hidden, since only the build calls it, to write completions/vane.1. */
export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command.action(async () => {
    await perform(program, async (root, io) => {
      await writeNow(io.stdout, manualPage(readTree(root), VERSION, NOTES));
    });
  });
};
