import pLimit from 'p-limit';

/** A place among those that may have a request under way. */
export interface Turn {
  /** Waits for the place; one that is held already is kept. */
  take(): Promise<void>;
  /** Gives the place to whoever waits the longest. */
  giveBack(): void;
}

/** Hands out `concurrency` places, to those that wait in their order. */
export function createTurns(concurrency: number): () => Turn {
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
      giveBack() {
        end?.();
        end = undefined;
      },
    };
  };
}
