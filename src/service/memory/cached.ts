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

/**
 * Whether no later answer replaced the data. For a client that insists (`isAfresh`) they are not
 * current either when the service may be asked again.
 */
export type IsCurrent = (isAfresh: boolean) => boolean;

/** Whether a moment is less than a time ago. A moment in the future (the clock was set back) is not. */
export function isWithin(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}
