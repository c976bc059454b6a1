import { formatDate } from '../../domain/dates.ts';
import { formatSize } from '../../domain/sizes.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { renderTable } from '../../formats/table/render.ts';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { cacheTrouble } from '../../service/disk/folder.ts';
import { clearLiveAnswers, listLiveAnswers } from '../../service/disk/liveFiles.ts';
import type { Entry } from '../../service/disk/store.ts';
import { cacheFolder, findAnswers, openUserCache } from '../shared/userCache.ts';
import type { CacheRequest } from './request.ts';

/** Shows or clears the cache of this user. */
export async function runCache({ task, maxBytes, isQuiet }: CacheRequest, io: Io): Promise<void> {
  const reporter = createReporter(io, { isQuiet, isVerbose: false });
  const place = await cacheFolder(io);
  if (task === 'path') {
    io.stdout.write(`${place}\n`);
    return;
  }
  const folder = await findAnswers(io, false).catch((error) => {
    const trouble = cacheTrouble(place, 'read', error);
    throw new UsageError(`${trouble}. Name another folder with VANE_CACHE_DIR.`);
  });
  const { cache } = await openUserCache(folder, io, reporter.note);
  const list = async () => [
    ...(await cache.list()),
    ...(folder === undefined ? [] : await listLiveAnswers(folder)),
  ];
  const before = await list();
  if (task === 'list') {
    show(before, io);
    reporter.note(`${describe(before)} in ${place}.`);
    return;
  }
  if (folder !== undefined) await clearLiveAnswers(folder);
  await cache.trim(maxBytes);
  await cache.removeTemporary();
  tellRemoved(before, await list(), reporter);
}

function show(entries: readonly Entry[], io: Io): void {
  if (entries.length === 0) return;
  const columns = [
    { head: 'used', rank: 0, cell: ({ usedMs }: Entry) => ({ text: formatDate(usedMs) }) },
    { head: 'size', rank: 0, cell: ({ bytes }: Entry) => ({ text: formatSize(bytes) }) },
    { head: 'answer', rank: 0, cell: ({ key }: Entry) => ({ text: printable(key) }) },
  ];
  const look = { colour: false, columns: undefined };
  io.stdout.write(renderTable(columns, entries, look, (head) => head));
}

function tellRemoved(before: readonly Entry[], after: readonly Entry[], reporter: Reporter): void {
  const kept = new Set(after.map(({ key }) => key));
  const removed = before.filter(({ key }) => !kept.has(key));
  reporter.note(`Removed ${describe(removed)}; ${describe(after)} left.`);
}

function describe(entries: readonly Entry[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${entries.length === 1 ? '1 answer' : `${entries.length} answers`} (${formatSize(bytes)})`;
}
