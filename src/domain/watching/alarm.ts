import type { Condition } from '../condition/condition.ts';
import type { Observation } from '../condition/evaluate.ts';
import { OLD_MEASUREMENT_MS } from '../station.ts';
import { observeTrack } from './observe.ts';
import { isStale, type Track } from './recentMeasurements.ts';

/**
 * The event that an alarm reports: its condition becomes true or false, or the station's
 * measurements become too old.
 */
export const EVENTS = ['true', 'false', 'stale'] as const;
export type EventKind = (typeof EVENTS)[number];

export interface AlarmEvent {
  readonly kind: EventKind;
  /** The condition as the user wrote it. */
  readonly condition: string;
  /** Time of the event, milliseconds since 1970. */
  readonly atMs: number;
  /**
   * Since when what the event reports is so, milliseconds since 1970: the condition holds, holds no
   * more, or no measurement came. Undefined where the station never measured.
   */
  readonly sinceMs: number | undefined;
}

/** When an alarm rings, and when it ends. */
export interface AlarmRule {
  readonly condition: Condition;
  /** How long the condition has to hold before the alarm rings, milliseconds. */
  readonly forMs: number;
  /** How far a speed has to be past its bound before a ringing alarm ends, km/h. */
  readonly hysteresisKmh: number;
  /** Shortest time between two rings, milliseconds. */
  readonly cooldownMs: number;
}

/** State of the alarm of one station. */
export interface Alarm {
  /** Whether the alarm has rung and its condition still holds. */
  readonly isOn: boolean;
  /**
   * Milliseconds since 1970 from which the condition has held at every poll; undefined where it
   * does not hold.
   */
  readonly heldSinceMs: number | undefined;
  /** When the alarm last rang, milliseconds since 1970; undefined before it first rings. */
  readonly rangMs: number | undefined;
  /** Whether the station has no measurement of the last 45 minutes. */
  readonly isStale: boolean;
}

export const INITIAL_ALARM: Alarm = {
  isOn: false,
  heldSinceMs: undefined,
  rangMs: undefined,
  isStale: false,
};

/** The next state of an alarm, and the event of the change if there is one. */
export interface AlarmUpdate {
  readonly alarm: Alarm;
  readonly event: EventKind | undefined;
}

/**
 * By how many milliseconds a poll may come early: with a poll each minute, `--for 10m` is over at
 * the tenth poll after the first, even if that comes a little early.
 */
const POLL_JITTER_MS = 1000;

/**
 * Updates an alarm after a successful poll. A condition on a value that the station did not send
 * is undecided, which neither rings the alarm nor ends it.
 */
export function evaluateAlarm(
  alarm: Alarm,
  rule: AlarmRule,
  observation: Observation,
  now: number,
): AlarmUpdate {
  const holds = rule.condition.holds(observation, alarm.isOn ? rule.hysteresisKmh : 0);
  if (alarm.isOn) {
    if (holds !== false) return { alarm, event: undefined };
    return { alarm: { ...alarm, isOn: false, heldSinceMs: undefined }, event: 'false' };
  }
  if (!holds) return { alarm: { ...alarm, heldSinceMs: undefined }, event: undefined };
  const heldSinceMs = alarm.heldSinceMs ?? now;
  const isHeld = hasPassed(heldSinceMs, rule.forMs, now);
  const isCool = alarm.rangMs === undefined || hasPassed(alarm.rangMs, rule.cooldownMs, now);
  if (!isHeld || !isCool) return { alarm: { ...alarm, heldSinceMs }, event: undefined };
  return { alarm: { ...alarm, isOn: true, heldSinceMs, rangMs: now }, event: 'true' };
}

/**
 * Since when a condition has held at every known measurement of a station, without a gap of 45
 * minutes: the time of the first of these measurements, undefined if the latest does not hold.
 */
export function heldSince(
  { condition }: AlarmRule,
  { station, samples }: Track,
  distanceKm: number | undefined,
): number | undefined {
  let sinceMs: number | undefined;
  for (const [place, { timeMs }] of [...samples.entries()].reverse()) {
    const known = { station, samples: samples.slice(0, place + 1) };
    const isGap = sinceMs !== undefined && sinceMs - timeMs > OLD_MEASUREMENT_MS;
    if (isGap || condition.holds(observeTrack(known, distanceKm, timeMs)) !== true) break;
    sinceMs = timeMs;
  }
  return sinceMs;
}

function hasPassed(sinceMs: number, lengthMs: number, now: number): boolean {
  return now - sinceMs >= lengthMs - POLL_JITTER_MS;
}

/**
 * Reports a station without a measurement of the last 45 minutes, once until its next measurement.
 * Called after failed polls too, so that an outage of the service is not mistaken for calm.
 */
export function checkStale(alarm: Alarm, track: Track, now: number): AlarmUpdate {
  const isNowStale = isStale(track, now);
  // While no measurement came, the condition may have been false, so `--for` counts anew.
  const heldSinceMs = isNowStale && !alarm.isOn ? undefined : alarm.heldSinceMs;
  return {
    alarm: { ...alarm, heldSinceMs, isStale: isNowStale },
    event: isNowStale && !alarm.isStale ? 'stale' : undefined,
  };
}
