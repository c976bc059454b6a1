import type { Condition } from '../condition/condition.ts';
import type { Observation } from '../condition/evaluate.ts';
import { OLD_MEASUREMENT_MS } from '../station.ts';
import { observationOfMeasurements } from './observe.ts';
import { isStale, type RecentMeasurements } from './recentMeasurements.ts';

/**
 * The events of an alert: the condition becomes true, becomes false, or the measurements become too
 * old.
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
   * Since when the reported state has lasted, milliseconds since 1970: the condition is true, is
   * false, or no measurement came. Undefined if the station has never measured.
   */
  readonly sinceMs: number | undefined;
}

/** When an alert starts and when it ends. */
export interface AlertRule {
  readonly condition: Condition;
  /** How long the condition must be true before the alert starts, milliseconds. */
  readonly forMs: number;
  /** How far a speed must pass its bound before an active alert ends, km/h. */
  readonly hysteresisKmh: number;
  /** Minimum time between the starts of two alerts, milliseconds. */
  readonly cooldownMs: number;
}

/** The state of one station's alert. */
export interface AlertState {
  /** Whether the alert has started and not ended. */
  readonly isOn: boolean;
  /**
   * Since when the condition has been true at every poll, milliseconds since 1970; undefined while
   * it is not.
   */
  readonly heldSinceMs: number | undefined;
  /** When the alert last started, milliseconds since 1970; undefined before its first start. */
  readonly alertedMs: number | undefined;
  /** Whether the station has had no measurement for 45 minutes. */
  readonly isStale: boolean;
}

export const INITIAL_ALERT: AlertState = {
  isOn: false,
  heldSinceMs: undefined,
  alertedMs: undefined,
  isStale: false,
};

/** The next state of an alert, and the event that the change causes, if any. */
export interface AlertUpdate {
  readonly alert: AlertState;
  readonly event: AlertEventKind | undefined;
}

/**
 * How much early a poll may come. With a poll each minute, `--for 10m` must be over at the tenth
 * poll after the first, even if that poll comes slightly early.
 */
const POLL_JITTER_MS = 1000;

/**
 * Updates an alert after a successful poll. If values are missing, the condition may be undecided;
 * that neither starts nor ends the alert.
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
 * Since when the condition has been true: the time of the first measurement after which it was
 * always true, without a gap of 45 minutes. Undefined if it is not true for the latest measurement.
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
    if (isGap || condition.holds(observationOfMeasurements(known, distanceKm, timeMs)) !== true)
      break;
    sinceMs = timeMs;
  }
  return sinceMs;
}

function hasPassed(sinceMs: number, lengthMs: number, now: number): boolean {
  return now - sinceMs >= lengthMs - POLL_JITTER_MS;
}

/**
 * Reports once that a station has had no measurement for 45 minutes. Call this after failed polls
 * too, so that nobody takes an outage of the service for calm.
 */
export function checkStaleness(
  alert: AlertState,
  recent: RecentMeasurements,
  now: number,
): AlertUpdate {
  const isNowStale = isStale(recent, now);
  // The condition may have been false while no measurement came, so `--for` starts again.
  const heldSinceMs = isNowStale && !alert.isOn ? undefined : alert.heldSinceMs;
  return {
    alert: { ...alert, heldSinceMs, isStale: isNowStale },
    event: isNowStale && !alert.isStale ? 'stale' : undefined,
  };
}
