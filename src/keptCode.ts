import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { makeFolder } from './makeFolder.ts';

export interface KeptCodeOptions {
  /** Where code is kept that this Node has made; without one, none is. */
  readonly folder: string | undefined;
  /** A name for what is done: the code kept is of the functions that it took the first time. */
  readonly command: string;
  /** Code of anybody else is not run; undefined where files have no owner. */
  readonly user: number | undefined;
  /** Given to the script, which Node lets import nothing by itself. */
  readonly require: (id: string) => unknown;
  readonly importModule: (specifier: string) => Promise<unknown>;
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
  const { folder, command, user } = options;
  const source = readFileSync(path);
  const file = folder && join(folder, path.replace(':', ''), command);
  const cachedData = file ? readCode(file, source, user) : undefined;
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
      if (isKept || !file) return;
      try {
        writeCode(file, source, script);
      } catch {
        // It only saves time.
      }
    },
  };
}

/** Far more than V8 makes of any script here. */
const MAX_CODE_BYTES = 16 * 1024 * 1024;

/**
 * The code in a file that was made of just this source. It is there twice, since V8 does not
 * survive damaged code, and to compare is the check that takes least.
 */
function readCode(file: string, source: Buffer, user: number | undefined): Buffer | undefined {
  try {
    // Without waiting for whoever writes, should it be a pipe.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = fstatSync(descriptor);
      const isOwn = user === undefined || status.uid === user;
      if (!status.isFile() || !isOwn || status.size > MAX_CODE_BYTES) return undefined;
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

/** One that is cut short, or written by two at once, is not sound, and so replaced the next time. */
function writeCode(file: string, source: Buffer, script: Script): void {
  makeFolder(dirname(file));
  rmSync(file, { force: true });
  // Made before the code, which takes longer than to find out that it cannot be.
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const code = script.createCachedData();
    writeFileSync(descriptor, Buffer.concat([source, code, code]));
  } finally {
    closeSync(descriptor);
  }
}
