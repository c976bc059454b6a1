import { completionScript } from '../../completions/index.ts';
import { manualPage } from '../../completions/man.ts';
import type { Shell } from '../../completions/shells.ts';
import type { CommandNode } from '../../completions/tree.ts';
import type { Io } from '../../io.ts';
import { VERSION } from '../../version.ts';

/** The request of `vane completion` and `vane man`. */
export interface TreeRequest {
  readonly what: Shell | 'man';
  readonly tree: CommandNode;
}

/** Prints a completion script, or the manual page. */
export async function runTree({ what, tree }: TreeRequest, io: Io): Promise<void> {
  io.stdout.write(what === 'man' ? manualPage(tree, VERSION) : completionScript(what, tree));
}
