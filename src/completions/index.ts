import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { powershellCompletion } from './powershell.ts';
import type { Shell } from './shells.ts';
import type { CommandNode } from './tree.ts';
import { zshCompletion } from './zsh.ts';

const GENERATORS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} satisfies Record<Shell, (root: CommandNode) => string>;

/** The script that makes a shell complete the commands of a tree. */
export function completionScript(shell: Shell, root: CommandNode): string {
  return GENERATORS[shell](root);
}
