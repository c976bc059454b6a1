import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { run } from './cli.ts';
import { InterruptedError, SIGNALS } from './errors.ts';
import type { Io, Terminal } from './io.ts';

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
  return stream.isTTY ? { columns: stream.columns || 80 } : undefined;
}

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  stdoutTerminal: terminalOf(process.stdout),
  stderrTerminal: terminalOf(process.stderr),
  now: Date.now,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
  },
  random: Math.random,
  signal: interruption.signal,
};

process.exitCode = await run(process.argv.slice(2), io);
// Whoever ended it does not wait for a reader that takes nothing more.
if (interruption.signal.aborted) process.exit();
