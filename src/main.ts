import { writeSync } from 'node:fs';
import { emitKeypressEvents, type Key } from 'node:readline';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { isatty, type ReadStream, type WriteStream } from 'node:tty';
import { EXIT_CODES, InterruptedError, SIGNAL_ENDINGS, type SignalName } from './errors.ts';
import type { Io, Keyboard, Terminal } from './io.ts';
import { VERSION } from './version.ts';

let interruption: AbortController | undefined;
const listeners = new Map<SignalName, () => void>();

/** Listeners to SIGHUP. If there are none, SIGHUP ends the command. */
const onHangUp = new Set<() => void>();

/** Starts to listen to signals. vane only needs this once there is something to clean up. */
function listenToSignals(): AbortSignal {
  if (interruption !== undefined) return interruption.signal;
  const controller = new AbortController();
  interruption = controller;
  const terminals = [0, 1, 2].filter(isatty);
  for (const signal of Object.keys(SIGNAL_ENDINGS) as SignalName[]) {
    listeners.set(signal, () => {
      // isatty is false for a closed terminal. In that case, SIGHUP ends the command.
      const goesOn = signal === 'SIGHUP' && onHangUp.size > 0 && terminals.every(isatty);
      if (goesOn) for (const listener of onHangUp) listener();
      // A second signal ends the process at once, even if a write is stuck.
      else if (controller.signal.aborted) endBy(signal);
      else controller.abort(new InterruptedError(signal));
    });
  }
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return controller.signal;
}

/** See {@link Io.compute}. */
async function compute<T>(work: () => T | Promise<T>): Promise<T> {
  // Let a pending signal reach its listener before that is removed: otherwise the signal would be
  // lost.
  await setImmediate();
  interruption?.signal.throwIfAborted();
  for (const [signal, listener] of listeners) process.off(signal, listener);
  try {
    return await work();
  } finally {
    for (const [signal, listener] of listeners) process.on(signal, listener);
  }
}

/**
 * Ends the process by the signal itself, so that a shell that runs vane in a loop stops the loop.
 */
function endBy(signal: SignalName): never {
  for (const id of endingGroups) endGroup(id, 'SIGKILL');
  // Windows has no signals, and process 1 of a container survives its own signal: exit instead.
  process.removeAllListeners(signal);
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  process.exit(SIGNAL_ENDINGS[signal].exitCode);
}

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
      // In raw mode, Ctrl-C and Ctrl-Z arrive as keys. Signal the whole job, as the terminal would.
      const onKeypress = (_text: string | undefined, { sequence = '', name, ctrl }: Key): void => {
        if (ctrl && name === 'c') process.kill(0, 'SIGINT');
        else if (ctrl) onKey(name === 'z' ? 'suspend' : '');
        else onKey([...sequence].length === 1 ? sequence : (name ?? ''));
      };
      emitKeypressEvents(stream);
      stream.setRawMode(true).resume().on('keypress', onKeypress);
      return () => void stream.off('keypress', onKeypress).setRawMode(false).pause();
    },
    suspend() {
      stream.setRawMode(false);
      process.kill(0, 'SIGTSTP');
      stream.setRawMode(true);
    },
  };
}

/** Process groups that got SIGTERM and have not ended yet. */
const endingGroups = new Set<number>();

/** See {@link Io.endGroup}. */
function endGroup(id: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (signal === 'SIGTERM') endingGroups.add(id);
  if (signal === 'SIGKILL') endingGroups.delete(id);
  try {
    process.kill(-id, signal);
    return true;
  } catch {
    // The group has already ended, or belongs to another user.
    endingGroups.delete(id);
    return false;
  }
}

function openIo(): Io {
  const { stdout, stderr } = process;
  // Each write reports its own error. Without a listener, an `error` event would crash vane.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  return {
    // Open stdin at first use, since few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env: process.env,
    get keyboard() {
      return keyboardOf(process.stdin);
    },
    stdoutTerminal: terminalOf(stdout),
    stderrTerminal: terminalOf(stderr),
    now: Date.now,
    sleep: async (ms, signal) => {
      await wait(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
    },
    random: Math.random,
    endGroup,
    compute,
    runtime: { platform: process.platform, user: process.geteuid?.() },
    get signal() {
      return listenToSignals();
    },
    onHangUp(listener) {
      listenToSignals();
      onHangUp.add(listener);
      return () => void onHangUp.delete(listener);
    },
  };
}

async function main(args: readonly string[]): Promise<number> {
  // Print --version without loading the command line, which takes time.
  if (args.length === 1 && args[0] === '--version') {
    try {
      writeSync(1, `${VERSION}\n`);
      return EXIT_CODES.done;
    } catch {
      // On failure, run the full command line below, which explains the error.
    }
  }
  const { run } = await import('./cli.ts');
  return run(args, openIo());
}

// If a promise never settles, Node exits with 0. Exit with 1 instead and report the bug. The code
// must not be set earlier, since commander reads process.exitCode as the result of `vane help`.
process.once('beforeExit', () => {
  if (process.exitCode !== undefined) return;
  process.exitCode = EXIT_CODES.defect;
  process.stderr.write('vane: vane stopped unexpectedly. This is a bug; please report it.\n');
});
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  if (!interruption?.signal.aborted) return;
  const { signal, exitCode } = interruption.signal.reason as InterruptedError;
  // Node 20 crashes in process.exit after its terminal was closed: end by SIGHUP instead.
  if (code === exitCode || signal === 'SIGHUP') endBy(signal);
  // Exit at once after a signal: a reader of the output may be stuck.
  process.exit();
});
