import { contains } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { type Coverage, CoverageTally, coverageOf, isGap, tallyTimes } from './coverage.ts';
import { type Grouping, idOf, type Ordinals, type Part } from './groups.ts';
import { type Held, HeldTally } from './held.ts';
import type { ZoneCalendar } from './intervals.ts';
import type { Times } from './times.ts';

/** The coverage of a group, and how long a condition held in the group. */
export interface GroupTimes {
  readonly ordinals: Ordinals;
  readonly coverage: Coverage;
  /** How long the condition held, in all or in each sector; empty without a condition. */
  readonly held: readonly Held[];
}

export interface HeldOptions {
  readonly leastMs: number;
  /**
   * Highest mark of a reading. The mark is 0 where the condition did not hold, else 1 or, in
   * statistics by sector, the number of the reading's sector from 1 on.
   */
  readonly marks: number;
}

interface Tally {
  readonly ordinals: Ordinals;
  readonly times: CoverageTally;
  readonly held: readonly HeldTally[];
}

/** The coverage of each group by the group's id, and how long a condition held in the group. */
export function tallyGroups(
  times: Times,
  period: Period,
  grouping: Grouping,
  calendar: ZoneCalendar,
  held: HeldOptions | undefined,
): Map<string, GroupTimes> {
  const tallies = new Map<string, Tally>();
  const find = (ordinals: Ordinals, id: string): Tally => {
    let tally = tallies.get(id);
    if (tally === undefined) {
      const marks = Array.from(
        { length: held?.marks ?? 0 },
        () => new HeldTally(held?.leastMs ?? 0),
      );
      tally = { ordinals, times: new CoverageTally(), held: marks };
      tallies.set(id, tally);
    }
    return tally;
  };
  for (const ordinals of grouping.cycles()) find(ordinals, idOf(ordinals));
  function* intervals() {
    for (const { period, ordinals, id } of grouping.parts()) {
      yield { period, tally: find(ordinals, id).times };
    }
  }
  tallyTimes(times, intervals());
  const stepS = tallies.size > 1 ? coverageOf(times, period).stepS : undefined;
  const coverages = new Map(
    [...tallies].map(([id, tally]) => [id, tally.times.result(stepS)] as const),
  );
  const stepMsOf = (id: string): number => 1000 * (coverages.get(id)?.stepS ?? 0);
  if (held) tallyHeld(times, period, grouping, calendar, tallies, stepMsOf);
  const results = [...tallies].map(([id, { ordinals, times, held }]) => {
    const results = held.map((tally) => tally.result(times.periodMs, calendar));
    return [id, { ordinals, coverage: coverages.get(id) as Coverage, held: results }] as const;
  });
  return new Map(results);
}

/**
 * Adds up how long a condition held: a reading stands for the time until the next reading or,
 * before a gap, for the usual time between readings.
 */
function tallyHeld(
  times: Times,
  period: Period,
  grouping: Grouping,
  calendar: ZoneCalendar,
  tallies: ReadonlyMap<string, Tally>,
  stepMsOf: (id: string) => number,
): void {
  let part: Part | undefined;
  let day = NOWHERE;
  let month = NOWHERE;
  const take = (time: number, mark: number, untilNextMs: number): void => {
    if (!(part && contains(part.period, time))) part = grouping.partAt(time);
    if (!contains(day, time)) day = calendar.intervalAt('day', time);
    if (!contains(month, time)) month = calendar.intervalAt('month', time);
    const stepMs = stepMsOf(part.id);
    const lengthMs = isGap(untilNextMs, stepMs) ? stepMs : untilNextMs;
    tallies.get(part.id)?.held[mark - 1]?.add(day.start, month.start, lengthMs);
  };
  let [latest, latestMark] = [Number.NaN, 0];
  times.forEach((time, mark) => {
    if (latestMark > 0) take(latest, latestMark, time - latest);
    [latest, latestMark] = [time, mark];
  });
  if (latestMark > 0) take(latest, latestMark, period.stop - latest);
}

const NOWHERE: Period = { start: 0, stop: 0 };
