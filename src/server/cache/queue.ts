import { LRUCache } from 'lru-cache';
import { UnavailableError } from '../../errors.ts';

/** The Retry-After of a request that is refused because the queue is full. */
export const FULL_QUEUE_RETRY_MS = 10_000;

/** Maximum number of clients whose last service is remembered. */
const MAX_CLIENTS = 10_000;

/** Called when a client begins to wait, and when it no longer waits. */
export type QueueFollower = (client: string, isWaiting: boolean) => void;

/** The clients that wait for one response: a single one, or several that share the work. */
export interface WaitingClients {
  /** Aborts when no client is waiting any more. */
  readonly signal: AbortSignal;
  /**
   * Calls a follower for each client that waits, now or later. The queue uses the clients' keys to
   * serve them in turn.
   * @returns a function that ends this; the follower is told that no client waits
   */
  readonly follow: (follower: QueueFollower) => () => void;
}

/** A single client that waits for its own response. */
export function oneWaitingClient({
  client,
  signal,
}: {
  client: string;
  signal: AbortSignal;
}): WaitingClients {
  const follow = (follower: QueueFollower) => {
    follower(client, true);
    return () => follower(client, false);
  };
  return { signal, follow };
}

interface Task {
  /** The clients that have a place in the queue for this task. */
  readonly clients: Set<string>;
  /** Starts the task on behalf of a client. */
  readonly start: (client: string) => void;
  /** Adds or removes a client's place for the task. A task without places fails. */
  readonly follower: QueueFollower;
}

interface Client {
  running: number;
  /** When the client was last served, as a running number; 0 if never. */
  servedNth: number;
}

const goesBefore = (one: Client, other: Client): boolean =>
  (one.running - other.running || one.servedNth - other.servedNth) < 0;

/**
 * Creates a fair queue: some tasks run at once, the others wait. Each client that waits for a task
 * has a place for it. The next task belongs to the client with the fewest running tasks, and among
 * equals to the one that has not been served for longest. Waiting tasks can be removed.
 * @param concurrency maximum number of running tasks, 1 or more
 * @param maxWaiting maximum number of waiting tasks. With one more, the client with the most
 *   waiting tasks loses its place for its newest task, which fails if no other client waits for it.
 * @param maxOfClient maximum number of running tasks of one client, 1 or more
 */
export function createQueue(concurrency: number, maxWaiting: number, maxOfClient: number) {
  const clients = new LRUCache<string, Client>({ max: MAX_CLIENTS });
  /** The tasks that wait, the earliest first. */
  const waiting = new Set<Task>();
  let running = 0;
  let started = 0;

  const find = (key: string): Client => clients.peek(key) ?? { running: 0, servedNth: 0 };

  function startNext(): void {
    if (running >= concurrency) return;
    let next: { task: Task; key: string; client: Client } | undefined;
    for (const task of waiting) {
      for (const key of task.clients) {
        const client = find(key);
        if (client.running >= maxOfClient) continue;
        if (!next || goesBefore(client, next.client)) next = { task, key, client };
      }
    }
    next?.task.start(next.key);
  }

  /**
   * Removes the newest place of the client with the most places. Among equal clients, of the
   * latest.
   */
  function dropPlace(): void {
    const counts = new Map<string, number>();
    let [most, client, newest] = [0, '', undefined as Task | undefined];
    for (const task of waiting) {
      for (const key of task.clients) {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count >= most) [most, client, newest] = [count, key, task];
      }
    }
    newest?.follower(client, false);
  }

  /**
   * Takes a slot for a client.
   * @returns a function that frees the slot
   */
  function occupy(key: string): () => void {
    const client = find(key);
    clients.set(key, client);
    client.running++;
    client.servedNth = ++started;
    running++;
    return () => {
      client.running--;
      running--;
      startNext();
    };
  }

  /** Waits for a slot. @returns a function that frees the slot */
  function waitForSlot({ signal, follow }: WaitingClients): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(task);
        signal.removeEventListener('abort', abort);
        unfollow();
      };
      const fail = (reason: unknown): void => {
        leave();
        reject(reason);
      };
      const abort = (): void => fail(signal.reason);
      const clients = new Set<string>();
      const task: Task = {
        clients,
        start(key) {
          leave();
          resolve(occupy(key));
        },
        follower(key, isWaiting) {
          if (isWaiting) clients.add(key);
          else clients.delete(key);
          if (!waiting.has(task)) return;
          if (clients.size === 0) fail(tooMany());
          else startNext();
        },
      };
      const unfollow = follow(task.follower);
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(task);
      startNext();
      while (waiting.size > maxWaiting) dropPlace();
    });
  }

  return {
    /**
     * Runs a task once a slot is free.
     * @param caller.signal removes a waiting task from the queue; a running task continues
     * @throws UnavailableError if too many tasks wait; the reason of `signal`
     */
    async run<T>(task: () => Promise<T>, caller: WaitingClients): Promise<T> {
      caller.signal.throwIfAborted();
      const free = await waitForSlot(caller);
      try {
        return await task();
      } finally {
        free();
      }
    },
  };
}

const tooMany = () =>
  new UnavailableError('Too many requests are waiting; try again later.', {
    retryAfterMs: FULL_QUEUE_RETRY_MS,
  });
