import { formatDate } from '../../domain/dates.ts';
import { formatSize } from '../../domain/sizes.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawTable } from '../../formats/textTable.ts';
import type { Io } from '../../io.ts';
import { createReporter } from '../../output/reporter.ts';
import { writeToStream } from '../../output/write.ts';
import { describeCacheTrouble } from '../../service/disk/cacheFolder.ts';
import type { CacheEntry, DiskCache } from '../../service/disk/store.ts';
import { openUserCache } from '../../service/disk/userCache.ts';
import { cacheFolder, userFolderPath } from '../../userFolder.ts';

export interface CacheOptions {
  readonly task: 'path' | 'list' | 'clear';
  /** How many bytes `vane cache clear` may leave in the cache. */
  readonly maxBytes: number;
  readonly isQuiet: boolean;
}

export async function runCache({ task, maxBytes, isQuiet }: CacheOptions, io: Io): Promise<void> {
  const { note } = createReporter(io, { isQuiet, isVerbose: false });
  const place = userFolderPath(cacheFolder(io));
  if (task === 'path') return writeToStream(io.stdout, `${place}\n`);
  const cache = openUserCache(io, false, (error, action) => {
    const trouble = describeCacheTrouble(io, error, action);
    throw new UsageError(`${trouble}. Name another folder with VANE_CACHE_DIR.`);
  });
  const before = await readState(cache);
  if (task === 'list') {
    const rows = before.entries.map(({ usedMs, bytes, key }) => {
      return [formatDate(usedMs), formatSize(bytes), printable(key)];
    });
    const table = drawTable([['used', 'size', 'response'], ...rows]).join('\n');
    if (rows.length > 0) await writeToStream(io.stdout, `${table}\n`);
    note(`${describeState(before)} in ${place}.`);
    return;
  }
  await cache.trim(maxBytes);
  const after = await readState(cache);
  const left = new Set(after.entries.map(({ key }) => key));
  const removed = {
    entries: before.entries.filter(({ key }) => !left.has(key)),
    leftoverBytes: before.leftoverBytes - after.leftoverBytes,
  };
  note(`Removed ${describeState(removed)}; ${describeState(after)} left.`);
}

interface State {
  readonly entries: readonly CacheEntry[];
  /** Size of the files that other versions of vane left in the cache, bytes. */
  readonly leftoverBytes: number;
}

async function readState(cache: DiskCache): Promise<State> {
  return { entries: await cache.list(), leftoverBytes: await cache.measureLeftovers() };
}

function describeState({ entries, leftoverBytes }: State): string {
  const count = entries.length === 1 ? '1 response' : `${entries.length} responses`;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const described = `${count} (${formatSize(bytes)})`;
  if (leftoverBytes === 0) return described;
  return `${described} and ${formatSize(leftoverBytes)} from another version of vane`;
}
