import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { run } from './cli.ts';
import { errorCode, InterruptedError, SIGNALS } from './errors.ts';
import type { Io, Keyboard, Terminal } from './io.ts';

const interruption = new AbortController();

for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
  process.on(signal, () => {
    if (!interruption.signal.aborted) interruption.abort(new InterruptedError(signal));
    else {
      // A second one does not wait for what the first set in motion, nor for a stuck write.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

// A reader that has gone is found out by the write that meets it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

function terminalOf(stream: WriteStream): Terminal | undefined {
  if (!stream.isTTY) return undefined;
  return {
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    onResize(listener) {
      stream.on('resize', listener);
      return () => stream.off('resize', listener);
    },
  };
}

function keyboardOf(stream: ReadStream): Keyboard | undefined {
  if (!stream.isTTY) return undefined;
  return {
    listen(onKey) {
      // Without line editing Ctrl-C and Ctrl-Z are keys like others; the whole job gets what it
      // would have got.
      const onData = (bytes: Buffer): void => {
        const text = bytes.toString('latin1');
        // What comes at once is one key, as an arrow is, or pasted: only plain keys mean anything.
        if (text === '\u0003') process.kill(0, 'SIGINT');
        else onKey(text === '\u001a' ? 'suspend' : text);
      };
      stream.setRawMode(true).resume().on('data', onData);
      return () => void stream.off('data', onData).setRawMode(false).pause();
    },
    suspend() {
      stream.setRawMode(false);
      process.kill(0, 'SIGTSTP');
      stream.setRawMode(true);
    },
  };
}

/** @returns whether there is a process to take it */
function sendSignal(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, signal);
  } catch (error) {
    // One that belongs to somebody else is there all the same.
    return errorCode(error) === 'EPERM';
  }
}

const io: Io = {
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  // Opening stdin takes its time, and few commands read it.
  get keyboard() {
    return keyboardOf(process.stdin);
  },
  stdoutTerminal: terminalOf(process.stdout),
  stderrTerminal: terminalOf(process.stderr),
  now: Date.now,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
  },
  random: Math.random,
  processes: {
    own: process.pid,
    isAlive: (id) => sendSignal(id, 0),
    endGroup: (id, signal) => void sendSignal(-id, signal),
  },
  runtime: { platform: process.platform, versions: process.versions },
  signal: interruption.signal,
};

void run(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
  // Whoever ended it does not wait for a reader that takes nothing more.
  if (interruption.signal.aborted) process.exit();
});
