import { UnavailableError } from '../../errors.ts';

/** The Retry-After with which the server refuses a request when its queue is full. */
export const TRY_LATER_MS = 10_000;

/** A client that waits for an answer, or the first of several. */
export interface Caller {
  /** Aborts when no client waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The key of the client, whom the queue serves in turn. */
  readonly client: string;
}

interface Task {
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** A client with tasks. */
interface Client {
  running: number;
  /** Tasks that wait, the earliest first. */
  readonly waiting: Set<Task>;
}

/**
 * A fair queue of tasks: some run at once, the others wait. The next task is one of the client with
 * the fewest running tasks, and among equals of the least recently served. A task can leave the
 * queue until it runs.
 * @param concurrency most tasks that run at once, 1 or more
 * @param maxWaiting most tasks that wait; one more makes the client with the most waiting tasks
 *   lose its newest
 * @param maxOfClient most tasks of one client that run at once, 1 or more
 */
export function createQueue(concurrency: number, maxWaiting: number, maxOfClient: number) {
  /** The clients with tasks, the least recently served first. */
  const clients = new Map<string, Client>();
  let running = 0;
  let waiting = 0;

  function startNext(): void {
    if (running >= concurrency) return;
    let next: Client | undefined;
    for (const client of clients.values()) {
      if (client.waiting.size === 0 || client.running >= maxOfClient) continue;
      if (!next || client.running < next.running) next = client;
    }
    const [task] = next?.waiting ?? [];
    task?.start();
  }

  /** Refuses a task, of the latest client if no other has more. */
  function refuseOne(latest: Client): void {
    let most = latest;
    for (const client of clients.values()) {
      if (client.waiting.size > most.waiting.size) most = client;
    }
    [...most.waiting].at(-1)?.refuse(
      new UnavailableError('Too many requests are waiting; try again later.', {
        retryAfterMs: TRY_LATER_MS,
      }),
    );
  }

  /** Waits for a slot. @returns a function that frees the slot */
  function takeSlot({ client: key, signal }: Caller): Promise<() => void> {
    const client = clients.get(key) ?? { running: 0, waiting: new Set() };
    clients.set(key, client);
    const forgetIfIdle = (): void => {
      if (client.running + client.waiting.size === 0) clients.delete(key);
    };
    const free = (): void => {
      client.running--;
      running--;
      forgetIfIdle();
      startNext();
    };
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        client.waiting.delete(task);
        waiting--;
        signal.removeEventListener('abort', abort);
        forgetIfIdle();
      };
      const abort = (): void => task.refuse(signal.reason);
      const task: Task = {
        start() {
          leave();
          client.running++;
          running++;
          clients.delete(key);
          clients.set(key, client);
          resolve(free);
        },
        refuse(reason) {
          leave();
          reject(reason);
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      client.waiting.add(task);
      waiting++;
      startNext();
      if (waiting > maxWaiting) refuseOne(client);
    });
  }

  return {
    /**
     * Runs a task once a slot is free.
     * @param caller.signal takes the task out of the queue; a task that runs goes on
     * @throws UnavailableError when too many tasks wait; the reason of `signal`
     */
    async run<T>(task: () => Promise<T>, caller: Caller): Promise<T> {
      caller.signal.throwIfAborted();
      const free = await takeSlot(caller);
      try {
        return await task();
      } finally {
        free();
      }
    },
  };
}
