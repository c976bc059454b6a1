import {
  type DiskCache,
  type DiskCacheOptions,
  openDiskCache,
} from '../../src/service/disk/store.ts';

/** The cache in a folder, which throws where vane would report that the folder cannot be used. */
export const diskCacheIn = (folder: string, options: Partial<DiskCacheOptions> = {}): DiskCache =>
  openDiskCache({
    folder,
    now: Date.now,
    random: Math.random,
    reportTrouble: (error) => {
      throw error;
    },
    ...options,
  });
