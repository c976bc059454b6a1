import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveStations } from '../../domain/envelope.ts';
import { type CachedAnswer, isAnswer, liveFolder } from './liveCache.ts';
import type { Entry } from './store.ts';

/** Largest file that is parsed: the list of stations of a large network is under 1 MB. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Lists the live answers in the folder of a cache, the oldest first; skips damaged files. */
export async function listLiveAnswers(
  folder: string,
): Promise<(Entry & Pick<CachedAnswer<unknown>, 'answer'>)[]> {
  const names = await readdir(liveFolder(folder)).catch(() => []);
  const entries = await Promise.allSettled(
    names.filter(isAnswer).map(async (name) => {
      const path = join(liveFolder(folder), name);
      const { size, mtimeMs } = await stat(path);
      const text = size < MAX_LIST_BYTES ? await readFile(path, 'utf8') : '';
      const { key, answer } = JSON.parse(text) as CachedAnswer<unknown>;
      return { key, answer, bytes: size, usedMs: mtimeMs };
    }),
  );
  return entries
    .flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : []))
    .sort((a, b) => a.usedMs - b.usedMs);
}

/**
 * Ids and names of the stations in the latest cached list of all stations, from any service and of
 * any age. Empty where no list is cached.
 */
export async function readStationList(
  folder: string,
): Promise<{ readonly id: number; readonly name: string }[]> {
  for (const { key, answer } of (await listLiveAnswers(folder)).reverse()) {
    if (!/ live all(?: meta)?$/.test(key)) continue;
    try {
      return (answer as LiveStations).data.flatMap(({ id, meta: { name } }) =>
        Number.isSafeInteger(id) && typeof name === 'string' ? [{ id, name }] : [],
      );
    } catch {
      // Skip a damaged list; an older list may follow.
    }
  }
  return [];
}

/** Removes the live answers from the folder of a cache. */
export async function clearLiveAnswers(folder: string): Promise<void> {
  // Retry the removal of the folder, since another process may write an answer meanwhile.
  await rm(liveFolder(folder), { recursive: true, force: true, maxRetries: 3 });
}
