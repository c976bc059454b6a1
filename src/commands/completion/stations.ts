import { printable } from '../../domain/text.ts';
import type { Io } from '../../io.ts';
import { readStationList } from '../../service/disk/liveFiles.ts';
import { findAnswers } from '../shared/userCache.ts';

/** What a line of a list has place for. */
const LONGEST_NAME = 80;

/**
 * Prints each station of the latest list that is kept on disk, `id<TAB>name`, for shells to
 * complete; nothing when there is none. Asks no service, and fails at nothing: a shell's user did
 * not ask for anything yet.
 */
export async function runKnownStations(_: unknown, io: Io): Promise<void> {
  const folder = await findAnswers(io, false).catch(() => undefined);
  const stations = folder === undefined ? [] : await readStationList(folder);
  io.stdout.write(stations.map(({ id, name }) => `${id}\t${shown(name)}\n`).join(''));
}

function shown(name: string): string {
  const characters = [...printable(name).trim()];
  return characters.length > LONGEST_NAME
    ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…`
    : characters.join('');
}
