import { DAY_MS, HOUR_MS } from '../domain/dates.ts';
import { distanceKm } from '../domain/geo.ts';
import type { Period } from '../domain/period.ts';
import { ReadingFlagger } from '../domain/quality/flagger.ts';
import {
  type FaultLevel,
  faultLevelOf,
  QUALITY_FLAGS,
  QUALITY_LIMITS,
  QUALITY_TEST_NAMES,
  type QualityTestName,
} from '../domain/quality/limits.ts';
import {
  qualityFlagOf,
  READING_TESTS,
  type TestedReading,
} from '../domain/quality/testedReading.ts';
import {
  firstRowsOfTimes,
  joinArrays,
  type ReadingColumns,
  rowsWithin,
} from '../domain/readings/columns.ts';
import type { Position } from '../domain/station.ts';
import { coverageOfGroups, periodOfReadings } from './coverage.ts';
import { createGrouping } from './groups.ts';
import { zoneCalendar } from './zoneCalendar.ts';

/** The verdicts on a station with their meanings, the worst first. */
export const VERDICT_MEANINGS = {
  gone: 'no mean in the last 24 h of the period',
  broken: 'more than 5 % of the readings fail',
  look: 'a test fails, or more than 1 % of the readings are suspect',
  ok: 'all else',
} as const;
type Verdict = keyof typeof VERDICT_MEANINGS;

class Tally {
  /** Number of readings that fail, and of those that are suspect. */
  failed = 0;
  suspect = 0;
  /** Time of the last average; null without one. */
  last: number | null = null;
  /** Faults by test: the number of readings or, for gap, position and time, of episodes. */
  readonly tests = Object.fromEntries(
    QUALITY_TEST_NAMES.map((test) => [test, { suspect: 0, fail: 0 }]),
  ) as Record<QualityTestName, { suspect: number; fail: number }>;

  /**
   * @param silentMs the time from the last average, which may be in an earlier month, to the end of
   *   the period
   */
  verdict(readings: number, silentMs: number): Verdict {
    // In the first hour of a month, even a healthy station may have its last average in the month
    // before.
    if (silentMs >= (this.last === null ? HOUR_MS : DAY_MS)) return 'gone';
    if (this.failed > 0.05 * readings) return 'broken';
    const hasFailed = Object.values(this.tests).some(({ fail }) => fail > 0);
    return hasFailed || this.suspect > 0.01 * readings ? 'look' : 'ok';
  }
}

/** A period in which a test finds faults. */
interface Episode {
  readonly test: QualityTestName;
  level: FaultLevel;
  readonly start: number;
  stop: number;
  /** Number of faulty readings; 0 for a gap. */
  readings: number;
}

/** Faults of a test belong to one episode if they are at most this far apart. */
const APART_MS = HOUR_MS;

export interface StationCheckOptions {
  /**
   * The period, which ends now at the latest. A missing start or stop follows from the readings.
   */
  readonly bounds: Partial<Period>;
  /** The current time, milliseconds since 1970; later readings count as in the future. */
  readonly now: number;
  /** IANA name of the time zone in which months begin, or `utc`. */
  readonly zone: string;
  /** Whether to check each month separately. */
  readonly by: readonly 'month'[];
}

/** The results of checking a station. */
export interface StationCheckResult {
  readonly period: Period;
  /** The results for the whole period, or for each month. */
  readonly parts: readonly PeriodCheckResult[];
  /** All faults in order of time. */
  readonly episodes: readonly Episode[];
}

/** The results of checking a station in the whole period, or in one month. */
export interface PeriodCheckResult extends Pick<Tally, 'failed' | 'suspect' | 'last' | 'tests'> {
  /** The month, such as `2024-05`; undefined for the whole period. */
  readonly month: string | number | undefined;
  readonly verdict: Verdict;
  /** The share of time that readings with an average cover, 0 to 1; null for an empty period. */
  readonly coverage: number | null;
  readonly readings: number;
}

/** Checks the readings of one station, which must come in order of time. */
export class StationCheck {
  readonly #options: StationCheckOptions;
  readonly #calendar;
  readonly #grouping;
  readonly #flagger: ReadingFlagger;
  readonly #episodes: Episode[] = [];
  readonly #latestEpisodes = new Map<QualityTestName, Episode>();
  /** Times and averages of the readings so far: the first reading of each time in the period. */
  readonly #times: Float64Array[] = [];
  readonly #averages: Float64Array[] = [];
  #latest = Number.NaN;
  /** Numbers of faults, by the ids of months. */
  readonly #tallies = new Map<string, Tally>();
  /** Time of the last average. Before the first average, the start of the period. */
  #averageMs: number | undefined;
  #position: Position | undefined;

  constructor(options: StationCheckOptions) {
    const { bounds, now, zone, by } = options;
    this.#options = options;
    this.#averageMs = bounds.start;
    this.#calendar = zoneCalendar(zone);
    this.#grouping = createGrouping(this.#calendar, by);
    this.#flagger = new ReadingFlagger(now);
  }

  add(columns: ReadingColumns): void {
    this.#takeTimes(columns);
    this.#takePositions(columns);
    this.#flagger.add(columns);
    this.#addTested(this.#flagger.removeFinal());
  }

  /** Counts rows of a chunk that came out of order. They are sorted before `add`. */
  addDisordered({ start, stop }: Period, readings: number): void {
    if (readings > 0) this.#episodes.push({ test: 'time', level: 1, start, stop, readings });
  }

