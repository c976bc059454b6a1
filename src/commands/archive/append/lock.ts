import {
  access,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { randomName } from '../../../domain/randomName.ts';
import { errorCode, OutputError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import { makeOutputFolder, statIfThere } from '../../../output/file.ts';
import { explain } from '../../../output/target.ts';

/** Files that no other vane appends to meanwhile. */
export interface Lock {
  /** @throws OutputError where another vane took the file over, since this one stood still */
  check(path: string): Promise<void>;
  release(): Promise<void>;
}

export interface LockTools {
  readonly io: Pick<Io, 'now' | 'sleep' | 'random' | 'signal'>;
  /** Told once of each file that another vane has. */
  readonly onWait: (path: string) => void;
}

/** A flag that was not touched for so long was left behind by a run that was killed. */
const DEAD_MS = 60_000;
const BEAT_MS = 10_000;
const POLL_MS = 500;
const LONGEST_WAIT_MS = 600_000;
/** How often it is looked whether a flag is gone before it is looked whether it is dead. */
const POLLS_A_ROUND = 20;
/** How often a folder of flags may be removed between its making and its first flag. */
const MOST_ATTEMPTS = 100;

/**
 * Locks files for appending. Each has a hidden folder beside it; who wants the file puts a flag of
 * its own there, then looks for others, and has the file when there is none. Two cannot both find
 * none, and since no two flags share a name, a dead one can be removed without a race.
 * proper-lockfile (last released in 2021) removes a dead lock by the name that the next one has.
 *
 * Ages are differences of two times that the file system itself gave, so no clock of two machines
 * needs to agree, and no process id is asked about, which another container may have too.
 * @throws OutputError when a lock cannot be made, or another vane holds it for over ten minutes; the
 *   signal's reason
 */
export async function lockFiles(paths: readonly string[], tools: LockTools): Promise<Lock> {
  const made: string[] = [];
  const files = new Map<string, string>();
  const flags = new Map<string, string>();
  const over = new AbortController();
  const release = async (): Promise<void> => {
    over.abort();
    for (const flag of flags.values()) await lower(flag);
    // What was made for a file that nothing came for.
    for (const folder of made.reverse()) await rmdir(folder).catch(() => {});
  };
  try {
    for (const path of paths) {
      made.push(...(await makeMissing(dirname(resolve(path)))));
      const file = followLinks(path).catch((error) => {
        throw explain(error, path);
      });
      files.set(path, await file);
    }
    // In one order for all, so that no two wait for each other.
    for (const file of [...new Set(files.values())].sort()) {
      flags.set(file, await take(file, tools));
      if (flags.size === 1) void keepAlive(flags, tools.io, over.signal);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    async check(path) {
      const isHeld = await isThere(flags.get(files.get(path) ?? '') ?? '');
      if (isHeld) return;
      throw new OutputError(
        `Another vane took over ${path}, since this one stood still for over ${DEAD_MS / 1000} s. ` +
          'Nothing more is appended; when that has ended, run the same command again.',
      );
    },
    release,
  };
}

/** Waits until nobody else has a file. @returns the flag that says so */
async function take(file: string, tools: LockTools): Promise<string> {
  const { io } = tools;
  const begunMs = io.now();
  for (let rounds = 0; ; rounds++) {
    const flag = await raise(file, io);
    try {
      const first = await waitForOthers(flag, io);
      if (first === flag) {
        await touch(flag);
        return flag;
      }
      await lower(flag);
      if (rounds === 0) tools.onWait(file);
      await waitForEnd(first, io, begunMs + LONGEST_WAIT_MS);
    } catch (error) {
      await lower(flag);
      throw explain(error, `the lock beside ${file}`);
    }
    if (io.now() - begunMs < LONGEST_WAIT_MS) continue;
    throw new OutputError(
      `Another vane appends to ${file} and has not ended within ${LONGEST_WAIT_MS / 60_000} minutes. ` +
        'Run the same command again when it has.',
    );
  }
}

/** Waits while others are up that will give way. @returns the flag that goes first, maybe this one */
async function waitForOthers(flag: string, io: LockTools['io']): Promise<string> {
  for (;;) {
    io.signal.throwIfAborted();
    const { first, isAlone } = await findRivals(flag);
    if (first !== flag || isAlone) return first;
    await nap(io);
  }
}

/** Waits until a flag is gone, or for as long as it takes to look whether it is dead. */
async function waitForEnd(flag: string, io: LockTools['io'], untilMs: number): Promise<void> {
  for (let polls = 0; polls < POLLS_A_ROUND && io.now() < untilMs; polls++) {
    await nap(io);
    if (!(await isThere(flag))) return;
  }
}

/** At random, so that two that look at the same moment do not go on to. */
const nap = ({ sleep, random, signal }: LockTools['io']): Promise<void> =>
  sleep(POLL_MS * (0.5 + random()), signal);

/** What flags are told by: a file of any other name in their folder is never looked at or removed. */
const FLAG_START = 'vane-flag-';

const NEEDED = '--append needs it beside the file, which was not changed.';

/** Puts up a flag of a name of its own. */
async function raise(file: string, { random }: Pick<Io, 'random'>): Promise<string> {
  const folder = join(dirname(file), `.${basename(file)}.vane-lock`);
  for (let attempts = 1; ; attempts++) {
    const flag = join(folder, FLAG_START + randomName(random));
    try {
      await mkdir(folder).catch((error) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      await refuseLink(folder);
      await writeFile(flag, '', { flag: 'wx' });
      return flag;
    } catch (error) {
      // Who was last to leave took the folder away, or, out of billions, a name came twice.
      const isPassing = errorCode(error) === 'ENOENT' || errorCode(error) === 'EEXIST';
      if (isPassing && attempts < MOST_ATTEMPTS) continue;
      throw explain(error, `the lock ${folder}`, NEEDED);
    }
  }
}

/**
 * A link in place of the folder of flags may be laid by another user, and lead to a folder of this
 * one's files.
 * @throws OutputError
 */
async function refuseLink(folder: string): Promise<void> {
  if (!(await lstat(folder)).isSymbolicLink()) return;
  throw new OutputError(`Could not write the lock ${folder}: it is a link. ${NEEDED}`);
}

/**
 * Which of the flags that are up goes first: the one that holds the file, which is not empty, else
 * the first by name; the others will be taken away. Dead ones are taken away here.
 */
async function findRivals(flag: string): Promise<{ first: string; isAlone: boolean }> {
  const own = await statIfThere(flag);
  // Taken for dead, since this one stood still.
  if (own === undefined) return { first: '', isAlone: false };
  let first = flag;
  let holder: string | undefined;
  let isAlone = true;
  const names = await readdir(dirname(flag));
  for (const name of names.filter((name) => name.startsWith(FLAG_START))) {
    const other = join(dirname(flag), name);
    const found = other === flag ? undefined : await statIfThere(other);
    if (found === undefined) continue;
    if (own.mtimeMs - found.mtimeMs > DEAD_MS) {
      await rm(other, { force: true }).catch(() => {});
      continue;
    }
    isAlone = false;
    if (found.size > 0) holder = other;
    if (other < first) first = other;
  }
  return { first: holder ?? first, isAlone };
}

/** Takes a flag away, and its folder with the last one. */
async function lower(flag: string): Promise<void> {
  await rm(flag, { force: true }).catch(() => {});
  await rmdir(dirname(flag)).catch(() => {});
}

/** Touches flags for as long as they are up: their time is that of the file system. */
async function keepAlive(
  flags: ReadonlyMap<string, string>,
  { sleep }: Pick<Io, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(BEAT_MS, signal).catch(() => {});
    for (const flag of flags.values()) {
      if (signal.aborted) return;
      await touch(flag);
    }
  }
}

/** Says that a flag holds its file, now. One that is gone is not put up again. */
async function touch(flag: string): Promise<void> {
  await writeFile(flag, '.', { flag: 'r+' }).catch(() => {});
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Folders that are not there, the outermost first. */
async function findMissing(folder: string): Promise<string[]> {
  if (dirname(folder) === folder || (await statIfThere(folder)) !== undefined) return [];
  return [...(await findMissing(dirname(folder))), folder];
}

async function makeMissing(folder: string): Promise<readonly string[]> {
  const missing = await findMissing(folder);
  if (missing.length > 0) makeOutputFolder(folder);
  return missing;
}

/** The one name of a file, whether or not it is there: a link and its target are locked as one. */
async function followLinks(path: string, hops = 40): Promise<string> {
  const file = join(await realpath(dirname(resolve(path))), basename(path));
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined || hops === 0) return file;
  return followLinks(resolve(dirname(file), target), hops - 1);
}
