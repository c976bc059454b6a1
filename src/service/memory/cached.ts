/** Data that are given to many, and for how long. Times are milliseconds since 1970. */
export interface Cached<T> {
  /** The same object for as long as the data are the same. */
  readonly data: T;
  /** When the service was asked for them. */
  readonly askedMs: number;
  /** Until when the service is not asked again; infinite for what never changes. */
  readonly freshUntilMs: number;
  /** Whether the service was asked again since, and failed. */
  readonly isStale: boolean;
  /** Of what never changes, but for a mistake that is mended. */
  readonly edition?: Edition | undefined;
}

/** Which of the answers of a service data come from. */
export interface Edition {
  /** Whether no later answer took its place. */
  isCurrent(): boolean;
  /** Whether a client that insists may have the service asked again now. */
  isMendable(): boolean;
}
