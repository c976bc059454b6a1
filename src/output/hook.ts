import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import pLimit from 'p-limit';
import { blankControls } from '../domain/text.ts';
import type { Io } from '../io.ts';

/** The environment variables and the text on stdin of a command of `--exec`. */
interface HookInput {
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string;
}

/** A command of `--exec` that runs for longer is killed. */
const LONGEST_RUN_MS = 60_000;
/** A command that goes on for this time after SIGTERM is killed. */
const KILL_AFTER_MS = 2000;
/** How many commands of `--exec` may run at once; further ones wait. */
const CONCURRENCY = 8;
/** How many characters of a command's last output are kept, to explain a failure. */
const MAX_LAST_OUTPUT = 300;
const LAST_OUTPUT_MS = 500;
/** Longest value of a variable: Linux starts no command with one over 128 KiB (E2BIG). */
const LONGEST_VALUE = 4096;

export interface HookOptions {
  /**
   * The user's command line for `--exec`, which the shell runs. Data of a service are never
   * inserted into it.
   */
  readonly command: string;
  readonly io: Pick<Io, 'env' | 'sleep' | 'signal' | 'endGroup'>;
  /** Called with each piece that the command writes to stdout or stderr. */
  readonly onOutput: (text: string) => void;
  /** Called with a sentence for each failure or timeout of a command. */
  readonly onTrouble: (sentence: string) => void;
}

/** Runs a command of the user for each event. */
export function createHook({ command, io, onOutput, onTrouble }: HookOptions) {
  const limit = pLimit(CONCURRENCY);
  const running = new Set<Promise<void>>();
  const quit = new AbortController();
  const ending = AbortSignal.any([io.signal, quit.signal]);
  // Each running command listens to the signal, so more than ten listeners are not a leak.
  setMaxListeners(0, ending);

  async function runOnce({ variables, input }: HookInput): Promise<void> {
    const child = spawn(command, {
      shell: true,
      // A process group of its own, so that a signal reaches everything the shell started.
      detached: true,
      // No command needs the broker's password, and some send their environment in reports.
      env: { ...io.env, VANE_MQTT_PASSWORD: undefined, ...onOneLine(variables) },
    });
    let lastOutput = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        lastOutput = (lastOutput + text).slice(-MAX_LAST_OUTPUT);
        onOutput(text);
      });
    }
    // Ignore a broken pipe, since a command need not read its stdin.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const problem = await supervise(child, ending, io);
    if (problem === undefined || ending.aborted) return;
    const reason = lastOutput.trim().split('\n').at(-1);
    onTrouble(`--exec ${problem}${reason ? `: ${reason}` : '.'}`);
  }

  return {
    /** Starts the command without waiting for it. */
    run(input: HookInput): void {
      const one = limit(() => (ending.aborted ? undefined : runOnce(input)))
        .catch((error: Error) => onTrouble(`--exec could not be started (${error.message}).`))
        .then(() => void running.delete(one));
      running.add(one);
    },
    end: (): void => quit.abort(),
    settle: async (): Promise<void> => void (await Promise.all(running)),
  };
}

/**
 * Waits until a command ends, and kills a command that runs too long.
 * @returns the problem as words that follow `--exec`; undefined after a success
 */
async function supervise(
  child: ChildProcessWithoutNullStreams,
  ending: AbortSignal,
  io: HookOptions['io'],
): Promise<string | undefined> {
  const over = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) io.endGroup(child.pid, signal);
  };
  const endKindly = async (): Promise<void> => {
    end('SIGTERM');
    await io.sleep(KILL_AFTER_MS, over.signal);
    end('SIGKILL');
  };
  // The sleep rejects once the command has ended.
  const onEnding = (): void => void endKindly().catch(() => {});
  ending.addEventListener('abort', onEnding, { once: true, signal: over.signal });
  const closed = new Promise((resolve) => child.on('close', resolve));
  const exit = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`could not be started (${error.message})`));
    // Listen to "exit", not "close": a process left in the background may keep the output open.
    child.on('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`),
    );
  });
  const overrun = io.sleep(LONGEST_RUN_MS, over.signal).then(
    () => {
      end('SIGKILL');
      return `took over ${LONGEST_RUN_MS / 1000} s and was ended`;
    },
    () => exit,
  );
  const problem = await Promise.race([exit, overrun]);
  // The last output of a command may arrive a moment after its exit.
  await Promise.race([closed, io.sleep(LAST_OUTPUT_MS, over.signal).catch(() => {})]);
  over.abort();
  for (const stream of child.stdio) (stream as Socket).unref();
  return problem;
}

/**
 * Variables without control characters: `mail -s`, for one, would take a line break for the start
 * of a header, and an environment cannot hold NUL.
 */
function onOneLine(variables: HookInput['variables']): Record<string, string> {
  const safe = (value: string): string => blankControls(value.slice(0, LONGEST_VALUE));
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, safe(value)]));
}
