import { writeNow } from '../../output/write.ts';
import { VERSION } from '../../version.ts';
import type { DeclareCommand } from '../declaration.ts';
import { manualPage } from './manualPage.ts';

/** Prints the manual page. Hidden, since only the build calls it, to write completions/vane.1. */
export const declareCommand: DeclareCommand = (command, { program, perform, notes }) => {
  command.action(async () => {
    await perform(program, async (root, io) => {
      await writeNow(io.stdout, manualPage(root, VERSION, notes));
    });
  });
};
