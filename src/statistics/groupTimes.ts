import { contains } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { type Coverage, isGap } from './coverage.ts';
import { CoverageTally, coverageOf, tallyTimes } from './coverageTally.ts';
import { type Held, HeldTally } from './duration.ts';
import { type Grouping, idOf, type Ordinals, type Part } from './groups.ts';
import type { ZoneCalendar } from './intervals.ts';
import type { Times } from './times.ts';

/** The coverage of a group, and how long a condition held in the group. */
export interface GroupTimes {
  readonly ordinals: Ordinals;
  readonly coverage: Coverage;
  /**
   * How long the condition of `--where` held, in all or in each sector; empty without a condition.
   */
  readonly held: readonly Held[];
}

interface HeldOptions {
  readonly leastMs: number;
  /**
   * Highest mark of a reading. The mark is 0 where the condition did not hold, else 1 or, in
   * statistics by sector, the number of the reading's sector from 1 on.
   */
  readonly marks: number;
}

/** The times of the readings of a period, and the groups that they belong to. */
interface GroupedTimes {
  readonly times: Times;
  readonly period: Period;
  readonly grouping: Grouping;
  readonly calendar: ZoneCalendar;
  readonly held: HeldOptions | undefined;
}

interface Tally {
  readonly ordinals: Ordinals;
  readonly times: CoverageTally;
  readonly held: readonly HeldTally[];
}

interface CoveredTally extends Tally {
  readonly coverage: Coverage;
}

/** By group id, the coverage of each group of a period and how long a condition held in it. */
export function tallyGroups(grouped: GroupedTimes): Map<string, GroupTimes> {
  const { times, period, calendar, held } = grouped;
  const tallies = tallyCoverage(grouped);
  const stepS = tallies.size > 1 ? coverageOf(times, period).stepS : undefined;
  const covered = new Map(
    [...tallies].map(([id, tally]): [string, CoveredTally] => [
      id,
      { ...tally, coverage: tally.times.result(stepS) },
    ]),
  );
  if (held) tallyHeld(grouped, covered);
  const results = [...covered].map(([id, { ordinals, coverage, times, held }]) => {
    const results = held.map((tally) => tally.result(times.periodMs, calendar));
    return [id, { ordinals, coverage, held: results }] as const;
  });
  return new Map(results);
}

/** Tallies the times between readings in each group. */
function tallyCoverage({ times, grouping, held }: GroupedTimes): Map<string, Tally> {
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
  return tallies;
}

/**
 * Adds up how long a condition held: a reading stands for the time until the next reading or,
 * before a gap, for the usual time between readings.
 */
function tallyHeld(
  { times, period, grouping, calendar }: GroupedTimes,
  tallies: ReadonlyMap<string, CoveredTally>,
): void {
  let part: Part | undefined;
  let day = NOWHERE;
  let month = NOWHERE;
  const take = (time: number, mark: number, untilNextMs: number): void => {
    if (!(part && contains(part.period, time))) part = grouping.partAt(time);
    if (!contains(day, time)) day = calendar.intervalAt('day', time);
    if (!contains(month, time)) month = calendar.intervalAt('month', time);
    const tally = tallies.get(part.id);
    const stepMs = 1000 * (tally?.coverage.stepS ?? 0);
    const lengthMs = isGap(untilNextMs, stepMs) ? stepMs : untilNextMs;
    tally?.held[mark - 1]?.add(day.start, month.start, lengthMs);
  };
  let [latest, latestMark] = [Number.NaN, 0];
  times.forEach((time, mark) => {
    if (latestMark > 0) take(latest, latestMark, time - latest);
    [latest, latestMark] = [time, mark];
  });
  if (latestMark > 0) take(latest, latestMark, period.stop - latest);
}

const NOWHERE: Period = { start: 0, stop: 0 };
