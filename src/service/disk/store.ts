import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { errorCode } from '../../errors.ts';
import { type Io, randomFileSuffix } from '../../io.ts';
import { makeFolder } from '../../userFolder.ts';
import { ENTRIES_FOLDER, type ReportCacheTrouble, remakeCacheFolder } from './cacheFolder.ts';
import {
  type CacheEntryHead,
  decodeCacheEntry,
  encodeCacheEntry,
  readCacheEntryHead,
} from './entry.ts';
import { findLeftovers } from './leftovers.ts';
import { acquireFileLock, type FileLock, type FileLockOptions } from './lock.ts';

export interface CacheEntry {
  readonly key: string;
  /** Size of the entry on disk, bytes. */
  readonly bytes: number;
  /** When the entry was last read or written, milliseconds since 1970. */
  readonly usedMs: number;
}

export interface CachedContent {
  readonly content: Buffer;
  /** Time since the content was requested; negative if the clock was set back. */
  readonly ageMs: number;
}

/**
 * A cache on disk that all processes of a user share. The first word of a key is the kind of its
 * content.
 */
export interface DiskCache {
  /** Reads the content of a key; undefined if it is missing, damaged or expired. */
  read(key: string): Promise<CachedContent | undefined>;
  /** Whether a valid entry exists. Its content is not checked. */
  has(key: string): Promise<boolean>;
  /**
   * Writes the content of a key.
   * @returns whether it could be written
   */
  write(
    key: string,
    content: Buffer,
    head?: Partial<Omit<CacheEntryHead, 'key'>>,
  ): Promise<boolean>;
  remove(key: string): Promise<void>;
  /**
   * Locks a key for all processes.
   * @returns undefined if another process holds the lock for too long, or if locking fails
   * @throws the reason of `signal`
   */
  lock(key: string, options: Omit<FileLockOptions, 'random'>): Promise<FileLock | undefined>;
  /** Lists all entries, or those of one kind, the least recently used first. */
  list(kind?: string): Promise<CacheEntry[]>;
  /** Total size of what other versions of vane left, bytes. */
  measureLeftovers(): Promise<number>;
  /**
   * Removes what other versions of vane left, then the least recently used entries, until at most
   * `maxBytes` remain. With `maxBytes` 0, locks and unfinished writes are removed too.
   */
  trim(maxBytes: number): Promise<void>;
}

export const EMPTY_CACHE: DiskCache = {
  read: async () => undefined,
  has: async () => false,
  write: async () => false,
  remove: async () => {},
  lock: async () => undefined,
  list: async () => [],
  measureLeftovers: async () => 0,
  trim: async () => {},
};

export interface DiskCacheOptions extends Pick<Io, 'now' | 'random'> {
  /** The folder of this user's cached responses. The first write creates it if necessary. */
  readonly folder: string;
  /** Another folder that a version of vane may have left, and that `trim` removes. */
  readonly abandonedFolder?: string | undefined;
  /** Called if the folder cannot be used. vane then works without the cache. */
  readonly reportTrouble: ReportCacheTrouble;
}

const LOCK = '.lock';
const UNFINISHED = '.tmp';

/** Maximum number of files that are open at once while entries are listed. */
const LIST_CONCURRENCY = 16;

/**
 * Opens the cache in a folder. Each entry is a file that is created by a rename and checked when
 * read, so that no process ever uses an incomplete one.
 */
