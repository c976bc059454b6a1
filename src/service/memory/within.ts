/** Whether a moment was less than a time ago; one that the clock was set back from was not. */
export function isWithin(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}
