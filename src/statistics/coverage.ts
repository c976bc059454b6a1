import type { Period } from '../domain/period.ts';
import { coveredShare, type Gap, isGap, type TimeLists, UsualStep } from './gaps.ts';
import { type Grouping, idOf, type Ordinals } from './groups.ts';

/** With fewer times of its usual length, a group takes the step of the station. */
const LEAST_STEPS = 5;

/** How complete the readings of a period are. */
export interface Coverage {
  /** Number of readings with distinct times. */
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
export interface CoveredGroup {
  readonly ordinals: Ordinals;
  /** Length of all times of the group together, milliseconds. */
  readonly periodMs: number;
  readonly coverage: Coverage;
}

/**
 * A stretch of an interval in which readings are expected: before its first reading, between two
 * neighbouring readings, after its last reading, or all of it without a reading.
 */
type Place = 'first' | 'between' | 'last' | 'empty';

/** Collects the stretches of the intervals of a group. */
class CoverageTally {
  /** Finds the group's own step from the stretches between readings, before `add` is called. */
  readonly ownStep = new UsualStep();
  periodMs = 0;
  #stepS: number | null = null;
  #readings = 0;
  #gaps = 0;
  #lostMs = 0;
  #longest = { start: 0, lengthMs: 0 };

  /**
   * Decides on the usual time between readings, which `add` needs.
   * @param stationStepS the step of the station in seconds, for a group with few readings
   */
  settleStep(stationStepS: number | null | undefined): void {
    const { ms, count } = this.ownStep.find();
    const isOwn = stationStepS === undefined || count >= LEAST_STEPS;
    this.#stepS = isOwn ? ms / 1000 || null : stationStepS;
  }

  /** Adds a stretch. An interval without a reading is a gap and loses its whole length. */
  add(place: Place, start: number, stop: number): void {
    const lengthMs = stop - start;
    const stepMs = 1000 * (this.#stepS ?? 0);
    this.periodMs += lengthMs;
    if (place === 'first' || place === 'between') this.#readings++;
    if (!isGap(lengthMs, place === 'empty' ? 0 : stepMs)) return;
    this.#gaps++;
    this.#lostMs += place === 'between' ? lengthMs - stepMs : lengthMs;
    if (lengthMs > this.#longest.lengthMs) this.#longest = { start, lengthMs };
  }

  result(): Coverage {
    const { start, lengthMs } = this.#longest;
    return {
      readings: this.#readings,
      stepS: this.#stepS,
      coverage: coveredShare(this.periodMs, this.#lostMs),
      gaps: this.#gaps,
      longestGap: this.#gaps > 0 ? { start, lengthS: lengthMs / 1000 } : null,
    };
  }
}

/** An interval of a period, and the tally of its group. */
interface Interval {
  readonly period: Period;
  readonly tally: CoverageTally;
}

/** Visits the stretches of consecutive intervals in order; readings outside are left out. */
function visitStretches(
  readings: TimeLists,
  intervals: readonly Interval[],
  visit: (tally: CoverageTally, place: Place, start: number, stop: number) => void,
): void {
  let at = 0;
  /** Time of the latest reading in the current interval; undefined before the first reading. */
  let latest: number | undefined;
  const finish = ({ period: { start, stop }, tally }: Interval): void => {
    if (latest === undefined) visit(tally, 'empty', start, stop);
    else visit(tally, 'last', latest, stop);
    latest = undefined;
    at++;
  };
  for (const { time } of readings) {
    for (const ms of time) {
      let current = intervals[at];
      while (current && ms >= current.period.stop) {
        finish(current);
        current = intervals[at];
      }
      if (current === undefined) return;
      const { period, tally } = current;
      if (ms < period.start) continue;
      if (latest === undefined) visit(tally, 'first', period.start, ms);
      else visit(tally, 'between', latest, ms);
      latest = ms;
    }
  }
  for (const interval of intervals.slice(at)) finish(interval);
}

/**
 * Tallies readings in consecutive intervals: first to find the usual steps, which tell what a gap
 * is, then to find the gaps.
 */
function tallyReadings(
  readings: TimeLists,
  intervals: readonly Interval[],
  tallies: Iterable<CoverageTally>,
  stationStepS?: number | null,
): void {
  visitStretches(readings, intervals, (tally, place, start, stop) => {
    if (place === 'between') tally.ownStep.add(stop - start);
  });
  for (const tally of tallies) tally.settleStep(stationStepS);
  visitStretches(readings, intervals, (tally, ...stretch) => tally.add(...stretch));
}

/** Coverage of one period; readings outside of it are left out. */
export function coverageOf(readings: TimeLists, period: Period): Coverage {
  const tally = new CoverageTally();
  tallyReadings(readings, [{ period, tally }], [tally]);
  return tally.result();
}

/** By id, the coverage of all groups of a period. */
export function coverGroups(
  readings: TimeLists,
  period: Period,
  grouping: Grouping,
): Map<string, CoveredGroup> {
  const groups = new Map<string, { ordinals: Ordinals; tally: CoverageTally }>();
  const find = (ordinals: Ordinals, id: string): CoverageTally => {
    const group = groups.get(id) ?? { ordinals, tally: new CoverageTally() };
    groups.set(id, group);
    return group.tally;
  };
  for (const ordinals of grouping.cycles()) find(ordinals, idOf(ordinals));
  const intervals = grouping
    .parts()
    .map(({ period, ordinals, id }) => ({ period, tally: find(ordinals, id) }));
  const tallies = [...groups.values()].map(({ tally }) => tally);
  const stepS = groups.size > 1 ? coverageOf(readings, period).stepS : undefined;
  tallyReadings(readings, intervals, tallies, stepS);
  return new Map(
    [...groups].map(([id, { ordinals, tally }]) => [
      id,
      { ordinals, periodMs: tally.periodMs, coverage: tally.result() },
    ]),
  );
}
