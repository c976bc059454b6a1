import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import pLimit from 'p-limit';
import { blankControls } from '../domain/text.ts';
import type { Io } from '../io.ts';

/** What a command is told: variables of its environment, and a text on its stdin. */
export interface Word {
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string;
}

/** A command of the user's that is run when something happens. */
export interface Hook {
  /** Starts the command; nobody waits for it. */
  run(word: Word): void;
  /** Resolves when every command started has ended. */
  settle(): Promise<void>;
  /** Ends the commands that run. */
  end(): void;
}

/** A command that takes longer is ended. */
const LONGEST_RUN_MS = 60_000;

/** Commands that run at once; further ones wait their turn. */
const CONCURRENCY = 8;

/** As much of what a command says is kept to explain its failure. */
const MAX_LAST_WORDS = 300;
const LAST_WORDS_MS = 500;

export interface HookOptions {
  /** For the user's shell. It is never changed: what comes from a service goes around it. */
  readonly command: string;
  readonly io: Pick<Io, 'env' | 'sleep' | 'signal' | 'processes'>;
  /** Given what the command prints, as it prints it. */
  readonly onOutput: (text: string) => void;
  /** Told of failures and overruns, which are no failure of the caller's. */
  readonly onTrouble: (sentence: string) => void;
}

export function createHook({ command, io, onOutput, onTrouble }: HookOptions): Hook {
  const limit = pLimit(CONCURRENCY);
  const running = new Set<Promise<void>>();
  const quit = new AbortController();
  const ending = AbortSignal.any([io.signal, quit.signal]);
  // Each command that runs listens, and eight of them are no leak.
  setMaxListeners(0, ending);

  async function runOnce({ variables, input }: Word): Promise<void> {
    const child = spawn(command, {
      shell: true,
      // A group of its own, so that whatever the shell started can be ended with it.
      detached: true,
      env: { ...io.env, ...onOneLine(variables) },
    });
    let lastWords = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        lastWords = (lastWords + text).slice(-MAX_LAST_WORDS);
        onOutput(text);
      });
    }
    // A command need not read what it is told.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const problem = await watchOver(child);
    if (problem === undefined || ending.aborted) return;
    const words = lastWords.trim().split('\n').at(-1);
    onTrouble(`--exec ${problem}${words ? `: ${words}` : '.'}`);
  }

  /** Waits for a command to end, or ends it. @returns what was wrong with it, if anything */
  async function watchOver(child: ChildProcessWithoutNullStreams): Promise<string | undefined> {
    const over = new AbortController();
    const end = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) io.processes.endGroup(child.pid, signal);
    };
    const interrupt = (): void => end('SIGTERM');
    ending.addEventListener('abort', interrupt, { once: true });
    const exit = new Promise<string | undefined>((resolve) => {
      child.on('error', (error) => resolve(`could not be started (${error.message})`));
      // Not "close": what it left running in the background may keep its output open.
      child.on('exit', (code, signal) =>
        resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`),
      );
    });
    const closed = new Promise((resolve) => child.on('close', resolve));
    const overrun = io.sleep(LONGEST_RUN_MS, over.signal).then(
      () => {
        end('SIGKILL');
        return `took over ${LONGEST_RUN_MS / 1000} s and was ended`;
      },
      () => exit,
    );
    try {
      const problem = await Promise.race([exit, overrun]);
      // The last of its output may come a moment after its end.
      await Promise.race([closed, io.sleep(LAST_WORDS_MS, over.signal).catch(() => {})]);
      return problem;
    } finally {
      over.abort();
      ending.removeEventListener('abort', interrupt);
      for (const stream of child.stdio) (stream as Socket).unref();
    }
  }

  return {
    run(word) {
      const one = limit(() => (ending.aborted ? undefined : runOnce(word)))
        .catch((error: Error) => onTrouble(`--exec could not be started (${error.message}).`))
        .then(() => void running.delete(one));
      running.add(one);
    },
    end: () => quit.abort(),
    settle: async () => void (await Promise.all(running)),
  };
}

/** A longer variable could keep the command from being started: Linux takes 128 KiB each (E2BIG). */
const LONGEST_VALUE = 4096;

/**
 * Variables without line breaks and other controls: a command may put one where a line break starts
 * a further header, as `mail -s` does. An environment cannot hold NUL at all.
 */
function onOneLine(variables: Word['variables']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      blankControls(value.slice(0, LONGEST_VALUE)),
    ]),
  );
}
