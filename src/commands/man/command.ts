import { manualPage } from '../../completions/man.ts';
import { readTree } from '../../completions/tree.ts';
import { PLACEHOLDERS, RECORD_VARIABLES } from '../../formats/recordFields.ts';
import { writeNow } from '../../output/write.ts';
import { VERSION } from '../../version.ts';
import type { DeclareCommand } from '../shared/command.ts';

/** Text that the manual page adds to a command: its placeholders and environment variables. */
const LISTS = {
  'vane watch': `\
Placeholders of --line: ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}.

Variables of --exec: ${RECORD_VARIABLES.join(' ')}.`,
};

/** Prints the manual page. Hidden, since only the build calls it, to write completions/vane.1. */
export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command.action(async () => {
    await perform(program, async (root, io) => {
      await writeNow(io.stdout, manualPage(readTree(root), VERSION, LISTS));
    });
  });
};
