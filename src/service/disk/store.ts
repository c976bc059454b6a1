import { rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../errors.ts';
import { compress, decompress } from '../compression.ts';
import { type ReportTrouble, remakeCacheFolder } from './cacheFolder.ts';

/** Loads the library cacache at its first use: loading takes longer than a live request. */
const load = async () => (await import('cacache')).default;

/**
 * The type of `rm.entry` with `removeFully`, which cacache's types lack. Without this option each
 * removal appends to the index.
 */
type RemoveEntry = (
  folder: string,
  key: string,
  options: { readonly removeFully: boolean },
) => Promise<unknown>;

export interface Entry {
  readonly key: string;
  /** Size of the entry on disk, bytes. */
  readonly bytes: number;
  /** Time of the last read or write of the entry, milliseconds since 1970. */
  readonly usedMs: number;
}

/** A cache on disk, shared by all processes of a user. */
export interface Cache {
  /** The content under a key; undefined where it is missing or damaged. */
  read(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** Writes a content under a key. @returns whether the content could be written */
  write(key: string, content: Buffer): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Every entry, the least recently used first. */
  list(): Promise<Entry[]>;
  /** Removes the least recently used entries until at most `maxBytes` are left. */
  trim(maxBytes: number): Promise<void>;
  /** Removes temporary files of processes that were killed. */
  removeTemporary(): Promise<void>;
}

export const NO_CACHE: Cache = {
  read: async () => undefined,
  has: async () => false,
  write: async () => false,
  remove: async () => {},
  list: async () => [],
  trim: async () => {},
  removeTemporary: async () => {},
};

export interface StoreOptions {
  readonly folder: string;
  readonly now: () => number;
  /** Called when the folder cannot be used; nothing fails without the cache. */
  readonly reportTrouble: ReportTrouble;
}

/**
 * Opens the cache in a folder, which may be missing. Content is checked against its hash; a damaged
 * entry counts as missing. The library cacache stores equal contents once, and removing a key here
 * removes its content: every content begins with its key, so that no two keys share content.
 */
export function openCache({ folder, now, reportTrouble }: StoreOptions): Cache {
  /** Sets the time of a file to now, as its last use for `trim`; a failure does no harm. */
  async function noteUse(path: string): Promise<void> {
    const seconds = now() / 1000;
    await utimes(path, seconds, seconds).catch(() => {});
  }

  async function readContent(key: string): Promise<Buffer | undefined> {
    const cacache = await load();
    const info = await cacache.get.info(folder, key);
    if (!info) return undefined;
    try {
      const content = await decompress(await cacache.get.byDigest(folder, info.integrity), 'gzip');
      const label = labelOf(key);
      if (!content.subarray(0, label.length).equals(label)) return undefined;
      await noteUse(info.path);
      return content.subarray(label.length);
    } catch (error) {
      if (errorCode(error) === 'EACCES') throw error;
      // The library cacache would reuse the damaged file for the next write of the same content.
      await cacache.rm.content(folder, info.integrity).catch(() => {});
      return undefined;
    }
  }

  async function remove(key: string): Promise<void> {
    const cacache = await load();
    const info = await cacache.get.info(folder, key);
    if (!info) return;
    await (cacache.rm.entry as RemoveEntry)(folder, key, { removeFully: true });
    await cacache.rm.content(folder, info.integrity);
  }

  async function writeContent(key: string, content: Buffer): Promise<void> {
    const cacache = await load();
    const bytes = await compress(Buffer.concat([labelOf(key), content]));
    remakeCacheFolder(folder);
    // Remove the old entry first: cacache keeps the content of an entry that is overwritten.
    await remove(key);
    await cacache.put(folder, key, bytes);
    const info = await cacache.get.info(folder, key);
    if (info) await noteUse(info.path);
  }

  async function trim(maxBytes: number): Promise<void> {
    const entries = await list();
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { key, bytes } of entries) {
      if (total <= maxBytes) return;
      await remove(key);
      total -= bytes;
    }
  }

  async function list(): Promise<Entry[]> {
    const cacache = await load();
    const entries = Object.values(await cacache.ls(folder)) as { key: string; path: string }[];
    const sized = await Promise.all(
      entries.map(async ({ key, path }) => {
        const file = await stat(path).catch(() => undefined);
        return { key, bytes: file?.size ?? 0, usedMs: file?.mtimeMs ?? 0 };
      }),
    );
    return sized.sort((a, b) => a.usedMs - b.usedMs);
  }

  return {
    read: (key) => readContent(key).catch((error) => void reportTrouble(error, 'read')),
    async has(key) {
      const cacache = await load();
      const info = await cacache.get.info(folder, key).catch(() => null);
      return info !== null && (await stat(info.path).catch(() => undefined)) !== undefined;
    },
    write: (key, content) =>
      writeContent(key, content).then(
        () => true,
        (error) => {
          reportTrouble(error, 'written');
          return false;
        },
      ),
    remove: (key) => remove(key).catch((error) => reportTrouble(error, 'written')),
    list,
    trim: (maxBytes) => trim(maxBytes).catch((error) => reportTrouble(error, 'cleared')),
    // The library cacache documents tmp as its folder for unfinished writes.
    removeTemporary: () =>
      rm(join(folder, 'tmp'), { recursive: true, force: true }).catch((error) =>
        reportTrouble(error, 'cleared'),
      ),
  };
}

/** The first bytes of an entry's content. */
const labelOf = (key: string): Buffer => Buffer.from(`${key}\n`);
