import { SHELLS, type Shell } from '../../completions/scripts.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { runScript, runWords } from './run.ts';

export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command
    .description('Prints a script that makes a shell complete commands, options and stations.')
    .usage('[options] <shell>')
    .addArgument(program.createArgument('<shell>', 'shell that reads the script').choices(SHELLS))
    .addHelpText(
      'after',
      `
Stations come from the list that vane live all last saved in the cache on disk.
Completion sends no request.

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
