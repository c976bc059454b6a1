import pLimit from 'p-limit';

/** A right to have one request running. */
export interface Slot {
  /** Waits until the slot is free; does nothing where it is held already. */
  take(): Promise<void>;
  /** Hands the slot to the longest waiting request. */
  release(): void;
}

/** A semaphore: at most `concurrency` of its slots are held at once, in the order of requests. */
export function createSemaphore(concurrency: number): () => Slot {
  const limit = pLimit(concurrency);
  return () => {
    let end: (() => void) | undefined;
    return {
      async take() {
        if (end !== undefined) return;
        await new Promise<void>((begin) => {
          const hold = () =>
            new Promise<void>((resolve) => {
              end = resolve;
              begin();
            });
          void limit(hold);
        });
      },
      release() {
        end?.();
        end = undefined;
      },
    };
  };
}
