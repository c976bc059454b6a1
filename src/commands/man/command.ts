import type { DeclareCommand } from '../shared/command.ts';

/** Writes completions/vane.1; people do not type it. */
export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command.action(async () => {
    const [{ readTreeRequest }, { runTree }] = await Promise.all([
      import('../completion/request.ts'),
      import('../completion/run.ts'),
    ]);
    await perform(readTreeRequest('man', program), runTree);
  });
};
