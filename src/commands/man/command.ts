import type { DeclareCommand } from '../declaration.ts';
import { runMan } from './run.ts';

export const declareCommand: DeclareCommand = (command, { perform }) => {
  command
    .description('Shows the manual page on a terminal, and prints its source in a pipe.')
    .action(async () => {
      await perform({}, runMan);
    });
};
