import { NOW } from './fixture-service.ts';

export interface HandClock {
  now(): number;
  /** Replaces `sleep` of an Io: a sleep ends when this clock reaches its end. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves the clock on, and ends the sleeps that are due. */
  advance(ms: number): void;
  /** How many sleeps are waiting for the clock. */
  readonly sleepers: number;
}

/** A clock that only the test moves, so that no test depends on the speed of the machine. */
export function handClock(startMs = NOW): HandClock {
  let time = startMs;
  const timers = new Set<{ readonly dueMs: number; readonly wake: () => void }>();
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = (): void => {
          timers.delete(timer);
          reject(signal?.reason);
        };
        const timer = {
          dueMs: time + ms,
          wake() {
            timers.delete(timer);
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        timers.add(timer);
      }),
    advance(ms) {
      time += ms;
      for (const timer of [...timers]) if (timer.dueMs <= time) timer.wake();
    },
    get sleepers() {
      return timers.size;
    },
  };
}
