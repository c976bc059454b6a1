import pLimit from 'p-limit';

/** A place among those that may have a request under way. */
export interface Slot {
  /** Waits for the place; one that is held already is kept. */
  take(): Promise<void>;
  /** Gives the place to whoever waits the longest. */
  release(): void;
}

/** Hands out `concurrency` places, to those that wait in their order. */
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
