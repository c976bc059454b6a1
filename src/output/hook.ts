import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { replaceControlCharacters } from '../domain/text.ts';
import { anySignal, type Io } from '../io.ts';
import type { Printer } from './printer.ts';
import { superviseCommand } from './supervise.ts';

/** The environment variables and the text on stdin of a command of `--exec`. */
interface HookInput {
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string;
}

/** How many commands of `--exec` may run at once; further ones wait. */
const CONCURRENCY = 8;
/** How many characters of a command's last output are kept, to explain a failure. */
const MAX_LAST_OUTPUT = 300;
/** The last output of a command may come this much later than its exit. */
const LAST_OUTPUT_MS = 500;
/** How long the last output of a command waits for a stuck reader, until it is dropped. */
const STUCK_MS = 10_000;
/** Longest value of a variable: Linux starts no command with one over 128 KiB (E2BIG). */
const MAX_VALUE_LENGTH = 4096;

export interface ExecHookOptions {
  /**
   * The user's command line for `--exec`, which the shell runs. Data of a service are never
   * inserted into it.
   */
  readonly command: string;
  readonly io: Pick<Io, 'env' | 'sleep' | 'signal' | 'endGroup'>;
  /**
   * Prints what the command writes to stdout and stderr. The command waits while the printer waits.
   * Undefined drops the output.
   */
  readonly printer: Printer | undefined;
  /** Called with a sentence for each failure or timeout of a command. */
  readonly onTrouble: (sentence: string) => void;
}

/** Runs a command of the user for each event. */
export function createExecHook({ command, io, printer, onTrouble }: ExecHookOptions) {
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
    const { pid } = child;
    // Without an id the process also has no streams, as where no more files may be opened.
    if (pid === undefined) throw (await once(child, 'error'))[0];
    let lastOutput = '';
    const over = new AbortController();
    const forward = async (stream: Readable): Promise<void> => {
      for await (const text of stream.setEncoding('utf8')) {
        lastOutput = (lastOutput + text).slice(-MAX_LAST_OUTPUT);
        await printer?.print(text, over.signal);
      }
    };
    const forwarded = Promise.allSettled([child.stdout, child.stderr].map(forward));
    // Ignore a broken pipe, since a command need not read its stdin.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const problem = await superviseCommand({ child, pid, ending, io });
    await within(LAST_OUTPUT_MS, forwarded);
    if (printer?.isStuck()) await within(STUCK_MS, forwarded);
    if (printer?.isStuck()) over.abort();
    for (const stream of child.stdio) (stream as Socket).unref();
    if (problem === undefined || ending.aborted) return;
    const reason = lastOutput.trim().split('\n').at(-1);
    onTrouble(`--exec ${problem}${reason ? `: ${reason}` : '.'}`);
  }

  /** Waits for a promise up to a time, and not at all once the hook ends. */
  async function within(ms: number, done: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    using ended = anySignal(over.signal, ending);
    await Promise.race([done, io.sleep(ms, ended.signal).catch(() => {})]);
    over.abort();
  }

  return {
    /** Starts the command without waiting for it. */
    run(input: HookInput): void {
      const one = limit(() => (ending.aborted ? undefined : runOnce(input)))
        .catch((error: Error) => onTrouble(`--exec could not be started (${error.message}).`))
        .then(() => void running.delete(one));
      running.add(one);
    },
    /** Ends the commands that run, and starts no more. */
    end: (): void => quit.abort(),
    /** Waits until every command has ended. */
    settle: async (): Promise<void> => void (await Promise.all(running)),
  };
}

/**
 * Variables without control characters: `mail -s`, for one, would take a line break for the start
 * of a header, and an environment cannot hold NUL.
 */
function onOneLine(variables: HookInput['variables']): Record<string, string> {
  const safe = (value: string): string =>
    replaceControlCharacters(value.slice(0, MAX_VALUE_LENGTH));
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, safe(value)]));
}
