import type { Command } from 'commander';
import { completionScript } from '../completions/index.ts';
import { manualPage } from '../completions/man.ts';
import type { Shell } from '../completions/shells.ts';
import { type CommandNode, readTree } from '../completions/tree.ts';
import type { Io } from '../io.ts';
import { VERSION } from '../version.ts';

/** What `vane completion` or `vane man` was asked to write out of the command tree. */
export interface TreeRequest {
  readonly what: Shell | 'man';
  readonly tree: CommandNode;
}

/** @param program the root of the commands */
export function readTreeRequest(what: Shell | 'man', program: Command): TreeRequest {
  return { what, tree: readTree(program) };
}

/** Prints a completion script, or the manual page. */
export async function runTree({ what, tree }: TreeRequest, io: Io): Promise<void> {
  io.stdout.write(what === 'man' ? manualPage(tree, VERSION) : completionScript(what, tree));
}
