import { lstat, mkdir, readdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MINUTE_MS } from '../../../domain/dates.ts';
import { randomName } from '../../../domain/randomName.ts';
import { errorCode, OutputError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import { followLinks, makeOutputFolder, statIfThere } from '../../../output/file.ts';
import { explain } from '../../../output/target.ts';

/** A lock on files that this process appends to. */
export interface Lock {
  /** @throws OutputError if another process took the lock over while this process was suspended */
  check(path: string): Promise<void>;
  release(): Promise<void>;
}

interface LockTools {
  readonly io: Pick<Io, 'now' | 'sleep' | 'random' | 'signal' | 'runtime'>;
  /** Called once for each file that another process has locked. */
  readonly onWait: (path: string) => void;
}

/** A ticket that was not touched for this long belongs to a process that was killed. */
const DEAD_MS = 60_000;
const TOUCH_MS = 10_000;
const POLL_MS = 500;
const LONGEST_WAIT_MS = 600_000;
/**
 * How many times a process looks whether another's ticket is gone, before it checks the age again.
 */
const POLLS_A_ROUND = 20;
/** Most attempts to put a ticket into a lock folder that other processes may remove meanwhile. */
const MOST_ATTEMPTS = 100;

/**
 * Locks files for appending. The lock of a file is a hidden folder beside the file. A process puts
 * a ticket, a file with a random name, into the folder. A process that then finds no other ticket
 * holds the lock. Of two processes at least one sees the other's ticket. No two tickets share a
 * name, so the ticket of a killed process can be removed without a race.
 * (proper-lockfile removes a stale lock by a name that the next lock has as well.)
 *
 * The age of a ticket is the difference of two times of the file system, so the clocks of two
 * machines need not agree. Process ids are not used: processes in two containers may share an id.
 * @throws OutputError when a lock cannot be made, or another process holds it for over ten minutes;
 *   the signal's reason
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
    // Every process locks in the same order, so that no two wait for each other.
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
          'Nothing more is appended; when that has ended, run the same command again.',
      );
    },
    release,
  };
}

/** The real path of a file, which may be missing: a link and its target share one lock. */
async function realFile(path: string, io: LockTools['io']): Promise<string> {
  try {
    const file = await followLinks(path, io);
    return join(await realpath(dirname(file)), basename(file));
  } catch (error) {
    throw explain(error, path);
  }
}

/** Waits for the lock of a file. @returns the path of the ticket that holds the lock */
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
    `Another vane appends to ${file} and has not ended within ${LONGEST_WAIT_MS / MINUTE_MS} minutes. ` +
      'Run the same command again when it has.',
  );
}

/** Pauses for a random time, so that two processes do not keep polling at the same moments. */
const pause = ({ sleep, random, signal }: LockTools['io']): Promise<void> =>
  sleep(POLL_MS * (0.5 + random()), signal);

/** The beginning of a ticket's name: a file of any other name in the folder is left alone. */
const TICKET_START = 'vane-flag-';

async function addTicket(file: string, { random }: LockTools['io']): Promise<string> {
  const folder = join(dirname(file), `.${basename(file)}.vane-lock`);
  const needed = '--append needs it beside the file, which was not changed.';
  for (let attempts = 1; ; attempts++) {
    const ticket = join(folder, TICKET_START + randomName(random));
    try {
      await mkdir(folder).catch((error) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      // Refuse a link: another user may have laid it to a folder with files of this user.
      if ((await lstat(folder)).isSymbolicLink()) {
        throw new OutputError(`Could not write the lock ${folder}: it is a link. ${needed}`);
      }
      await writeFile(ticket, '', { flag: 'wx' });
      return ticket;
    } catch (error) {
      // Another process removed the folder meanwhile, or has a ticket of the same name.
      const isPassing = errorCode(error) === 'ENOENT' || errorCode(error) === 'EEXIST';
      if (isPassing && attempts < MOST_ATTEMPTS) continue;
      throw explain(error, `the lock ${folder}`, needed);
    }
  }
}

/**
 * Finds the ticket that goes first: the lock holder's, which is not empty, else the first by name.
 * A process whose ticket goes first waits until the other processes remove their tickets. Tickets
 * of killed processes are removed.
 * @returns a path; empty if another process removed the ticket of this process
 */
async function waitForFirst(ticket: string, io: LockTools['io']): Promise<string> {
  const folder = dirname(ticket);
  for (;;) {
    io.signal.throwIfAborted();
    const own = await statIfThere(ticket);
    // Another process removed the ticket while this process was suspended.
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

/** Removes a ticket, and with the last ticket the lock folder. */
async function removeTicket(ticket: string): Promise<void> {
  await rm(ticket, { force: true }).catch(() => {});
  await rmdir(dirname(ticket)).catch(() => {});
}

/** Marks a ticket as the holder's and renews its time; a removed ticket is not made again. */
async function touch(ticket: string): Promise<void> {
  await writeFile(ticket, '.', { flag: 'r+' }).catch(() => {});
}
