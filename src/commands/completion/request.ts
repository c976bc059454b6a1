import type { Command } from 'commander';
import type { Shell } from '../../completions/shells.ts';
import { type CommandNode, readTree } from '../../completions/tree.ts';

/** The request of `vane completion` and `vane man`. */
export interface TreeRequest {
  readonly what: Shell | 'man';
  readonly tree: CommandNode;
}

/** @param program the root of the commands */
export function readTreeRequest(what: Shell | 'man', program: Command): TreeRequest {
  return { what, tree: readTree(program) };
}
