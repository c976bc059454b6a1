import { manualPage } from '../../completions/man.ts';
import { readTree } from '../../completions/tree.ts';
import { VERSION } from '../../version.ts';
import type { DeclareCommand } from '../shared/command.ts';

/** Prints the manual page. Hidden, since only the build calls it, to write completions/vane.1. */
export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command.action(async () => {
    await perform(program, async (root, io) => {
      io.stdout.write(manualPage(readTree(root), VERSION));
    });
  });
};
