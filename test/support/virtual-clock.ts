interface Timer {
  readonly dueMs: number;
  readonly wake: () => void;
}

export interface VirtualClock {
  now(): number;
  /** Replaces `sleep` of an Io: a sleep ends when this clock reaches its end. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` when the clock reaches a time. */
  at(ms: number, act: () => void): void;
  /** Sets the clock forward or back without ending sleeps, as after the machine itself slept. */
  skip(ms: number): void;
  /** Lets time pass from sleep to sleep until `work` is done. */
  run<T>(work: Promise<T>): Promise<T>;
  /** How many sleeps are waiting for the clock. */
  readonly sleepers: number;
}

/**
 * A clock for tests. It stands still during work, and jumps to the end of the next sleep when all
 * tasks sleep.
 * @param isIdle whether no work outside of the event loop, such as a child process, is pending
 */
export function virtualClock(startMs: number, isIdle = () => true): VirtualClock {
  let time = startMs;
  /** Milliseconds by which `skip` has moved the clock. */
  let offsetMs = 0;
  const timers = new Set<Timer>();

  async function settle(): Promise<void> {
    for (let turns = 0; turns < 2; turns++) {
      await new Promise(setImmediate);
      while (!isIdle()) await new Promise(setImmediate);
    }
  }

  function wakeNext(): void {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (next === undefined || timer.dueMs < next.dueMs) next = timer;
    }
    if (next === undefined) return;
    timers.delete(next);
    time = Math.max(time, next.dueMs);
    next.wake();
  }

  return {
    now: () => time + offsetMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = (): void => {
          timers.delete(timer);
          reject(signal?.reason);
        };
        const timer: Timer = {
          dueMs: time + ms,
          wake() {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        timers.add(timer);
      }),
    at: (ms, act) => void timers.add({ dueMs: ms, wake: act }),
    skip(ms) {
      offsetMs += ms;
    },
    async run(work) {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      done.catch(() => {});
      while (!isDone) {
        await settle();
        if (!isDone) wakeNext();
      }
      return done;
    },
    get sleepers() {
      return timers.size;
    },
  };
}
