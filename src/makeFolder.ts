import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Makes a folder and its missing parents. Node's `recursive` option never returns where mkdir keeps
 * failing with ENOENT: in /proc, or in a working directory that was removed.
 * @param mode the mode of the folders made
 * @returns the folders made, the outermost first
 * @throws the error of the system
 */
export function makeFolder(path: string, mode?: number): readonly string[] {
  try {
    return makeOne(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return [...makeFolder(dirname(path), mode), ...makeOne(path, mode)];
  }
}

function makeOne(path: string, mode: number | undefined): readonly string[] {
  try {
    mkdirSync(path, { mode });
    return [path];
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
    throw error;
  }
}
