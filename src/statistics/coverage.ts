import type { Period } from '../domain/period.ts';
import { coveredShare, type Gap, isGap, timeLostToGapMs, UsualStepFinder } from './gaps.ts';
import { type Grouping, type GroupOrdinals, groupIdOf } from './groups.ts';
import type { WindColumns } from './readings.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

/** The times of readings, and whether each reading has an average. */
type Averages = Pick<WindColumns, 'time' | 'windSpeedAvg'>;

/** A group with fewer intervals of its most frequent length uses the station's usual step. */
const MIN_STEPS = 5;

/** How complete a period is. Only readings with an average count as complete. */
export interface Coverage {
  /** Number of readings with distinct times, including those without an average. */
  readonly readings: number;
  /** The usual time between readings; null for fewer than two readings. */
  readonly stepS: number | null;
  /** The share of the period that is not lost to gaps, 0 to 1; null for an empty period. */
  readonly coverage: number | null;
  readonly gaps: number;
  /** The longest gap, the earliest among equals; null without a gap. */
  readonly longestGap: Gap | null;
}

/** A group of readings in a period, in all sectors. */
export interface GroupCoverage {
  readonly ordinals: GroupOrdinals;
  /** Total duration of the group, milliseconds. */
  readonly periodMs: number;
  readonly coverage: Coverage;
  /** The index ranges of the group's readings, in order of time. */
  readonly ranges: readonly Interval[];
}

/** An interval of time. Its readings have the indexes `from` to before `to`. */
interface Interval {
  readonly period: Period;
  readonly from: number;
  readonly to: number;
}

/** A gap, and how much of it counts as lost. */
interface LostTime {
  readonly start: number;
  readonly lengthMs: number;
  readonly lostMs: number;
}

/** Computes the coverage of a group of readings, which may consist of several intervals. */
class CoverageTally {
  readonly #readings: Averages;
  /** The intervals with readings. Empty ones are not stored, since most groups may be empty. */
  readonly intervals: Interval[] = [];
  readonly #ownStep = new UsualStepFinder();
  periodMs = 0;
  #count = 0;
  #gaps = 0;
  #lostMs = 0;
  #longest = { start: 0, lengthMs: 0 };

  /** @param readings the list that contains the readings of all intervals */
  constructor(readings: Averages) {
    this.#readings = readings;
  }

  add({ period, from, to }: Interval): void {
    const { start, stop } = period;
    const lengthMs = stop - start;
    this.periodMs += lengthMs;
    this.#count += to - from;
    countSteps(this.#readings, from, to, this.#ownStep);
    if (from < to) this.intervals.push({ period, from, to });
    else if (lengthMs > 0) this.#lose({ start, lengthMs, lostMs: lengthMs });
  }

  #lose({ start, lengthMs, lostMs }: LostTime): void {
    const { start: earliest, lengthMs: longestMs } = this.#longest;
    this.#gaps++;
    this.#lostMs += lostMs;
    if (lengthMs > longestMs || (lengthMs === longestMs && start < earliest)) {
      this.#longest = { start, lengthMs };
    }
  }

