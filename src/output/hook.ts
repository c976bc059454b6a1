import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { replaceControlCharacters } from '../domain/text.ts';
import { anySignal, type Io } from '../io.ts';
import type { Printer } from './printer.ts';
import { superviseCommand } from './supervise.ts';

/** The environment variables and the stdin text for a command of `--exec`. */
interface HookInput {
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string;
}

/** Maximum number of commands of `--exec` that run at once. Further ones wait. */
const CONCURRENCY = 8;
/** Number of characters kept from the end of a command's output, to explain a failure. */
const MAX_LAST_OUTPUT = 300;
/** How long to wait for output after a command has exited. */
const LAST_OUTPUT_MS = 500;
/** How long to wait for a stuck reader of the last output, before dropping it. */
const STUCK_MS = 10_000;
/**
 * Maximum length of a variable's value. Linux refuses to start a command with one over 128 KiB
 * (E2BIG).
 */
const MAX_VALUE_LENGTH = 4096;

export interface ExecHookOptions {
  /**
   * The command line of `--exec`, which the shell runs. Data from a service are never inserted into
   * it.
   */
  readonly command: string;
  readonly io: Pick<Io, 'env' | 'sleep' | 'signal' | 'endGroup'>;
  /**
   * Prints the command's stdout and stderr, and slows the command down if it must. Undefined drops
   * the output.
   */
  readonly printer: Printer | undefined;
  /** Called with a sentence for each failed or timed-out command. */
  readonly onTrouble: (sentence: string) => void;
}

/** Creates a runner of the user's command, once for each event. */
export function createExecHook({ command, io, printer, onTrouble }: ExecHookOptions) {
  const limit = pLimit(CONCURRENCY);
  const running = new Set<Promise<void>>();
  const quit = new AbortController();
  const ending = AbortSignal.any([io.signal, quit.signal]);
  // Allow many listeners: each running command has one, so more than ten are no leak.
  setMaxListeners(0, ending);

  async function runOnce({ variables, input }: HookInput): Promise<void> {
    const child = spawn(command, {
      shell: true,
      // Use a separate process group, so that a signal reaches everything that the shell started.
      detached: true,
      // Remove the broker's password: no command needs it, and some send their environment in
      // reports.
      env: { ...io.env, VANE_MQTT_PASSWORD: undefined, ...onOneLine(variables) },
    });
    const { pid } = child;
    // Without a process id, the process has no streams either. This happens if no more files can be
    // opened.
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

  /**
   * Waits for a promise, but only for a limited time, and not at all once commands are being ended.
   */
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
    /** Ends running commands and starts no more. */
    end: (): void => quit.abort(),
    /** Waits until every command has ended. */
    settle: async (): Promise<void> => void (await Promise.all(running)),
  };
}

/**
 * Replaces control characters in variables. A line break could start a header in `mail -s`, and an
 * environment cannot contain NUL.
 */
function onOneLine(variables: HookInput['variables']): Record<string, string> {
  const safe = (value: string): string =>
    replaceControlCharacters(value.slice(0, MAX_VALUE_LENGTH));
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, safe(value)]));
}
