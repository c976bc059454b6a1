import { setMaxListeners } from 'node:events';
import type { Writable } from 'node:stream';

/** The operating system as commands see it; tests replace it with a fake. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The keyboard on stdin; undefined where stdin is not a terminal. */
  readonly keyboard: Keyboard | undefined;
  /** The terminal that a stream writes to; undefined where the stream goes to a file or pipe. */
  readonly stdoutTerminal: Terminal | undefined;
  readonly stderrTerminal: Terminal | undefined;
  /** The current time, milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the reason of `signal` if that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
  /**
   * Sends a signal to the process group that a process leads; 0 sends none.
   * @returns whether the group has a process that this user may end
   */
  endGroup(id: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean;
  /**
   * Runs a computation that may take long. A signal meanwhile ends vane at once, as if vane listened
   * to none: no listener runs before the computation is over.
   */
  compute<T>(work: () => T | Promise<T>): Promise<T>;
  readonly runtime: Runtime;
  /** Aborts with an InterruptedError when the user or the system ends the command. */
  readonly signal: AbortSignal;
  /**
   * Calls `listener` at SIGHUP, which then ends the command only if its terminal was closed.
   * @returns a function that stops listening
   */
  onHangUp(listener: () => void): () => void;
}

/** The system and the user that vane runs for. */
export interface Runtime {
  readonly platform: NodeJS.Platform;
  /** The effective user id; undefined where files have no owner (Windows). */
  readonly user: number | undefined;
}

/** A terminal; `columns` and `rows` are its current size. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /**
   * Calls `listener` whenever the size of the terminal changes.
   * @returns a function that stops listening
   */
  onResize(listener: () => void): () => void;
}

export interface Keyboard {
  /**
   * Calls `onKey` with each key pressed, by its character (`q`) or its name in Node's readline
   * (`pageup`), until the returned function is called. Ctrl-C interrupts vane as usual; Ctrl-Z
   * comes as the key `suspend`.
   */
  listen(onKey: (key: string) => void): () => void;
  /** Stops vane and its job, as Ctrl-Z does; returns when the user continues the job. */
  suspend(): void;
}

/**
 * Whether to colour a stream. The first that is set decides: the flag, FORCE_COLOR, NO_COLOR
 * (no-color.org). Otherwise a terminal that knows colours is coloured.
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

/** How many colours a stream shows, as a level of chalk: 0 none, 1 for 16, 2 for 256, 3 all. */
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
 * Whether the terminal shows characters beyond ASCII, by the locale (POSIX: the first of LC_ALL,
 * LC_CTYPE and LANG that is set). The font of the Linux console (TERM=linux) lacks most of them.
 */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM, WT_SESSION }: Io['env']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  if (!locale) return WT_SESSION !== undefined;
  return TERM !== 'linux' && /utf-?8/i.test(locale);
}

/**
 * The width that lines on stdout should fit: of the terminal, else COLUMNS, which programs such as
 * `watch` set. Undefined without both.
 */
export function widthOfStdout({ stdoutTerminal, env }: Pick<Io, 'stdoutTerminal' | 'env'>) {
  if (stdoutTerminal !== undefined) return stdoutTerminal.columns;
  const columns = Number(env.COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

/** Settles like `promise`, but rejects with the reason of `signal` as soon as `signal` aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Each wait stops listening: more than ten waits, as of the stations of a picture, are no leak.
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
 * A signal that aborts with the first of others, until it is disposed of. `AbortSignal.any` leaves
 * an entry in each of them that outlives the signal (nodejs/node#64476): a leak for each request.
 */
export function anySignal(...sources: readonly AbortSignal[]) {
  const any = new AbortController();
  // Each request under way listens: more than ten listeners are no leak to warn of.
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

/** The longest wait in milliseconds that a timer of Node takes; a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A name for a temporary file, of 48 random bits against collisions with other processes. */
export function randomName(random: Io['random']): string {
  return Math.floor(random() * 2 ** 48).toString(36);
}
