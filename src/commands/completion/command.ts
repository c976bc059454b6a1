import { SHELLS, type Shell } from '../../completions/scripts.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { runScript, runWords } from './run.ts';

export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command
    .description('Prints a script that lets a shell complete commands, options and stations.')
    .usage('[options] <shell>')
    .addArgument(program.createArgument('<shell>', 'shell of the script').choices(SHELLS))
    .addHelpText(
      'after',
      `
Station ids are completed, with names, from the list that the last vane live of
all stations has cached on disk. Completion sends no request.

powershell, in $PROFILE:
  vane completion powershell | Out-String | Invoke-Expression`,
    );
  addExamples(
    command,
    'eval "$(vane completion bash)"    in ~/.bashrc',
    'eval "$(vane completion zsh)"     in ~/.zshrc, after compinit',
    'vane completion fish > ~/.config/fish/completions/vane.fish',
  );
  command.action(async (shell: Shell) => {
    await perform(shell, runScript);
  });
  // Hidden, since only the completion scripts call this command.
  command
    .command('words [typed...]', { hidden: true })
    .option('--line')
    .action(async (typed: string[], { line }: { line?: true }) => {
      await perform({ program, typed, isLine: line ?? false }, runWords);
    });
};
