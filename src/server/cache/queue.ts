import { UnavailableError } from '../../errors.ts';

/** The Retry-After with which the server refuses a request when its queue is full. */
export const TRY_LATER_MS = 10_000;

/** A client that waits for an answer, or the first of several. */
export interface Caller {
  /** Aborts when no client waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The key of the client: each has a share of the places. */
  readonly client: string;
}

/** One client takes at most this share of the places, so that others get through. */
const CLIENT_SHARE = 1 / 8;

/**
 * A queue of tasks: some run at once, the others wait. A task can leave the queue until it runs.
 * @param concurrency most tasks that run at once, 1 or more
 * @param maxWaiting most tasks that wait before further ones are refused
 * @param maxOfClient most tasks of one client that run at once, 1 or more
 */
export function createQueue(concurrency: number, maxWaiting: number, maxOfClient: number) {
  /** The clients of the running tasks. */
  const running: string[] = [];
  /** The functions that start the waiting tasks, the earliest first, with the tasks' clients. */
  const waiting = new Map<() => void, string>();

  function mayRun(client: string): boolean {
    return running.length < concurrency && count(running, client) < maxOfClient;
  }

  function isFull(client: string): boolean {
    const own = count([...waiting.values()], client);
    return waiting.size >= maxWaiting || own >= Math.floor(maxWaiting * CLIENT_SHARE);
  }

  function waitForSlot(client: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        waiting.delete(start);
        running.push(client);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(start);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.set(start, client);
    });
  }

  return {
    /**
     * Runs a task once a slot is free.
     * @param caller.signal takes the task out of the queue; a task that runs goes on
     * @throws UnavailableError when too many tasks wait; the reason of `signal`
     */
    async run<T>(task: () => Promise<T>, { signal, client }: Caller): Promise<T> {
      signal.throwIfAborted();
      if (mayRun(client)) running.push(client);
      else if (!isFull(client)) await waitForSlot(client, signal);
      else {
        throw new UnavailableError('Too many requests are waiting; try again later.', {
          retryAfterMs: TRY_LATER_MS,
        });
      }
      try {
        return await task();
      } finally {
        running.splice(running.indexOf(client), 1);
        const next = [...waiting].find(([, other]) => mayRun(other));
        next?.[0]();
      }
    },
  };
}

function count(clients: readonly string[], client: string): number {
  return clients.filter((other) => other === client).length;
}
