import { UnavailableError, VaneError } from '../errors.ts';
import { LONGEST_TIMER_MS } from '../io.ts';

export interface PollOptions {
  /** Length of the grid's steps, milliseconds. */
  readonly intervalMs: number;
  /** At most so many polls; undefined for no end. */
  readonly count: number | undefined;
  /** No poll at or after this, milliseconds since 1970; undefined for no end. */
  readonly untilMs: number | undefined;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Ends the polling with its reason. */
  readonly signal: AbortSignal;
  /** Told before each poll. */
  readonly onSend?: () => void;
}

/** What came of one poll. */
export interface Poll<T> {
  /** When it was sent, milliseconds since 1970. */
  readonly atMs: number;
  readonly outcome: { readonly answer: T } | { readonly failure: VaneError };
  /** When the next one is due; undefined after the last. */
  readonly nextMs: number | undefined;
}

/**
 * Asks again and again, on a grid that starts with the first poll: a slow answer does not put
 * the next poll off, and polls that were missed because the machine slept are not made up for. A
 * failed poll is an outcome like any other; while the service asks to be left alone it stands for
 * further ones, which are not sent.
 * @throws the reason of `signal`; whatever `ask` throws besides a VaneError
 */
export async function* poll<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  options: PollOptions,
): AsyncGenerator<Poll<T>> {
  const { intervalMs, count = Number.POSITIVE_INFINITY, untilMs, now, sleep, signal } = options;
  let gridMs = now();
  let notBeforeMs = gridMs;
  let outcome: Poll<T>['outcome'] | undefined;
  for (let polls = 1; ; polls++) {
    const atMs = now();
    // A clock that was set back would keep the next poll waiting.
    if (atMs < gridMs) gridMs = atMs;
    if (atMs >= notBeforeMs || outcome === undefined) {
      options.onSend?.();
      outcome = await tryOnce(ask, signal);
      notBeforeMs = now() + waitAskedFor(outcome);
    }
    const steps = Math.floor((now() - gridMs) / intervalMs) + 1;
    const dueMs = gridMs + Math.max(1, steps) * intervalMs;
    const isLast = polls >= count || (untilMs !== undefined && dueMs >= untilMs);
    yield { atMs, outcome, nextMs: isLast ? undefined : dueMs };
    if (isLast) {
      if (polls < count && untilMs !== undefined) await sleepUntil(untilMs);
      return;
    }
    gridMs = dueMs;
    await sleepUntil(dueMs);
  }

  /** A timer may fire early; a clock set back must not make the wait longer than a step. */
  async function sleepUntil(dueMs: number): Promise<void> {
    let leftMs = dueMs - now();
    let last = now();
    while (leftMs > 0) {
      await sleep(Math.min(leftMs, LONGEST_TIMER_MS), signal);
      if (now() < last) return;
      last = now();
      leftMs = dueMs - last;
    }
    signal.throwIfAborted();
  }
}

async function tryOnce<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Poll<T>['outcome']> {
  signal.throwIfAborted();
  // A signal of its own, so that what listens to it goes when the poll is over.
  const one = new AbortController();
  const forward = (): void => one.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  try {
    return { answer: await ask(one.signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VaneError) return { failure: error };
    throw error;
  } finally {
    signal.removeEventListener('abort', forward);
  }
}

function waitAskedFor(outcome: Poll<unknown>['outcome']): number {
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  return failure instanceof UnavailableError ? (failure.retryAfterMs ?? 0) : 0;
}
