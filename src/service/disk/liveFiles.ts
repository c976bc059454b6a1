import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveStations } from '../../domain/envelope.ts';
import { type CachedAnswer, isAnswer, liveFolder } from './liveCache.ts';
import type { Entry } from './store.ts';

/** Lists the live answers in the folder of a cache. */
export async function listLiveAnswers(folder: string): Promise<Entry[]> {
  const names = await readdir(liveFolder(folder)).catch(() => []);
  const entries = await Promise.allSettled(
    names.filter(isAnswer).map(async (name) => {
      const path = join(liveFolder(folder), name);
      const [text, file] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      const { key } = JSON.parse(text) as CachedAnswer<unknown>;
      return { key, bytes: file.size, usedMs: file.mtimeMs };
    }),
  );
  return entries.flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : []));
}

/** The list of a large network is under 1 MB; a larger file is not worth parsing. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/**
 * Ids and names of the latest list of all stations in the folder of a cache, from any service and
 * of any age. Empty where there is none.
 */
export async function readStationList(
  folder: string,
): Promise<{ readonly id: number; readonly name: string }[]> {
  for (const path of await latestFirst(liveFolder(folder))) {
    try {
      const { key, answer } = JSON.parse(
        await readFile(path, 'utf8'),
      ) as CachedAnswer<LiveStations>;
      if (!/ live all(?: meta)?$/.test(key)) continue;
      return answer.data.flatMap(({ id, meta: { name } }) =>
        Number.isSafeInteger(id) && typeof name === 'string' ? [{ id, name }] : [],
      );
    } catch {
      // Skip locks and damaged files; an older list may follow.
    }
  }
  return [];
}

async function latestFirst(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }));
      return { path, mtimeMs, size };
    }),
  );
  return files
    .filter(({ size }) => size > 0 && size < MAX_LIST_BYTES)
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ path }) => path);
}

/** Removes the live answers from the folder of a cache. */
export async function clearLiveAnswers(folder: string): Promise<void> {
  // Retries, since another process may write an answer meanwhile.
  await rm(liveFolder(folder), { recursive: true, force: true, maxRetries: 3 });
}