export function openDiskCache(options: DiskCacheOptions): DiskCache {
  const { folder, abandonedFolder, now, random, reportTrouble } = options;
  const entries = join(folder, ENTRIES_FOLDER);
  const pathOf = async (key: string): Promise<string> => join(entries, await fileNameOf(key));
  const leftovers = () => findLeftovers(folder, abandonedFolder);

  function makeEntriesFolder(): void {
    remakeCacheFolder(folder);
    makeFolder(entries, 0o700);
  }

  function isValid({ requestedMs, validMs }: CacheEntryHead): boolean {
    if (validMs === undefined) return true;
    const ageMs = now() - requestedMs;
    return ageMs >= 0 && ageMs < validMs;
  }

  /** Sets the time of a file to now, which `trim` uses as its last use. Errors are ignored. */
  async function noteUse(path: string): Promise<void> {
    const seconds = now() / 1000;
    await utimes(path, seconds, seconds).catch(() => {});
  }

  async function read(key: string): Promise<CachedContent | undefined> {
    const path = await pathOf(key);
    const entry = await decodeCacheEntry(await readFile(path));
    if (entry?.head.key !== key || !isValid(entry.head)) return undefined;
    await noteUse(path);
    return { content: entry.content, ageMs: now() - entry.head.requestedMs };
  }

  async function write(head: CacheEntryHead, content: Buffer): Promise<boolean> {
    makeEntriesFolder();
    const path = await pathOf(head.key);
    const temporary = `${path}.${randomFileSuffix(random)}${UNFINISHED}`;
    try {
      await writeFile(temporary, await encodeCacheEntry(head, content), { mode: 0o600 });
      await noteUse(temporary);
      await rename(temporary, path);
      return true;
    } catch (error) {
      // Another process has cleared the cache meanwhile.
      if (errorCode(error) === 'ENOENT') return false;
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** Lists all files of the folder with their size and last use, the least recently used first. */
  async function listFiles(): Promise<(Omit<CacheEntry, 'key'> & { readonly name: string })[]> {
    const names = await readdir(entries).catch((error) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    const files = await Promise.all(
      names.map(async (name) => {
        const status = await stat(join(entries, name)).catch(() => undefined);
        return status ? [{ name, bytes: status.size, usedMs: status.mtimeMs }] : [];
      }),
    );
    return files.flat().sort((a, b) => a.usedMs - b.usedMs);
  }

  async function list(kind = ''): Promise<CacheEntry[]> {
    const files = (await listFiles()).filter(
      ({ name }) => name.startsWith(kind) && !name.endsWith(LOCK) && !name.endsWith(UNFINISHED),
    );
    const found = await pMap(
      files,
      async ({ name, bytes, usedMs }) => {
        const head = await readCacheEntryHead(join(entries, name)).catch(() => undefined);
        return head ? [{ key: head.key, bytes, usedMs }] : [];
      },
      { concurrency: LIST_CONCURRENCY },
    );
    return found.flat();
  }

  async function trim(maxBytes: number): Promise<void> {
    const [files, abandoned] = await Promise.all([listFiles(), leftovers()]);
    let total = bytesOf([...files, ...abandoned]);
    const isEnough = (): boolean => total <= maxBytes && maxBytes > 0;
    if (isEnough()) return;
    // Retry the removal of a folder, since another version of vane may still write to it.
    const removal = { recursive: true, force: true, maxRetries: 3 };
    for (const { path } of abandoned) await rm(path, removal);
    total -= bytesOf(abandoned);
    for (const { name, bytes } of files) {
      if (isEnough()) return;
      await rm(join(entries, name), removal);
      total -= bytes;
    }
  }

  return {
    read: (key) =>
      read(key).catch((error) => {
        if (errorCode(error) !== 'ENOENT') reportTrouble(error, 'read');
        return undefined;
      }),
    async has(key) {
      const head = await readCacheEntryHead(await pathOf(key)).catch(() => undefined);
      return head !== undefined && head.key === key && isValid(head);
    },
    write: (key, content, head) =>
      write({ requestedMs: now(), ...head, key }, content).catch((error) => {
        reportTrouble(error, 'written');
        return false;
      }),
    remove: async (key) =>
      rm(await pathOf(key), { force: true }).catch((error) => reportTrouble(error, 'written')),
    async lock(key, lockOptions) {
      try {
        makeEntriesFolder();
        return await acquireFileLock((await pathOf(key)) + LOCK, { ...lockOptions, random });
      } catch (error) {
        lockOptions.signal?.throwIfAborted();
        reportTrouble(error, 'written');
        return undefined;
      }
    },
    list: (kind) =>
      list(kind).catch((error) => {
        reportTrouble(error, 'read');
        return [];
      }),
    measureLeftovers: async () => bytesOf(await leftovers()),
    trim: (maxBytes) => trim(maxBytes).catch((error) => reportTrouble(error, 'cleared')),
  };
}

const bytesOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Maximum length of a key that is used as a file name. Some encrypted file systems allow only 143
 * bytes.
 */
const MAX_PLAIN_BYTES = 50;

/**
 * A unique file name for a cache key, even if the file system ignores case: the kind, then the key
 * in hexadecimal or, if it is long, its hash.
 */
async function fileNameOf(key: string): Promise<string> {
  const [kind] = key.split(' ', 1);
  const bytes = Buffer.from(key);
  if (bytes.length <= MAX_PLAIN_BYTES) return `${kind}-${bytes.toString('hex')}`;
  // Import node:crypto only for long keys: it takes 9 ms, and keys of live responses are short.
  const { createHash } = await import('node:crypto');
  return `${kind}-${createHash('sha256').update(bytes).digest('hex')}`;
}
