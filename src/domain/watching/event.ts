/**
 * What can become of an alarm: its condition came to hold, ceased to, or the measurements that
 * would tell stopped coming.
 */
export const EVENTS = ['true', 'false', 'stale'] as const;
export type EventKind = (typeof EVENTS)[number];

/** Something that happened to the alarm of a station. */
export interface AlarmEvent {
  readonly kind: EventKind;
  /** As the user wrote it. */
  readonly condition: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}
