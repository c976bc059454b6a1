import type { Writable } from 'node:stream';

/** The system as commands see it; tests replace it. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Writes a short text to stdout synchronously, and ignores errors. */
  print(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined where stdin is not a terminal. */
  readonly keyboard: Keyboard | undefined;
  /** Undefined where the stream is not a terminal. */
  readonly stdoutTerminal: Terminal | undefined;
  readonly stderrTerminal: Terminal | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the reason of `signal` when that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  readonly processes: Processes;
  readonly runtime: Runtime;
  /** Aborts with an InterruptedError when the user or the system ends the command. */
  readonly signal: AbortSignal;
  /**
   * Calls `listener` at SIGHUP, which then ends the command only if its terminal was closed.
   * @returns a function that stops listening
   */
  onHangUp(listener: () => void): () => void;
}

/** The platform and installation of vane. */
export interface Runtime {
  readonly platform: NodeJS.Platform;
  /** The folder of the installed package. */
  readonly packageFolder: string;
  /** The effective user id; undefined where files have no owner (Windows). */
  readonly user: number | undefined;
  /** Versions of Node and its parts by name: `node`, `v8`. */
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/** Processes of the machine, by their ids. */
export interface Processes {
  readonly own: number;
  isAlive(id: number): boolean;
  /** Sends a signal to the process group that a process leads. */
  endGroup(id: number, signal: NodeJS.Signals): void;
}

/** A terminal; its size is the current one. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** @returns a function that stops listening */
  onResize(listener: () => void): () => void;
}

/** A keyboard, read key by key. */
export interface Keyboard {
  /**
   * Calls `onKey` with each key by its character (`q`) or its name in Node's readline (`pageup`),
   * until the returned function is called. Ctrl-C interrupts as usual; Ctrl-Z comes as `suspend`.
   */
  listen(onKey: (key: string) => void): () => void;
  /** The bytes that the terminal sends until they are a whole reply, or the time is over. */
  readReply(isWhole: (text: string) => boolean, timeoutMs: number): Promise<string>;
  /** Stops the whole job, as Ctrl-Z does; returns when it is continued. */
  suspend(): void;
}

/**
 * Whether to colour a stream. A flag on the command line decides, then FORCE_COLOR, then
 * NO_COLOR (no-color.org), then whether a terminal that knows colours is there.
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
 * The colours that a stream shows, as chalk counts them: none (0), 16 (1), 256 (2) or all (3), by
 * FORCE_COLOR, COLORTERM and TERM.
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
 * Whether people see more than ASCII, by the locale (POSIX: the first of LC_ALL, LC_CTYPE and LANG
 * that is set). The font of Linux' own console lacks most of it.
 */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM, WT_SESSION }: Io['env']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  if (!locale) return WT_SESSION !== undefined;
  return TERM !== 'linux' && /utf-?8/i.test(locale);
}

/**
 * The width that lines on stdout should fit: that of its terminal, else COLUMNS, which programs
 * such as `watch` set. Undefined where neither is known.
 */
export function widthOfStdout({ stdoutTerminal, env }: Pick<Io, 'stdoutTerminal' | 'env'>) {
  if (stdoutTerminal !== undefined) return stdoutTerminal.columns;
  const columns = Number(env.COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

/** Settles like `promise`, or rejects with the reason of `signal` as soon as that aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const stopListening = (): void => signal.removeEventListener('abort', abort);
    promise.then(resolve, reject).finally(stopListening);
  });
}

/** The longest wait of a timer of Node, which fires at once when given more. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
