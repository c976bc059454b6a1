/** An answer shared by many clients, and how long it holds. Times are milliseconds since 1970. */
export interface Cached<T> {
  /** The same object for as long as the data are the same. */
  readonly data: T;
  /** When the service was asked for the data. */
  readonly askedMs: number;
  /** Until when the service is not asked again; infinite for data that are final. */
  readonly freshUntilMs: number;
  /** Whether a later request to the service failed. */
  readonly isStale: boolean;
  /** Only for final data: a client that insists may have them replaced. */
  readonly isCurrent?: IsCurrent;
}

/** How long an answer holds. */
export type Validity = Omit<Cached<unknown>, 'data'>;

/**
 * Whether no later answer replaced the data. For a client that insists (`isAfresh`) they are not
 * current either when the service may be asked again.
 */
export type IsCurrent = (isAfresh: boolean) => boolean;

/** Whether a moment is less than a time ago. A moment in the future (the clock was set back) is not. */
export function isWithin(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}

/**
 * How long an answer of several parts holds.
 * @param parts one or more, in order of their periods
 */
export function joinValidity(parts: readonly Validity[]): Validity {
  const latest = parts.at(-1) as Validity;
  const freshUntilMs = Math.min(...parts.map((part) => part.freshUntilMs));
  const isFinal = freshUntilMs === Number.POSITIVE_INFINITY;
  const open = parts.filter((part) => part.freshUntilMs !== Number.POSITIVE_INFINITY);
  return {
    // Neither date ever goes back.
    askedMs: isFinal ? latest.askedMs : Math.min(...open.map(({ askedMs }) => askedMs)),
    freshUntilMs,
    isStale: false,
    ...(isFinal && {
      isCurrent: (isAfresh: boolean) => parts.every((part) => part.isCurrent?.(isAfresh)),
    }),
  };
}
