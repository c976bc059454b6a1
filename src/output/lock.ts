import { lstat, mkdir, readdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MINUTE_MS } from '../domain/dates.ts';
import { randomName } from '../domain/randomName.ts';
import { errorCode, OutputError } from '../errors.ts';
import type { Io } from '../io.ts';
import { followLinks, makeOutputFolder, statIfThere } from './file.ts';
import { explain } from './target.ts';

export interface Lock {
  /**
   * Checks that this process still holds the lock of a file.
   * @throws OutputError if another process took the lock while this one was suspended
   */
  check(path: string): Promise<void>;
  release(): Promise<void>;
}

interface LockTools {
  readonly io: Pick<Io, 'now' | 'sleep' | 'random' | 'signal' | 'runtime'>;
  /** Called once for each file that another process has locked. */
  readonly onWait: (path: string) => void;
}

/** How long a process may leave its ticket untouched before others take it for killed. */
const DEAD_MS = 60_000;
const TOUCH_MS = 10_000;
const POLL_MS = 500;
const LONGEST_WAIT_MS = 600_000;
/** A process that waits for a lock polls this many times before it tries anew to take the lock. */
const POLLS_A_ROUND = 20;
/** How often a process tries to write its ticket, since others may remove the folder meanwhile. */
const MOST_ATTEMPTS = 100;

/**
 * Locks files that are read and then changed. The lock of a file is a hidden folder beside it. A
 * process puts a ticket, a file with a random name, into the folder, and holds the lock once it
 * finds no other ticket. Of two processes at least one sees the other's ticket. No two tickets
 * share a name, so the ticket of a killed process can be removed without a race. (The package
 * proper-lockfile gives all locks of a file one name: a process that removes a stale lock may
 * remove the next one.)
 *
 * The age of a ticket is the difference of two times of the file system, so the clocks of two
 * machines need not agree. Process ids are not used: processes in two containers may share an id.
 * @throws OutputError when a lock cannot be made, or another process holds it for over ten minutes;
 *   the reason of an aborted `signal`
 */
export async function lockFiles(paths: readonly string[], tools: LockTools): Promise<Lock> {
  const { io } = tools;
  const made: string[] = [];
  const files = new Map<string, string>();
  const tickets = new Map<string, string>();
  const over = new AbortController();
  const keepTouching = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await io.sleep(TOUCH_MS, over.signal).catch(() => {});
      for (const ticket of tickets.values()) if (!over.signal.aborted) await touch(ticket);
    }
  };
  const release = async (): Promise<void> => {
    over.abort();
    for (const ticket of tickets.values()) await removeTicket(ticket);
    // rmdir removes empty folders only.
    for (const folder of made.reverse()) await rmdir(folder).catch(() => {});
  };
  try {
    for (const path of paths) {
      made.push(...makeOutputFolder(dirname(resolve(path))));
      files.set(path, await realFile(path, io));
    }
    // Every process locks its files in the same order, so that no two wait for each other.
    for (const file of [...new Set(files.values())].sort()) {
      tickets.set(file, await lockFile(file, tools));
      if (tickets.size === 1) void keepTouching();
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    async check(path) {
      const ticket = tickets.get(files.get(path) ?? '') ?? '';
      if ((await statIfThere(ticket)) !== undefined) return;
      throw new OutputError(
        `Another vane took over ${path}, since this one stood still for over ${DEAD_MS / 1000} s. ` +
          'Nothing more is written; when that has ended, run the same command again.',
      );
    },
    release,
  };
}

/** Follows links, so that a link and its target share one lock. The file may be missing. */
async function realFile(path: string, io: LockTools['io']): Promise<string> {
  try {
    const file = await followLinks(path, io);
    return join(await realpath(dirname(file)), basename(file));
  } catch (error) {
    throw explain(error, path);
  }
}

/**
 * Waits until this process holds the lock of a file.
 * @returns the path of its ticket
 */
