import { printable } from '../../domain/text.ts';
import type { Io } from '../../io.ts';
import { readStationList } from '../../service/disk/liveFiles.ts';
import { findAnswers } from '../shared/userCache.ts';

/** Longest name in characters, so that a completion fits on a line. */
const MAX_NAME_LENGTH = 80;

/**
 * Prints the stations of the cached list as `id<TAB>name`, for completion scripts. Sends no request
 * and never fails, since an error message would disturb the command line being typed.
 */
export async function runKnownStations(_: unknown, io: Io): Promise<void> {
  const folder = await findAnswers(io, false).catch(() => undefined);
  const stations = folder === undefined ? [] : await readStationList(folder);
  io.stdout.write(stations.map(({ id, name }) => `${id}\t${truncate(name)}\n`).join(''));
}

function truncate(name: string): string {
  const characters = [...printable(name).trim()];
  return characters.length > MAX_NAME_LENGTH
    ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`
    : characters.join('');
}
