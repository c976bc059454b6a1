import type { Command } from 'commander';
import { completionScript } from '../../completions/index.ts';
import { manualPage } from '../../completions/man.ts';
import type { Shell } from '../../completions/shells.ts';
import { readTree } from '../../completions/tree.ts';
import type { Io } from '../../io.ts';
import { VERSION } from '../../version.ts';

/** The request of `vane completion` and `vane man`. */
export interface TreeRequest {
  readonly what: Shell | 'man';
  /** The root of the command tree, with every command declared. */
  readonly program: Command;
}

/** Prints a completion script, or the manual page. */
export async function runTree({ what, program }: TreeRequest, io: Io): Promise<void> {
  const tree = readTree(program);
  io.stdout.write(what === 'man' ? manualPage(tree, VERSION) : completionScript(what, tree));
}
