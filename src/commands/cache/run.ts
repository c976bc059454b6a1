import { formatDate } from '../../domain/dates.ts';
import { formatSize } from '../../domain/sizes.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawTable } from '../../formats/columns.ts';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { cacheTrouble } from '../../service/disk/folder.ts';
import { clearLiveAnswers, listLiveAnswers } from '../../service/disk/liveFiles.ts';
import type { Entry } from '../../service/disk/store.ts';
import { cacheFolder, findAnswers, openUserCache } from '../shared/userCache.ts';
import type { CacheRequest } from './request.ts';

/** Shows or clears the user's cache on disk. */
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
    if (before.length > 0) await showEntries(before, io);
    reporter.note(`${describeEntries(before)} in ${place}.`);
    return;
  }
  if (folder !== undefined) await clearLiveAnswers(folder);
  await cache.trim(maxBytes);
  await cache.removeTemporary();
  noteRemoved(before, await list(), reporter);
}

async function showEntries(entries: readonly Entry[], io: Io): Promise<void> {
  const lines = drawTable([
    ['used', 'size', 'answer'],
    ...entries.map(({ usedMs, bytes, key }) => [
      formatDate(usedMs),
      formatSize(bytes),
      printable(key),
    ]),
  ]);
  io.stdout.write(`${lines.join('\n')}\n`);
}

function noteRemoved(before: readonly Entry[], after: readonly Entry[], reporter: Reporter): void {
  const kept = new Set(after.map(({ key }) => key));
  const removed = before.filter(({ key }) => !kept.has(key));
  reporter.note(`Removed ${describeEntries(removed)}; ${describeEntries(after)} left.`);
}

function describeEntries(entries: readonly Entry[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${entries.length === 1 ? '1 answer' : `${entries.length} answers`} (${formatSize(bytes)})`;
}
