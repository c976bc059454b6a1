import { formatDate } from '../../domain/dates.ts';
import { formatSize } from '../../domain/sizes.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawTable } from '../../formats/textTable.ts';
import type { Io } from '../../io.ts';
import { createReporter } from '../../output/reporter.ts';
import { writeNow } from '../../output/write.ts';
import {
  describeTrouble,
  findCacheFolder,
  troubleReporter,
} from '../../service/disk/cacheFolder.ts';
import { clearLiveResponses, listLiveResponses } from '../../service/disk/liveCache.ts';
import { type Entry, NO_CACHE, openCache } from '../../service/disk/store.ts';
import { cacheFolder, pathOf } from '../../userFolder.ts';

export interface CacheOptions {
  readonly task: 'path' | 'list' | 'clear';
  /** How many bytes `vane cache clear` leaves in the cache. */
  readonly maxBytes: number;
  readonly isQuiet: boolean;
}

export async function runCache({ task, maxBytes, isQuiet }: CacheOptions, io: Io): Promise<void> {
  const { note } = createReporter(io, { isQuiet, isVerbose: false });
  const place = pathOf(cacheFolder(io));
  if (task === 'path') return writeNow(io.stdout, `${place}\n`);
  const folder = findCacheFolder(io, false, (error, action) => {
    const trouble = describeTrouble(io, error, action);
    throw new UsageError(`${trouble}. Name another folder with VANE_CACHE_DIR.`);
  });
  const tools = { now: io.now, reportTrouble: troubleReporter(io, note) };
  const cache = folder === undefined ? NO_CACHE : openCache({ folder, ...tools });
  const listLive = async () => (folder === undefined ? [] : await listLiveResponses(folder));
  const live = await listLive();
  const before = [...(await cache.list()), ...live];
  if (task === 'list') {
    const rows = before.map(({ usedMs, bytes, key }) => {
      return [formatDate(usedMs), formatSize(bytes), printable(key)];
    });
    const table = drawTable([['used', 'size', 'answer'], ...rows]).join('\n');
    if (rows.length > 0) await writeNow(io.stdout, `${table}\n`);
    note(`${describeEntries(before)} in ${place}.`);
    return;
  }
  const liveBytes = sumOfBytes(live);
  const keepsLive = liveBytes <= maxBytes && maxBytes > 0;
  if (folder !== undefined && !keepsLive) await clearLiveResponses(folder);
  await cache.trim(keepsLive ? maxBytes - liveBytes : maxBytes);
  await cache.removeTemporary();
  const after = [...(await cache.list()), ...(await listLive())];
  const left = new Set(after.map(({ key }) => key));
  const removed = before.filter(({ key }) => !left.has(key));
  note(`Removed ${describeEntries(removed)}; ${describeEntries(after)} left.`);
}

function describeEntries(entries: readonly Entry[]): string {
  const count = entries.length === 1 ? '1 response' : `${entries.length} responses`;
  return `${count} (${formatSize(sumOfBytes(entries))})`;
}

function sumOfBytes(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
