/** Events of an alarm: its condition becomes true, becomes false, or its measurements are stale. */
export const EVENTS = ['true', 'false', 'stale'] as const;
export type EventKind = (typeof EVENTS)[number];

export interface AlarmEvent {
  readonly kind: EventKind;
  /** The condition as the user wrote it. */
  readonly condition: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}
