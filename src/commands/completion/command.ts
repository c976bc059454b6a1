import { SHELLS, type Shell } from '../../completions/shells.ts';
import type { DeclareCommand } from '../shared/command.ts';

export const declareCommand: DeclareCommand = (command, { program, perform }) => {
  command
    .description('Prints a script that makes a shell complete what is typed after vane.')
    .usage('[options] <shell>')
    .addArgument(program.createArgument('<shell>', 'shell to write for').choices(SHELLS))
    .addHelpText(
      'after',
      `
Ids of stations complete with their names from the last list of all stations
that is kept on disk (vane live); no request is sent for them.

bash, in ~/.bashrc:
  eval "$(vane completion bash)"
zsh, in ~/.zshrc, after compinit:
  eval "$(vane completion zsh)"
fish:
  vane completion fish > ~/.config/fish/completions/vane.fish
powershell, in $PROFILE:
  vane completion powershell | Out-String | Invoke-Expression`,
    );
  command.action(async (shell: Shell) => {
    const [{ readTreeRequest }, { runTree }] = await Promise.all([
      import('./request.ts'),
      import('./run.ts'),
    ]);
    await perform(readTreeRequest(shell, program), runTree);
  });
  // The completion scripts call it at each Tab; people do not type it.
  command.command('stations', { hidden: true }).action(async () => {
    const { runKnownStations } = await import('./stations.ts');
    await perform(undefined, runKnownStations);
  });
};
