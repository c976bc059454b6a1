interface Timer {
  readonly dueMs: number;
  readonly wake: () => void;
}

export interface VirtualClock {
  now(): number;
  /** As Io has it, in this clock's time. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls something at a time. */
  at(ms: number, act: () => void): void;
  /** Sets the clock without letting time pass: whoever sleeps sleeps on, as when a machine sleeps. */
  skip(ms: number): void;
  /** Lets time pass as fast as everybody sleeps, until `work` is done. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Sleepers at this moment. */
  readonly sleepers: number;
}

/**
 * A clock for tests: time stands still while anything is to be done, and jumps to the next
 * sleeper's time when everybody sleeps.
 * @param isIdle whether nothing is under way that the event loop alone would not finish
 */
export function virtualClock(startMs: number, isIdle = () => true): VirtualClock {
  let time = startMs;
  /** What the clock was set by since the start. */
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
