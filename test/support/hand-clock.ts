import { NOW } from './fixture-service.ts';

export interface HandClock {
  now(): number;
  /** As Io has it, in this clock's time. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves on, and wakes whoever slept until then. */
  advance(ms: number): void;
  /** Sleepers at this moment. */
  readonly sleepers: number;
}

/** A clock that only the test moves, so that nothing depends on how fast the machine is. */
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
