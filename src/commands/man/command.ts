import { runTree } from '../completion/run.ts';
import type { DeclareCommand } from '../shared/command.ts';

/** Prints the manual page. Hidden, since only the build calls it, to write completions/vane.1. */
export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command.action(async () => {
    await perform({ what: 'man', program }, runTree);
  });
};
