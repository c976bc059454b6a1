import type { Period } from '../domain/period.ts';
import { ValueCounts } from './counts.ts';
import {
  type Coverage,
  coveredShare,
  isGap,
  lostAtEdge,
  lostBetween,
  mostFrequentStep,
  roundStep,
} from './coverage.ts';
import { placeOfHighest } from './extremes.ts';
import { placeAtLeast, type Times } from './times.ts';

/** With fewer differences of its most frequent length, a group takes the step of the station. */
const LEAST_STEPS = 5;

/** A stretch of time between readings, or before the first or after the last of an interval. */
interface Stretch {
  readonly start: number;
  readonly lengthMs: number;
}

const NO_STRETCH: Stretch = { start: Number.POSITIVE_INFINITY, lengthMs: 0 };

/** Collects the times between neighbouring readings in the intervals of a group. */
export class CoverageTally {
  /** Length of all intervals together, milliseconds. */
  periodMs = 0;
  readonly #differences = new ValueCounts();
  readonly #edges = new ValueCounts();
  #longest = NO_STRETCH;
  /** Number and length of the intervals without a reading, and the longest of them. */
  #empty = 0;
  #emptyMs = 0;
  #longestEmpty = NO_STRETCH;

  /**
   * Adds an interval in which readings are expected, after its readings.
   * @param latest time of its last reading; undefined where it has no reading
   */
  addInterval({ start, stop }: Period, latest: number | undefined): void {
    this.periodMs += stop - start;
    if (latest !== undefined) {
      this.addEdge(latest, stop);
    } else if (stop > start) {
      this.#empty++;
      this.#emptyMs += stop - start;
      this.#longestEmpty = longer(this.#longestEmpty, { start, lengthMs: stop - start });
    }
  }

  /** Adds the time between two neighbouring readings at `start` and `stop`. */
  addDifference(start: number, stop: number): void {
    this.#differences.add(stop - start);
    this.#extend(start, stop);
  }

  /**
   * Adds the times between neighbouring readings, which lie `offsets` milliseconds after `start`.
   */
  addDifferences(start: number, offsets: Uint32Array): void {
    const differences = differencesOf(offsets);
    this.#differences.addAll(differences, differences.length);
    const longest = placeOfHighest(differences, differences.length);
    if (longest < 0) return;
    this.#extend(start + (offsets[longest] as number), start + (offsets[longest + 1] as number));
  }

  /**
   * Adds the time from the start of an interval to its first reading, or from its last reading to
   * its end.
   */
  addEdge(start: number, stop: number): void {
    this.#edges.add(stop - start);
    this.#extend(start, stop);
  }

  #extend(start: number, stop: number): void {
    this.#longest = longer(this.#longest, { start, lengthMs: stop - start });
  }

  /**
   * The coverage of the group, by the rules of {@link lostBetween} and {@link lostAtEdge}. An
   * interval without a reading is a gap and loses its whole length.
   * @param stationStepS the step of the station in seconds, for a group with few readings
   */
  result(stationStepS?: number | null): Coverage {
    const stepS = this.#step(stationStepS);
    const stepMs = 1000 * (stepS ?? 0);
    let [gaps, lostMs] = [this.#empty, this.#emptyMs];
    const lose = (tally: ValueCounts, lost: typeof lostAtEdge): void => {
      const { values, counts } = tally.sorted();
      for (let i = values.length - 1; i >= 0 && isGap(values[i] as number, stepMs); i--) {
        gaps += counts[i] as number;
        lostMs += (counts[i] as number) * lost(values[i] as number, stepMs);
      }
    };
    lose(this.#differences, lostBetween);
    lose(this.#edges, lostAtEdge);
    const hasLongGap = isGap(this.#longest.lengthMs, stepMs);
    const { start, lengthMs } = longer(this.#longestEmpty, hasLongGap ? this.#longest : NO_STRETCH);
    return {
      stepS,
      coverage: coveredShare(this.periodMs, lostMs),
      gaps,
      longestGap: gaps > 0 ? { start, lengthS: lengthMs / 1000 } : null,
    };
  }

  #step(stationStepS: number | null | undefined): number | null {
    const { values, counts } = this.#differences.sorted();
    const steps = new Map<number, number>();
    values.forEach((difference, i) => {
      const stepS = roundStep(difference) / 1000;
      steps.set(stepS, (steps.get(stepS) ?? 0) + (counts[i] as number));
    });
    const usual = mostFrequentStep(steps);
    const count = usual === undefined ? 0 : (steps.get(usual) as number);
    return stationStepS === undefined || count >= LEAST_STEPS ? (usual ?? null) : stationStepS;
  }
}

function differencesOf(ascending: Uint32Array): Float64Array {
  const differences = new Float64Array(Math.max(0, ascending.length - 1));
  for (let i = 0; i < differences.length; i++) {
    differences[i] = (ascending[i + 1] as number) - (ascending[i] as number);
  }
  return differences;
}

/** The longer of two stretches, the earlier of equals. */
function longer(a: Stretch, b: Stretch): Stretch {
  if (a.lengthMs === b.lengthMs) return b.start < a.start ? b : a;
  return b.lengthMs > a.lengthMs ? b : a;
}

/** Tallies times in consecutive intervals; each interval names the tally of its own group. */
export function tallyTimes(
  times: Times,
  intervals: Iterable<{ readonly period: Period; readonly tally: CoverageTally }>,
): void {
  const rest = intervals[Symbol.iterator]();
  let current = rest.next();
  let stop = current.done ? Number.POSITIVE_INFINITY : current.value.period.stop;
  /** Time of the latest reading in the current interval; undefined before the first reading. */
  let latest: number | undefined;
  const finish = (): void => {
    if (current.done) return;
    const { period, tally } = current.value;
    tally.addInterval(period, latest);
    latest = undefined;
    current = rest.next();
    stop = current.done ? Number.POSITIVE_INFINITY : current.value.period.stop;
  };
  for (const { start, offsets } of times.blocks) {
    for (let from = 0; from < offsets.length; ) {
      const first = start + (offsets[from] as number);
      while (first >= stop) finish();
      if (current.done) return;
      const { period, tally } = current.value;
      if (latest === undefined) tally.addEdge(period.start, first);
      else tally.addDifference(latest, first);
      const to = placeAtLeast(stop - start, offsets, from, offsets.length);
      tally.addDifferences(start, offsets.subarray(from, to));
      latest = start + (offsets[to - 1] as number);
      from = to;
    }
  }
  while (!current.done) finish();
}

/** Coverage of one period. */
export function coverageOf(times: Times, period: Period): Coverage {
  const tally = new CoverageTally();
  tallyTimes(times, [{ period, tally }]);
  return tally.result();
}
