import type { ChildProcess } from 'node:child_process';
import type { Io } from '../io.ts';

/** A command that runs longer is killed. */
const MAX_RUN_MS = 60_000;
/** A command that still runs this long after SIGTERM is killed. */
const KILL_AFTER_MS = 2000;
/** Interval of the checks whether a command has ended after SIGTERM. */
const LOOK_MS = 50;

interface Supervised {
  readonly child: ChildProcess;
  /** The id of the process, which is also that of its process group. */
  readonly pid: number;
  readonly ending: AbortSignal;
  readonly io: Pick<Io, 'sleep' | 'endGroup'>;
}

/**
 * Waits until a command ends. A command that runs for over a minute is killed. When `ending`
 * aborts, the command gets SIGTERM, and 2 s later SIGKILL. Signals go to the whole process group,
 * and the wait then lasts until the group is empty.
 * @returns the problem, in words that follow `--exec`; undefined after a success
 */
export async function superviseCommand({
  child,
  pid,
  ending,
  io,
}: Supervised): Promise<string | undefined> {
  const over = new AbortController();
  const exit = new Promise<string | undefined>((resolve) => {
    // Listen to "exit" instead of "close": a background process may keep the output open.
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`),
    );
  });
  const overrun = io.sleep(MAX_RUN_MS, over.signal).then(
    () => {
      io.endGroup(pid, 'SIGKILL');
      return `took more than ${MAX_RUN_MS / 1000} s and was stopped`;
    },
    () => exit,
  );
  const ended = new Promise<undefined>((resolve) => {
    const end = () => void endGroupKindly(pid, io).then(() => resolve(undefined));
    ending.addEventListener('abort', end, { once: true, signal: over.signal });
  });
  const problem = await Promise.race([exit, overrun, ended]);
  over.abort();
  // The shell may end before the processes that it started.
  return ending.aborted ? ended : problem;
}

/** Ends a process group with SIGTERM, and with SIGKILL if it does not react. */
async function endGroupKindly(
  id: number,
  { sleep, endGroup }: Pick<Io, 'sleep' | 'endGroup'>,
): Promise<void> {
  endGroup(id, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < KILL_AFTER_MS; waitedMs += LOOK_MS) {
    if (!endGroup(id, 0)) return;
    await sleep(LOOK_MS);
  }
  endGroup(id, 'SIGKILL');
}