async function lockFile(file: string, { io, onWait }: LockTools): Promise<string> {
  const untilMs = io.now() + LONGEST_WAIT_MS;
  for (let round = 0; round === 0 || io.now() < untilMs; round++) {
    const ticket = await addTicket(file, io);
    try {
      const first = await waitForFirst(ticket, io);
      if (first === ticket) {
        await touch(ticket);
        return ticket;
      }
      await removeTicket(ticket);
      if (round === 0) onWait(file);
      for (let polls = 0; polls < POLLS_A_ROUND && io.now() < untilMs; polls++) {
        await pause(io);
        if ((await statIfThere(first)) === undefined) break;
      }
    } catch (error) {
      await removeTicket(ticket);
      throw explain(error, `the lock beside ${file}`);
    }
  }
  throw new OutputError(
    `Another vane changes ${file} and has not ended within ${LONGEST_WAIT_MS / MINUTE_MS} minutes. ` +
      'Run the same command again when it has.',
  );
}

/** Pauses for a random time, so that two processes do not keep polling at the same moments. */
const pause = ({ sleep, random, signal }: LockTools['io']): Promise<void> =>
  sleep(POLL_MS * (0.5 + random()), signal);

/** How the names of tickets begin; other files in a lock folder are left alone. */
const TICKET_START = 'vane-flag-';

async function addTicket(file: string, { random }: LockTools['io']): Promise<string> {
  const folder = join(dirname(file), `.${basename(file)}.vane-lock`);
  const needed = 'It has to stand beside the file, which was not changed.';
  for (let attempts = 1; ; attempts++) {
    const ticket = join(folder, TICKET_START + randomName(random));
    try {
      await mkdir(folder).catch((error) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      // Another user may have made a link to a folder of this user's files.
      if ((await lstat(folder)).isSymbolicLink()) {
        throw new OutputError(`Could not write the lock ${folder}: it is a link. ${needed}`);
      }
      await writeFile(ticket, '', { flag: 'wx' });
      return ticket;
    } catch (error) {
      // Another process removed the lock folder meanwhile, or has a file of the same random name.
      const isPassing = errorCode(error) === 'ENOENT' || errorCode(error) === 'EEXIST';
      if (isPassing && attempts < MOST_ATTEMPTS) continue;
      throw explain(error, `the lock ${folder}`, needed);
    }
  }
}

/**
 * Finds the ticket that goes first: that of the process which holds the lock, the only one that is
 * not empty; else the first by name, which waits until the others are removed. Removes tickets of
 * killed processes.
 * @returns the path of the ticket; '' if another process removed the ticket of this process
 */
async function waitForFirst(ticket: string, io: LockTools['io']): Promise<string> {
  const folder = dirname(ticket);
  for (;;) {
    io.signal.throwIfAborted();
    const own = await statIfThere(ticket);
    // While this process was suspended, another one took it for killed and removed its lock ticket.
    if (own === undefined) return '';
    const others: string[] = [];
    const holders: string[] = [];
    for (const name of await readdir(folder)) {
      const other = join(folder, name);
      if (!name.startsWith(TICKET_START) || other === ticket) continue;
      const found = await statIfThere(other);
      if (found === undefined) continue;
      if (own.mtimeMs - found.mtimeMs > DEAD_MS) await rm(other, { force: true }).catch(() => {});
      else (found.size > 0 ? holders : others).push(other);
    }
    const [first = ticket] = [...holders, ...[...others, ticket].sort()];
    if (first !== ticket || others.length === 0) return first;
    await pause(io);
  }
}

/** Removes a process's ticket from the lock folder, and the folder too if it is empty then. */
async function removeTicket(ticket: string): Promise<void> {
  await rm(ticket, { force: true }).catch(() => {});
  await rmdir(dirname(ticket)).catch(() => {});
}

/**
 * Writes a byte into a ticket: it marks the process that holds the lock, and renews the time of the
 * ticket. A ticket that was removed is not made again.
 */
async function touch(ticket: string): Promise<void> {
  await writeFile(ticket, '.', { flag: 'r+' }).catch(() => {});
}