  /**
   * Computes the coverage. An interval without readings is a gap, and lost entirely.
   * @param stationStepS the station's usual step in seconds, for a group with few readings;
   *   undefined if the group is the whole station
   */
  finish(stationStepS?: number | null): Coverage {
    const { ms, count } = this.#ownStep.find();
    const isOwn = stationStepS === undefined || count >= MIN_STEPS;
    const stepS = isOwn ? ms / 1000 || null : stationStepS;
    for (const interval of this.intervals) {
      for (const gap of gapsOf(this.#readings, interval, 1000 * (stepS ?? 0))) this.#lose(gap);
    }
    const { start, lengthMs } = this.#longest;
    return {
      readings: this.#count,
      stepS,
      coverage: coveredShare(this.periodMs, this.#lostMs),
      gaps: this.#gaps,
      longestGap: this.#gaps > 0 ? { start, lengthS: lengthMs / 1000 } : null,
    };
  }
}

/** Counts the times between neighbouring readings, with or without an average. */
function countSteps({ time }: Averages, from: number, to: number, steps: UsualStepFinder): void {
  for (let at = from + 1; at < to; at++) {
    steps.add((time[at] as number) - (time[at - 1] as number));
  }
}

/**
 * Finds the gaps of an interval in order: before, between and after its readings with an average.
 * Without such readings, the whole interval is a gap.
 */
function gapsOf({ time, windSpeedAvg }: Averages, { period, from, to }: Interval, stepMs: number) {
  const { start, stop } = period;
  const gaps: LostTime[] = [];
  let latest = start;
  let isEmpty = true;
  for (let at = from; at < to; at++) {
    if (Number.isNaN(windSpeedAvg[at])) continue;
    const lengthMs = (time[at] as number) - latest;
    if (isGap(lengthMs, stepMs)) {
      gaps.push({ start: latest, lengthMs, lostMs: timeLostToGapMs(lengthMs, stepMs) });
    }
    latest = time[at] as number;
    isEmpty = false;
  }
  const lengthMs = stop - latest;
  if (isGap(lengthMs, isEmpty ? 0 : stepMs)) {
    const lostMs = isEmpty ? lengthMs : timeLostToGapMs(lengthMs, stepMs);
    gaps.push({ start: latest, lengthMs, lostMs });
  }
  return gaps;
}

/** Assigns readings to consecutive periods. Readings outside of them are left out. */
function* divide<P extends { readonly period: Period }>(
  { time }: Averages,
  parts: Iterable<P>,
): Generator<P & Interval> {
  let to = 0;
  for (const part of parts) {
    while ((time[to] as number) < part.period.start) to++;
    const from = to;
    while ((time[to] as number) < part.period.stop) to++;
    yield { ...part, from, to };
  }
}

/** Computes the coverage of a period. Readings outside of it are left out. */
export function coverageOf(readings: Averages, period: Period): Coverage {
  const tally = new CoverageTally(readings);
  for (const interval of divide(readings, [{ period }])) tally.add(interval);
  return tally.finish();
}

/** Computes the coverage of all groups of a period, by the groups' ids. */
export function coverageOfGroups(
  readings: Averages,
  period: Period,
  grouping: Grouping,
): Map<string, GroupCoverage> {
  const groups = new Map<string, { ordinals: GroupOrdinals; tally: CoverageTally }>();
  const find = (ordinals: GroupOrdinals, id: string): CoverageTally => {
    const group = groups.get(id) ?? { ordinals, tally: new CoverageTally(readings) };
    groups.set(id, group);
    return group.tally;
  };
  for (const ordinals of grouping.cycles()) find(ordinals, groupIdOf(ordinals));
  for (const part of divide(readings, grouping.parts(period))) {
    find(part.ordinals, part.id).add(part);
  }
  const stepS = groups.size > 1 ? usualStepS(readings) : undefined;
  return new Map(
    [...groups].map(([id, { ordinals, tally }]) => [
      id,
      {
        ordinals,
        periodMs: tally.periodMs,
        coverage: tally.finish(stepS),
        ranges: tally.intervals,
      },
    ]),
  );
}

/** The usual time between readings in seconds; null for fewer than two readings. */
export function usualStepS(readings: Averages): number | null {
  const steps = new UsualStepFinder();
  countSteps(readings, 0, readings.time.length, steps);
  return steps.find().ms / 1000 || null;
}

/** Lists the gaps of a period that are longer than `overMs`, in order of time. */
export function listGaps(readings: Averages, period: Period, overMs: number): Gap[] {
  const stepMs = 1000 * (usualStepS(readings) ?? 0);
  return [...divide(readings, [{ period }])]
    .flatMap((interval) => gapsOf(readings, interval, stepMs))
    .filter(({ lengthMs }) => lengthMs > overMs)
    .map(({ start, lengthMs }) => ({ start, lengthS: lengthMs / 1000 }));
}

/**
 * Completes a period whose start or stop the user left open: from the first reading until one step
 * after the last. It ends within the hour of the last reading, so that no group begins after it.
 */
export function periodOfReadings(
  readings: Averages,
  { start, stop }: Partial<Period>,
  calendar: ZoneCalendar,
): Period {
  if (start !== undefined && stop !== undefined) return { start, stop };
  const [first, last] = [readings.time[0], readings.time.at(-1)];
  if (first === undefined || last === undefined) {
    const only = start ?? stop ?? 0;
    return { start: only, stop: stop ?? only };
  }
  const next = last + Math.max(1, 1000 * (usualStepS(readings) ?? 0));
  const end = Math.min(next, calendar.intervalAt('hour', last).stop);
  return { start: start ?? first, stop: stop ?? end };
}
