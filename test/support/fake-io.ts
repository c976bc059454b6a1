import { Readable, Writable } from 'node:stream';
import type { InterruptedError } from '../../src/errors.ts';
import type { Io, Terminal } from '../../src/io.ts';
import { NOW } from './fixture-service.ts';

export interface FakeIo extends Io {
  /** The text written so far to stdout (`out`) and to stderr (`err`). */
  readonly out: () => string;
  readonly err: () => string;
  /** How long each sleep would have taken, milliseconds; the sleeps end at once. */
  readonly sleeps: number[];
  interrupt(reason: InterruptedError): void;
  /** Acts as if SIGHUP came. @returns whether the command listens to the signal */
  hangUp(): boolean;
}

export interface FakeIoOptions {
  readonly env?: Io['env'];
  readonly stdoutTerminal?: WindowSize;
  readonly stderrTerminal?: WindowSize;
  readonly now?: number;
  readonly stdin?: string;
}

export interface WindowSize {
  readonly columns: number;
  readonly rows?: number;
}

const terminalOf = (size: WindowSize | undefined): Terminal | undefined =>
  size && { rows: 24, ...size, onResize: () => () => {} };

/** An Io that collects output. Its clock stands still, and its sleeps end at once. */
export function fakeIo({
  env,
  stdoutTerminal,
  stderrTerminal,
  now = NOW,
  stdin = '',
}: FakeIoOptions = {}): FakeIo {
  const [stdout, out] = collect();
  const [stderr, err] = collect();
  const interruption = new AbortController();
  const sleeps: number[] = [];
  const hangUpListeners = new Set<() => void>();
  return {
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
    out,
    err,
    sleeps,
    env: { LANG: 'C.UTF-8', ...env },
    keyboard: undefined,
    stdoutTerminal: terminalOf(stdoutTerminal),
    stderrTerminal: terminalOf(stderrTerminal),
    now: () => now,
    sleep: async (ms) => void sleeps.push(ms),
    random: () => 0.5,
    endGroup(id, signal) {
      try {
        return process.kill(-id, signal);
      } catch {
        return false;
      }
    },
    compute: async (work) => work(),
    runtime: {
      platform: 'linux',
      user: process.geteuid?.(),
    },
    signal: interruption.signal,
    onHangUp(listener) {
      hangUpListeners.add(listener);
      return () => void hangUpListeners.delete(listener);
    },
    hangUp() {
      for (const listener of hangUpListeners) listener();
      return hangUpListeners.size > 0;
    },
    interrupt: (reason) => interruption.abort(reason),
  };
}

function collect(): [Writable, () => string] {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(piece, _encoding, done) {
      pieces.push(String(piece));
      done();
    },
  });
  return [stream, () => pieces.join('')];
}
