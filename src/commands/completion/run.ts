import type { Command } from 'commander';
import { completionScript } from '../../completions/index.ts';
import { manualPage } from '../../completions/man.ts';
import type { Shell } from '../../completions/shells.ts';
import { readTree } from '../../completions/tree.ts';
import { printable } from '../../domain/text.ts';
import type { Io } from '../../io.ts';
import { readStationList } from '../../service/disk/liveFiles.ts';
import { VERSION } from '../../version.ts';
import { openAnswers } from '../shared/userCache.ts';

/**
 * Prints a completion script, or the manual page.
 * @param request its program is the root of the command tree, with every command declared
 */
export async function runTree(
  { what, program }: { readonly what: Shell | 'man'; readonly program: Command },
  io: Io,
): Promise<void> {
  const tree = readTree(program);
  io.stdout.write(what === 'man' ? manualPage(tree, VERSION) : completionScript(what, tree));
}

/** Longest name in characters, so that a completion fits on a line. */
const MAX_NAME_LENGTH = 80;

/**
 * Prints the stations of the cached list as `id<TAB>name`, for completion scripts. Sends no request
 * and never fails, since an error message would disturb the command line being typed.
 */
export async function runKnownStations(_: unknown, io: Io): Promise<void> {
  const stations = await findStations(io).catch(() => []);
  io.stdout.write(stations.map(({ id, name }) => `${id}\t${truncate(name)}\n`).join(''));
}

async function findStations(io: Io) {
  const folder = openAnswers(io, false, () => {});
  return folder === undefined ? [] : readStationList(folder);
}

function truncate(name: string): string {
  const characters = [...printable(name).trim()];
  if (characters.length <= MAX_NAME_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
