import type { Writable } from 'node:stream';

/** Everything of the world outside that a command may touch, so that a test can hand it another. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads it, and how wide their window is. */
  readonly stdoutTerminal: Terminal | undefined;
  readonly stderrTerminal: Terminal | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the reason of `signal` when that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  /** Aborts with an InterruptedError when the user or the system ends the command. */
  readonly signal: AbortSignal;
}

export interface Terminal {
  readonly columns: number;
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
