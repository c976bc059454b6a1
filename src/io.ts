import { setMaxListeners } from 'node:events';
import type { Writable } from 'node:stream';

/** The operating system as commands see it. Tests replace it with a fake. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The keyboard on stdin; undefined if stdin is not a terminal. */
  readonly keyboard: Keyboard | undefined;
  /** The terminal behind stdout; undefined for a file or pipe. */
  readonly stdoutTerminal: Terminal | undefined;
  readonly stderrTerminal: Terminal | undefined;
  /** The current time, milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the reason of `signal` if that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 to below 1. */
  random(): number;
  /**
   * Sends a signal to a process group, given by its leader's id; 0 only checks the group.
   * @returns whether the group has a process that this user may end
   */
  endGroup(id: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean;
  /**
   * Runs a long computation. Until it is over, a signal ends vane at once, as if vane had no signal
   * listeners.
   */
  compute<T>(work: () => T | Promise<T>): Promise<T>;
  readonly runtime: Runtime;
  /** Aborts with an InterruptedError when the user or the system ends the command. */
  readonly signal: AbortSignal;
  /**
   * Calls `listener` at SIGHUP. With a listener, SIGHUP only ends the command if its terminal was
   * closed.
   * @returns a function that removes the listener
   */
  onHangUp(listener: () => void): () => void;
}

/** The operating system and the user that vane runs as. */
export interface Runtime {
  readonly platform: NodeJS.Platform;
  /** The effective user id; undefined if files have no owner (Windows). */
  readonly user: number | undefined;
}

/** A terminal. `columns` and `rows` are its current size. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /**
   * Calls `listener` whenever the terminal's size changes.
   * @returns a function that removes the listener
   */
  onResize(listener: () => void): () => void;
}

export interface Keyboard {
  /**
   * Calls `onKey` with each pressed key, either its character (`q`) or its name in Node's readline
   * (`pageup`). Ctrl-C interrupts vane as usual; Ctrl-Z is passed as the key `suspend`.
   * @returns a function that stops listening
   */
  listen(onKey: (key: string) => void): () => void;
  /** Suspends vane and its job, as Ctrl-Z does. Returns when the user resumes the job. */
  suspend(): void;
}

/**
 * Whether to colour a stream. The first of these that is set decides: the flag, FORCE_COLOR,
 * NO_COLOR (no-color.org). By default, terminals that support colours are coloured.
 */
export function usesColour(
  flag: boolean | undefined,
  env: Io['env'],
  terminal: Terminal | undefined,
): boolean {
  if (flag !== undefined) return flag;
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return terminal !== undefined && TERM !== 'dumb';
}

/**
 * The number of colours of a stream as a level of chalk: 0 for none, 1 for 16, 2 for 256, 3 for
 * all.
 */
export function colourLevel(
  flag: boolean | undefined,
  env: Io['env'],
  terminal: Terminal | undefined,
): 0 | 1 | 2 | 3 {
  if (!usesColour(flag, env, terminal)) return 0;
  const { FORCE_COLOR, COLORTERM = '', TERM = '', WT_SESSION } = env;
  if (flag === undefined && (FORCE_COLOR === '1' || FORCE_COLOR === '2' || FORCE_COLOR === '3')) {
    return Number(FORCE_COLOR) as 1 | 2 | 3;
  }
  if (/^(?:truecolor|24bit)$/i.test(COLORTERM) || /-direct$|kitty|ghostty/.test(TERM)) return 3;
  if (WT_SESSION !== undefined) return 3;
  return /256/.test(TERM) ? 2 : 1;
}

/**
 * Whether the terminal shows characters beyond ASCII. The locale decides (POSIX: the first of
 * LC_ALL, LC_CTYPE and LANG that is set). The Linux console (TERM=linux) lacks most characters in
 * its font.
 */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM, WT_SESSION }: Io['env']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  if (!locale) return WT_SESSION !== undefined;
  return TERM !== 'linux' && /utf-?8/i.test(locale);
}

/**
 * The width for lines on stdout: that of the terminal, else COLUMNS, which programs such as `watch`
 * set; undefined without both.
 */
export function widthOfStdout({ stdoutTerminal, env }: Pick<Io, 'stdoutTerminal' | 'env'>) {
  if (stdoutTerminal !== undefined) return stdoutTerminal.columns;
  const columns = Number(env.COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

/** Settles like `promise`, but rejects with the reason of `signal` as soon as that aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Allow many listeners: each wait removes its own, so more than ten are no leak.
  setMaxListeners(0, signal);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const stopListening = (): void => signal.removeEventListener('abort', abort);
    promise.then(resolve, reject).finally(stopListening);
  });
}

/**
 * Creates a signal that aborts when any of the sources does, until it is disposed.
 * `AbortSignal.any` would leak: it leaves an entry in each source (nodejs/node#64476).
 */
export function anySignal(...sources: readonly AbortSignal[]) {
  const any = new AbortController();
  // Allow many listeners: each running request has one, so more than ten are no leak.
  setMaxListeners(0, ...sources);
  const listeners = sources.map((source) => {
    const abort = (): void => any.abort(source.reason);
    if (source.aborted) abort();
    source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  return {
    signal: any.signal,
    [Symbol.dispose](): void {
      for (const stopListening of listeners) stopListening();
    },
  };
}

/** The longest wait of a Node timer in milliseconds. A longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A name for a temporary file with 48 random bits, so that processes do not collide. */
export function randomFileSuffix(random: Io['random']): string {
  return Math.floor(random() * 2 ** 48).toString(36);
}
