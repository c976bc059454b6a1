import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Makes a folder, and those that it is in, where they are missing. Node's own `recursive` never
 * comes back from where nothing can be made and ENOENT says so: /proc, or a working directory that
 * is gone.
 * @param mode of the folders that are made
 * @throws the error of the system
 */
export function makeFolder(path: string, mode?: number): void {
  let failure = makeOne(path, mode);
  if (errorCode(failure) === 'ENOENT' && dirname(path) !== path) {
    makeFolder(dirname(path), mode);
    failure = makeOne(path, mode);
  }
  if (failure !== undefined) throw failure;
}

/** @returns why it is not there */
function makeOne(path: string, mode: number | undefined): unknown {
  try {
    mkdirSync(path, { mode });
    return undefined;
  } catch (error) {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? undefined : error;
  }
}
