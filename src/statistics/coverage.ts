import type { Period } from '../domain/period.ts';
import { coveredShare, type Gap, isGap, timeLostMs, UsualStepFinder } from './gaps.ts';
import { type Grouping, type GroupOrdinals, groupIdOf } from './groups.ts';
import type { WindColumns } from './readings.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

/** The times of readings, and whether each has an average. */
type Averages = Pick<WindColumns, 'time' | 'windSpeedAvg'>;

/** With fewer times of its usual length, a group takes the step of the station. */
const MIN_STEPS = 5;

/** How complete the readings of a period are. Only readings with an average make it complete. */
export interface Coverage {
  /** Number of readings with distinct times, also of those without an average. */
  readonly readings: number;
  /** The usual time between neighbouring readings; null without two readings. */
  readonly stepS: number | null;
  /** Share of the period that is not lost to gaps, 0 to 1; null for an empty period. */
  readonly coverage: number | null;
  readonly gaps: number;
  /** The longest gap; of equally long ones the earliest. Null without a gap. */
  readonly longestGap: Gap | null;
}

/** A group of the readings of a period, in all sectors. */
export interface GroupCoverage {
  readonly ordinals: GroupOrdinals;
  /** Length of all times of the group together, milliseconds. */
  readonly periodMs: number;
  readonly coverage: Coverage;
  /** The rows of the group, in order of time; none without a reading. */
  readonly ranges: readonly Interval[];
}

/** An interval of time, with the places of its readings in a list: `from` to before `to`. */
interface Interval {
  readonly period: Period;
  readonly from: number;
  readonly to: number;
}

/** A gap of an interval, and how much of it is lost. */
interface LostTime {
  readonly start: number;
  readonly lengthMs: number;
  readonly lostMs: number;
}

/** The coverage of a group of readings, which may have several intervals. */
class CoverageTally {
  readonly #readings: Averages;
  /** The intervals with readings: of many groups most have none, and take no memory. */
  readonly intervals: Interval[] = [];
  readonly #ownStep = new UsualStepFinder();
  periodMs = 0;
  #count = 0;
  #gaps = 0;
  #lostMs = 0;
  #longest = { start: 0, lengthMs: 0 };

  /** @param readings the list that all intervals are part of */
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
   * Ends the tally. An interval without a reading is a gap and loses its whole length.
   * @param stationStepS the step of the station in seconds, for a group with few readings;
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

/** Counts the times between neighbouring readings, of those with an average and those without. */
function countSteps({ time }: Averages, from: number, to: number, steps: UsualStepFinder): void {
  for (let at = from + 1; at < to; at++) {
    steps.add((time[at] as number) - (time[at - 1] as number));
  }
}

/**
 * The gaps of an interval in order: before, between and after its readings with an average, or all
 * of it where there is none.
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
      gaps.push({ start: latest, lengthMs, lostMs: timeLostMs(lengthMs, stepMs) });
    }
    latest = time[at] as number;
    isEmpty = false;
  }
  const lengthMs = stop - latest;
  if (isGap(lengthMs, isEmpty ? 0 : stepMs)) {
    const lostMs = isEmpty ? lengthMs : timeLostMs(lengthMs, stepMs);
    gaps.push({ start: latest, lengthMs, lostMs });
  }
  return gaps;
}

/** Divides readings among consecutive parts of time; readings outside of them are left out. */
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

/** Coverage of one period; readings outside of it are left out. */
export function coverageOf(readings: Averages, period: Period): Coverage {
  const tally = new CoverageTally(readings);
  for (const interval of divide(readings, [{ period }])) tally.add(interval);
  return tally.finish();
}

/** By id, the coverage of all groups of a period. */
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

/** The usual time between readings in seconds; null without two readings. */
export function usualStepS(readings: Averages): number | null {
  const steps = new UsualStepFinder();
  countSteps(readings, 0, readings.time.length, steps);
  return steps.find().ms / 1000 || null;
}

/** The gaps of a period that are longer than `overMs`, in order of time. */
export function listGaps(readings: Averages, period: Period, overMs: number): Gap[] {
  const stepMs = 1000 * (usualStepS(readings) ?? 0);
  return [...divide(readings, [{ period }])]
    .flatMap((interval) => gapsOf(readings, interval, stepMs))
    .filter(({ lengthMs }) => lengthMs > overMs)
    .map(({ start, lengthMs }) => ({ start, lengthS: lengthMs / 1000 }));
}

/**
 * The period of readings whose start or stop the user left open: from the first reading until one
 * step after the last, but within its hour, so that no group begins after the last reading.
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
