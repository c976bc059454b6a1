import { mkdirSync } from 'node:fs';
import { findAnswersFolder } from '../../src/service/disk/folder.ts';

/**
 * Creates the folder where vane keeps cached answers, below the folder that `VANE_CACHE_DIR` names.
 */
export function answersIn(cacheFolder: string): string {
  mkdirSync(cacheFolder, { recursive: true });
  const place = { within: cacheFolder, names: ['answers'], user: process.geteuid?.() };
  return findAnswersFolder({ ...place, isMade: true }) as string;
}