  /**
   * Finishes the check after the last reading. Returns the results of the whole period or of each
   * month, with the share of time that averages cover (0 to 1, null for an empty period), and all
   * episodes in order of time.
   */
  finish() {
    this.#addTested(this.#flagger.finish());
    const times = {
      time: joinArrays(Float64Array, this.#times),
      windSpeedAvg: joinArrays(Float64Array, this.#averages),
    };
    const period = periodOfReadings(times, this.#options.bounds, this.#calendar);
    this.#endGap(period.stop);
    const episodes = this.#episodes.sort((a, b) => a.start - b.start);
    for (const { test, level, start } of episodes) {
      if (test !== 'gap' && test !== 'position' && test !== 'time') continue;
      // Count a fault in the future for the current month, the last of the period.
      count(this.#tallyAt(Math.min(start, this.#options.now)), test, level);
    }
    const groups = [...coverageOfGroups(times, period, this.#grouping)];
    // An empty period also gets a verdict, for the month that contains it.
    const at = Math.min(this.#options.bounds.start ?? this.#options.now, this.#options.now);
    if (groups.length === 0) {
      groups.push(...coverageOfGroups(times, { start: at, stop: at + 1 }, this.#grouping));
    }
    let last = Number.NEGATIVE_INFINITY;
    const parts = groups.map(
      ([
        id,
        {
          ordinals: [ordinal],
          coverage: covered,
        },
      ]) => {
        const { coverage, readings } = covered;
        const tally = this.#tallies.get(id) ?? new Tally();
        const whole = ordinal === undefined ? period : this.#grouping.partAt(ordinal).period;
        last = tally.last ?? last;
        const silentMs = Math.min(whole.stop, period.stop) - last;
        const month = ordinal === undefined ? undefined : this.#grouping.keyOf('month', ordinal);
        const verdict = tally.verdict(readings, silentMs);
        return { ...tally, month, verdict, coverage, readings };
      },
    );
    return { period, parts, episodes };
  }

  #takeTimes(columns: ReadingColumns): void {
    const { bounds, now } = this.#options;
    const stop = Math.min(bounds.stop ?? now + 1, now + 1);
    const { time, windSpeedAvg } = rowsWithin(firstRowsOfTimes(columns, this.#latest), {
      ...bounds,
      stop,
    });
    this.#latest = columns.time.at(-1) ?? this.#latest;
    // Copy the arrays, so that the memory of other columns can be freed.
    this.#times.push(time.slice());
    this.#averages.push(windSpeedAvg.slice());
  }

  #takePositions({ count, time, latitude, longitude }: ReadingColumns): void {
    for (let row = 0; row < count; row++) {
      const position = { latitude: latitude[row] as number, longitude: longitude[row] as number };
      const isZero = position.latitude === 0 && position.longitude === 0;
      // A station that was never located has the position 0, 0.
      if (isZero || Number.isNaN(position.latitude + position.longitude)) continue;
      this.#position ??= position;
      const level = faultLevelOf(1000 * distanceKm(this.#position, position), QUALITY_LIMITS.moved);
      if (level === 0) continue;
      this.#addFault('position', level, time[row] as number);
      this.#position = position;
    }
  }

  #addTested(readings: readonly TestedReading[]): void {
    for (const reading of readings) {
      const { ms, average, isTested } = reading;
      const tally = this.#tallyAt(ms);
      // A period without a start begins with its first reading, even if that has no average.
      if (isTested) this.#averageMs ??= ms;
      if (isTested && !Number.isNaN(average)) {
        tally.last = ms;
        this.#endGap(ms);
      }
      const flag = qualityFlagOf(reading);
      if (flag === QUALITY_FLAGS.pass || flag === QUALITY_FLAGS.missing) continue;
      if (flag === QUALITY_FLAGS.fail) tally.failed++;
      if (flag === QUALITY_FLAGS.suspect) tally.suspect++;
      for (const test of READING_TESTS) {
        if (reading[test] === 0) continue;
        this.#addFault(test, reading[test], ms);
        if (test !== 'time') count(tally, test, reading[test]);
      }
    }
  }

  /** Adds a fault of one reading to the episodes. The faults of each test must come in order. */
  #addFault(test: QualityTestName, level: FaultLevel, time: number): void {
    const latest = this.#latestEpisodes.get(test);
    if (latest && time - latest.stop <= APART_MS) {
      latest.stop = Math.max(latest.stop, time);
      latest.readings++;
      if (level > latest.level) latest.level = level;
      return;
    }
    const begun = { test, level, start: time, stop: time, readings: 1 };
    this.#latestEpisodes.set(test, begun);
    this.#episodes.push(begun);
  }

  /** Ends the time without an average. If it was long, it becomes an episode. */
  #endGap(stop: number): void {
    const start = this.#averageMs ?? stop;
    const level = faultLevelOf((stop - start) / HOUR_MS, QUALITY_LIMITS.gap);
    if (level > 0) this.#episodes.push({ test: 'gap', level, start, stop, readings: 0 });
    this.#averageMs = stop;
  }

  #tallyAt(time: number): Tally {
    const { id } = this.#grouping.partAt(time);
    const tally = this.#tallies.get(id) ?? new Tally();
    this.#tallies.set(id, tally);
    return tally;
  }
}

function count({ tests }: Tally, test: QualityTestName, level: number): void {
  tests[test][level === 2 ? 'fail' : 'suspect']++;
}
