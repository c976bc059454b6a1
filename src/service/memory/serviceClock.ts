/** The earlier of our clock and a service's: a period is final only when both say so. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes the `Date` of an answer that has just come, milliseconds since 1970. */
  note(dateMs: number): void;
}

/** Our own clock, until the service has answered. */
export function createServiceClock(now: () => number): ServiceClock {
  let aheadMs = 0;
  return {
    now: () => now() - aheadMs,
    note(dateMs) {
      aheadMs = Math.max(0, now() - dateMs);
    },
  };
}
