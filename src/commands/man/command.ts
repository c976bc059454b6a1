import type { DeclareCommand } from '../shared/command.ts';

/** Prints the manual page. Hidden, since only the build calls it, to write completions/vane.1. */
export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command.action(async () => {
    const [{ readTreeRequest }, { runTree }] = await Promise.all([
      import('../completion/request.ts'),
      import('../completion/run.ts'),
    ]);
    await perform(readTreeRequest('man', program), runTree);
  });
};
