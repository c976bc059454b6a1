import { UnavailableError, VaneError } from '../errors.ts';
import { MAX_TIMER_MS } from '../io.ts';

interface PollOptions {
  /** Time between polls, milliseconds. */
  readonly intervalMs: number;
  /** Number of polls after which polling ends; undefined for no limit. */
  readonly count: number | undefined;
  /** Polling ends before this time, milliseconds since 1970; undefined for no limit. */
  readonly untilMs: number | undefined;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Ends the polling, which then throws the signal's reason. */
  readonly signal: AbortSignal;
  /** Called before each poll that sends a request. */
  readonly onSend?: () => void;
}

/** The outcome of a poll: a response or a failure. */
interface Poll<T> {
  /** Time of the poll, milliseconds since 1970. */
  readonly atMs: number;
  readonly outcome: { readonly response: T } | { readonly failure: VaneError };
  /** When the next poll is due, milliseconds since 1970; undefined after the last poll. */
  readonly nextMs: number | undefined;
}

/**
 * Polls at fixed times, `intervalMs` apart from the first poll on. A slow response does not delay
 * the next poll, and polls missed while the machine slept are skipped. Failed polls are yielded
 * too. During the Retry-After of a failed poll, further polls repeat its failure without a request.
 * @throws the reason of `signal`; any error of `sendRequest` that is not a VaneError
 */
export async function* poll<T>(
  sendRequest: (signal: AbortSignal) => Promise<T>,
  options: PollOptions,
): AsyncGenerator<Poll<T>> {
  const { intervalMs, count = Number.POSITIVE_INFINITY, untilMs, now, sleep, signal } = options;
  let gridMs = now();
  let notBeforeMs = gridMs;
  let outcome: Poll<T>['outcome'] | undefined;
  for (let polls = 1; ; polls++) {
    const atMs = now();
    // If the clock was set back, the poll would be due in the future: restart from now.
    if (atMs < gridMs) gridMs = atMs;
    if (atMs >= notBeforeMs || outcome === undefined) {
      options.onSend?.();
      outcome = await tryOnce(sendRequest, signal);
      notBeforeMs = now() + retryAfterOf(outcome);
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

  /** Sleeps until a time, even if a timer fires early. If the clock is set back, the wait ends. */
  async function sleepUntil(dueMs: number): Promise<void> {
    let leftMs = dueMs - now();
    let last = now();
    while (leftMs > 0) {
      await sleep(Math.min(leftMs, MAX_TIMER_MS), signal);
      if (now() < last) return;
      last = now();
      leftMs = dueMs - last;
    }
    signal.throwIfAborted();
  }
}

async function tryOnce<T>(
  sendRequest: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Poll<T>['outcome']> {
  signal.throwIfAborted();
  // Give each poll its own signal, so that listeners do not accumulate on the outer one.
  const one = new AbortController();
  const forward = (): void => one.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  try {
    return { response: await sendRequest(one.signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VaneError) return { failure: error };
    throw error;
  } finally {
    signal.removeEventListener('abort', forward);
  }
}

function retryAfterOf(outcome: Poll<unknown>['outcome']): number {
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  return failure instanceof UnavailableError ? (failure.retryAfterMs ?? 0) : 0;
}
