import type { Condition } from '../condition/condition.ts';
import type { Observation } from '../condition/evaluate.ts';
import { OLD_MEASUREMENT_MS } from '../station.ts';
import { observeMeasurements } from './observe.ts';
import { isStale, type RecentMeasurements } from './recentMeasurements.ts';

/**
 * The event that an alert reports: its condition becomes true or false, or the station's
 * measurements become too old.
 */
export const ALERT_EVENTS = ['true', 'false', 'stale'] as const;
export type AlertEventKind = (typeof ALERT_EVENTS)[number];

export interface AlertEvent {
  readonly kind: AlertEventKind;
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

/** When an alert begins, and when it ends. */
export interface AlertRule {
  readonly condition: Condition;
  /** How long the condition has to hold before the alert begins, milliseconds. */
  readonly forMs: number;
  /** How far a speed has to be past its bound before an active alert ends, km/h. */
  readonly hysteresisKmh: number;
  /** Shortest time between the beginnings of two alerts, milliseconds. */
  readonly cooldownMs: number;
}

/** State of the alert of one station. */
export interface AlertState {
  /** Whether the alert has begun and its condition still holds. */
  readonly isOn: boolean;
  /**
   * Milliseconds since 1970 from which the condition has held at every poll; undefined where it
   * does not hold.
   */
  readonly heldSinceMs: number | undefined;
  /** When the alert last began, milliseconds since 1970; undefined before it first begins. */
  readonly alertedMs: number | undefined;
  /** Whether the station has no measurement of the last 45 minutes. */
  readonly isStale: boolean;
}

export const INITIAL_ALERT: AlertState = {
  isOn: false,
  heldSinceMs: undefined,
  alertedMs: undefined,
  isStale: false,
};

/** The next state of an alert, and the event of the change if there is one. */
export interface AlertUpdate {
  readonly alert: AlertState;
  readonly event: AlertEventKind | undefined;
}

/**
 * By how many milliseconds a poll may come early: with a poll each minute, `--for 10m` is over at
 * the tenth poll after the first, even if that comes a little early.
 */
const POLL_JITTER_MS = 1000;

/**
 * Updates an alert after a successful poll. A condition on a value that the station did not send
 * is undecided, which neither begins nor ends the alert.
 */
export function evaluateAlert(
  alert: AlertState,
  rule: AlertRule,
  observation: Observation,
  now: number,
): AlertUpdate {
  const holds = rule.condition.holds(observation, alert.isOn ? rule.hysteresisKmh : 0);
  if (alert.isOn) {
    if (holds !== false) return { alert, event: undefined };
    return { alert: { ...alert, isOn: false, heldSinceMs: undefined }, event: 'false' };
  }
  if (!holds) return { alert: { ...alert, heldSinceMs: undefined }, event: undefined };
  const heldSinceMs = alert.heldSinceMs ?? now;
  const isHeld = hasPassed(heldSinceMs, rule.forMs, now);
  const isCool = alert.alertedMs === undefined || hasPassed(alert.alertedMs, rule.cooldownMs, now);
  if (!isHeld || !isCool) return { alert: { ...alert, heldSinceMs }, event: undefined };
  return { alert: { ...alert, isOn: true, heldSinceMs, alertedMs: now }, event: 'true' };
}

/**
 * Since when a condition has held at every known measurement of a station, without a gap of 45
 * minutes: the time of the first of these measurements, undefined if the latest does not hold.
 */
export function conditionHeldSince(
  { condition }: AlertRule,
  { station, samples }: RecentMeasurements,
  distanceKm: number | undefined,
): number | undefined {
  let sinceMs: number | undefined;
  for (const [place, { timeMs }] of [...samples.entries()].reverse()) {
    const known = { station, samples: samples.slice(0, place + 1) };
    const isGap = sinceMs !== undefined && sinceMs - timeMs > OLD_MEASUREMENT_MS;
    if (isGap || condition.holds(observeMeasurements(known, distanceKm, timeMs)) !== true) break;
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
export function checkStaleness(
  alert: AlertState,
  track: RecentMeasurements,
  now: number,
): AlertUpdate {
  const isNowStale = isStale(track, now);
  // While no measurement came, the condition may have been false, so `--for` counts anew.
  const heldSinceMs = isNowStale && !alert.isOn ? undefined : alert.heldSinceMs;
  return {
    alert: { ...alert, heldSinceMs, isStale: isNowStale },
    event: isNowStale && !alert.isStale ? 'stale' : undefined,
  };
}
