import type { Condition } from '../condition/condition.ts';
import type { Observation } from '../condition/observation.ts';
import { OLD_MEASUREMENT_MS } from '../station.ts';
import { isCalm } from '../units.ts';
import { gustFactor, trendKmhPerHour } from './diagnostics.ts';
import type { EventKind } from './event.ts';
import type { Track } from './track.ts';

/** When an alarm is to ring. */
export interface AlarmRule {
  readonly condition: Condition;
  /** How long the condition has to hold first, milliseconds. */
  readonly forMs: number;
  /** How far a speed has to be past its bound before the condition no longer holds, km/h. */
  readonly hysteresisKmh: number;
  /** Shortest time from one ringing to the next, milliseconds. */
  readonly cooldownMs: number;
}

/** How things stand with the alarm of one station. */
export interface Alarm {
  /** Whether it has rung and its condition holds still. */
  readonly isOn: boolean;
  /** Since when the condition has held at every poll; undefined where it does not. */
  readonly heldSinceMs: number | undefined;
  readonly rangMs: number | undefined;
  /** Whether its measurements have stopped coming. */
  readonly isStale: boolean;
}

export const QUIET: Alarm = {
  isOn: false,
  heldSinceMs: undefined,
  rangMs: undefined,
  isStale: false,
};

/** An alarm that a moment has changed, and what there is to tell of it. */
export interface Step {
  readonly alarm: Alarm;
  readonly event: EventKind | undefined;
}

/** Polls come a moment early or late; a time that is over but for that is over. */
const POLL_JITTER_MS = 1000;

/**
 * What a good poll makes of an alarm. A condition that cannot be decided, because the station did
 * not send what it is about, neither rings an alarm nor ends it.
 */
export function judge(alarm: Alarm, rule: AlarmRule, track: Track, now: number): Step {
  const holds = rule.condition.holds(observe(track, now), alarm.isOn ? rule.hysteresisKmh : 0);
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

function hasPassed(sinceMs: number, lengthMs: number, now: number): boolean {
  return now - sinceMs >= lengthMs - POLL_JITTER_MS;
}

/**
 * Notices that measurements have stopped coming, once until they come again. To be asked at every
 * poll, also one that failed: an alarm that hears nothing must not look like one with nothing to tell.
 */
export function checkStale(alarm: Alarm, { samples }: Track, now: number): Step {
  const latest = samples.at(-1);
  const isStale = latest === undefined || now - latest.timeMs > OLD_MEASUREMENT_MS;
  // What nothing was heard of for so long has not held all the time.
  const heldSinceMs = isStale && !alarm.isOn ? undefined : alarm.heldSinceMs;
  return {
    alarm: { ...alarm, heldSinceMs, isStale },
    event: isStale && !alarm.isStale ? 'stale' : undefined,
  };
}

/** What a condition can be about. Wind that was measured too long ago is not known. */
export function observe({ station, samples }: Track, now: number): Observation {
  const latest = samples.at(-1);
  const ageMs = latest ? Math.max(0, now - latest.timeMs) : null;
  const isOld = ageMs === null || ageMs > OLD_MEASUREMENT_MS;
  const sample = isOld ? undefined : latest;
  const { state } = station.status;
  return {
    avgKmh: sample?.avgKmh ?? null,
    maxKmh: sample?.maxKmh ?? null,
    minKmh: sample?.minKmh ?? null,
    gustFactor: sample ? gustFactor(sample) : null,
    dirDeg: sample && !isCalm(sample.avgKmh) ? sample.headingDeg : null,
    ageMs,
    state: state === 'on' || state === 'off' ? state : 'unknown',
    trendKmhPerHour: isOld ? null : trendKmhPerHour(samples),
  };
}
