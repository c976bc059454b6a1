import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { randomName } from './domain/randomName.ts';

export interface KeptCodeOptions {
  /** Where code is kept; without one, none is. */
  readonly folder: string | undefined;
  /** What is done with the script: the code is of the functions that this takes. */
  readonly command: string;
  /** What runs it, such as `v24.1.0-x64`: the code of one is of no use to another. */
  readonly runtime: string;
  /** Code of anybody else is not run; undefined where files have no owner. */
  readonly user: number | undefined;
  /** Given to the script, which Node lets import nothing by itself. */
  readonly require: (id: string) => unknown;
  readonly importModule: (specifier: string) => Promise<unknown>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export interface LoadedScript {
  readonly exports: unknown;
  /** Keeps all that has been compiled by now, if nothing was kept. Nothing fails for want of it. */
  keep(): void;
}

/**
 * Runs a script with the code that V8 made of it the last time. Node's own cache (22.8 and later)
 * has hardly any: what is compiled before a file runs, which is none of its functions.
 * @param path of the script, absolute: a function, in ASCII, of what CommonJS gives a module, and
 * of `importModule`
 * @throws whatever the script does
 */
export function loadScript(path: string, options: KeptCodeOptions): LoadedScript {
  const { folder, command, runtime, user, random } = options;
  const source = readFileSync(path);
  const file =
    folder === undefined ? undefined : join(folder, runtime, path.replace(':', ''), command);
  const cachedData = file === undefined ? undefined : readCode(file, source, user);
  const script = new Script(source.toString('latin1'), {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  const isKept = cachedData !== undefined && !script.cachedDataRejected;
  const module = { exports: {} };
  const given = [module.exports, options.require, module, path, dirname(path)];
  script.runInThisContext()(...given, options.importModule);
  return {
    exports: module.exports,
    keep() {
      if (isKept || file === undefined) return;
      try {
        writeCode(file, source, script, random);
      } catch {
        // It only saves time.
      }
    },
  };
}

/** Where code is kept within the folder of the cache. */
export const codeFolder = (folder: string): string => join(folder, 'code');

/**
 * The code in a file that was made of just this source. It is there twice, since V8 does not
 * survive damaged code, and to compare is the check that takes least.
 */
function readCode(file: string, source: Buffer, user: number | undefined): Buffer | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      if (user !== undefined && fstatSync(descriptor).uid !== user) return undefined;
      const bytes = readFileSync(descriptor);
      const middle = (source.length + bytes.length) / 2;
      const code = bytes.subarray(source.length, middle);
      const isSound =
        bytes.subarray(0, source.length).equals(source) && code.equals(bytes.subarray(middle));
      return isSound ? code : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Not there, or not to be read, which is as good as not there.
    return undefined;
  }
}

function writeCode(file: string, source: Buffer, script: Script, random: () => number): void {
  const temporary = `${file}.${randomName(random)}.tmp`;
  mkdirSync(dirname(file), { recursive: true });
  // Made before the code, which takes longer than to find out that it cannot be.
  writeFileSync(temporary, '', { flag: 'wx', mode: 0o600 });
  try {
    const code = script.createCachedData();
    writeFileSync(temporary, Buffer.concat([source, code, code]));
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
