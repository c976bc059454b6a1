/** The earlier of the own clock and that of a service, so that neither alone makes a period final. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes the `Date` of an answer that has just come, milliseconds since 1970. */
  note(dateMs: number): void;
}

/** Until the service has answered, the own clock. */
export function createServiceClock(now: () => number): ServiceClock {
  let aheadMs = 0;
  return {
    now: () => now() - aheadMs,
    note(dateMs) {
      aheadMs = Math.max(0, now() - dateMs);
    },
  };
}
