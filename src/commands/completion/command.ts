import { SHELLS, type Shell } from '../../completions/scripts.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { runCompletionScript, runCompletionWords } from './run.ts';

export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command
    .description('Prints a script that makes a shell complete commands, options and stations.')
    .usage('[options] <shell>')
    .addArgument(program.createArgument('<shell>', 'shell that reads the script').choices(SHELLS))
    .addHelpText(
      'after',
      `
Completion sends no requests. It knows the stations from the last run of
vane live all, which keeps their list in the cache on disk.

For PowerShell, put this line into $PROFILE:
  vane completion powershell | Out-String | Invoke-Expression`,
    );
  addExamples(
    command,
    'eval "$(vane completion bash)"    # put this line into ~/.bashrc',
    'eval "$(vane completion zsh)"     # into ~/.zshrc, after compinit',
    'vane completion fish > ~/.config/fish/completions/vane.fish',
  );
  command.action(async (shell: Shell) => {
    await perform(shell, runCompletionScript);
  });
  // Hidden, since only the completion scripts call this command.
  command
    .command('words [typed...]', { hidden: true })
    .option('--line')
    .action(async (typed: string[], { line }: { line?: true }) => {
      await perform({ program, typed, isLine: line ?? false }, runCompletionWords);
    });
};
