import type { Period } from '../../domain/period.ts';

/** An answer shared by many clients, and how long it is valid. Times are ms since 1970. */
export interface Cached<T> {
  /** The data; the same object until the data change. */
  readonly data: T;
  /** When the service was asked for the data. */
  readonly askedMs: number;
  /** Until when the service is not asked again; Infinity for data that are final. */
  readonly freshUntilMs: number;
  /** Whether a later request for the data has failed. */
  readonly isStale: boolean;
  /** For final data: tells whether they still hold; a client may demand that they are replaced. */
  readonly isCurrent?: IsCurrent;
}

/** How an answer is requested from a cache. */
export interface CacheCall {
  /** Aborts when no client waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Whether the client insists that the service is asked again. */
  readonly isAfresh: boolean;
  /** The first client that asked for the answer: the queue counts the requests of each client. */
  readonly client: string;
}

/** How long an answer is valid. */
export type Validity = Omit<Cached<unknown>, 'data'>;

/**
 * Tells whether no later answer has replaced the data. With `isAfresh`, for a client that demands
 * fresh data, also false once the service may be asked again.
 */
export type IsCurrent = (isAfresh: boolean) => boolean;

/** The key of an archive of a station. */
export function keyOf(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/**
 * Whether a time is less than `forMs` ago; false for a future time, since the clock was set back
 * then.
 */
export function isWithin(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}

/**
 * How long an answer of several parts is valid.
 * @param parts one or more, in order of their periods
 */
export function joinValidity(parts: readonly Validity[]): Validity {
  const latest = parts.at(-1) as Validity;
  const freshUntilMs = Math.min(...parts.map((part) => part.freshUntilMs));
  const isFinal = freshUntilMs === Number.POSITIVE_INFINITY;
  const open = parts.filter((part) => part.freshUntilMs !== Number.POSITIVE_INFINITY);
  return {
    // The oldest part dates the answer, so that its date never goes back when parts are requested
    // again.
    askedMs: isFinal ? latest.askedMs : Math.min(...open.map(({ askedMs }) => askedMs)),
    freshUntilMs,
    isStale: false,
    ...(isFinal && {
      isCurrent: (isAfresh: boolean) => parts.every((part) => part.isCurrent?.(isAfresh)),
    }),
  };
}
