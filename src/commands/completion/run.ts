import { completionScript } from '../../completions/index.ts';
import { manualPage } from '../../completions/man.ts';
import type { Io } from '../../io.ts';
import { VERSION } from '../../version.ts';
import type { TreeRequest } from './request.ts';

/** Prints a completion script, or the manual page. */
export async function runTree({ what, tree }: TreeRequest, io: Io): Promise<void> {
  io.stdout.write(what === 'man' ? manualPage(tree, VERSION) : completionScript(what, tree));
}
