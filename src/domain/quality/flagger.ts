import { HOUR_MS, MINUTE_MS } from '../dates.ts';
import type { ReadingColumns } from '../readings/columns.ts';
import { type FaultLevel, faultLevelOf, QUALITY_LIMITS, type QualityLimit } from './limits.ts';
import { type TestedReading, testedReadingAt } from './testedReading.ts';

/** Readings further apart than this are not compared with each other. */
const NEIGHBOUR_MS = 15 * MINUTE_MS;
/** Readings of one calm may be this far apart, since a station in trouble loses many readings. */
const CALM_APART_MS = 6 * HOUR_MS;
/** A stronger gust than this, in km/h, turns the cups, so that the average should vary. */
const TURNING_KMH = 4;
/** A higher average than this, in km/h, turns the vane, so that the direction should vary. */
const VANE_KMH = 10;
/**
 * Some stations only report the 16 compass points, multiples of this angle. For them, equal
 * directions in a row are normal.
 */
const COARSE_DEG = 22.5;

/**
 * Tracks a run of equal values. If the run lasts too long, all of its readings become suspect, and
 * later fail.
 */
class FlatRun {
  readonly #limit: QualityLimit;
  readonly #apartMs: number;
  #value = Number.NaN;
  #latestMs = 0;
  #level: FaultLevel = 0;
  /** The first reading of the run, and later ones whose level may still rise. */
  #first: TestedReading | undefined;
  #others: TestedReading[] = [];

  /**
   * @param limit the hours after which a run is suspect or fails
   * @param apartMs a longer time between two readings ends the run
   */
  constructor(limit: QualityLimit, apartMs: number) {
    this.#limit = limit;
    this.#apartMs = apartMs;
  }

  /** Adds the next reading. */
  add(value: number, reading: TestedReading): void {
    const { ms } = reading;
    if (value !== this.#value || ms - this.#latestMs > this.#apartMs) {
      this.end();
      this.#value = value;
      this.#first = reading;
    } else this.#others.push(reading);
    this.#latestMs = ms;
    const hours = (ms - (this.#first?.ms ?? ms)) / HOUR_MS;
    const level = hours >= this.#limit.fail ? 2 : hours >= this.#limit.suspect ? 1 : 0;
    if (level === 0) return;
    const raised = level > this.#level ? [this.#first, ...this.#others] : [reading];
    for (const one of raised) if (one && level > one.flat) one.flat = level;
    this.#level = level;
    if (level === 2) this.#others = [];
  }

  /** Ends the run after a reading that does not belong to it. */
  end(): void {
    this.#value = Number.NaN;
    this.#first = undefined;
    this.#level = 0;
    if (this.#others.length > 0) this.#others = [];
  }

  /** The first reading of the run, if its level may still rise at or after a time. */
  firstHeld(ms: number): TestedReading | undefined {
    return this.#level < 2 && ms - this.#latestMs <= this.#apartMs ? this.#first : undefined;
  }
}

/**
 * Tests the readings of one station in order of time, as QARTOD describes. Later readings can
 * change a result: a spike needs the next reading, and a flat line its whole run. `removeFinal`
 * therefore holds readings back until their results are final; in a calm that takes up to two
 * weeks. The results do not depend on how the readings are split into batches.
 */
export class ReadingFlagger {
  readonly #now: number;
  readonly #waiting: TestedReading[] = [];
  /** The last tested reading, and the one before it. */
  #last: TestedReading | undefined;
  #before: TestedReading | undefined;
  /** Whether the station has reported a direction other than the 16 compass points. */
  #isFine = false;
  readonly #averages = new FlatRun(QUALITY_LIMITS.flatAverage, NEIGHBOUR_MS);
  readonly #directions = new FlatRun(QUALITY_LIMITS.flatDirection, NEIGHBOUR_MS);
  readonly #calm = new FlatRun(QUALITY_LIMITS.calm, CALM_APART_MS);

  /** @param now the current time, milliseconds since 1970; later readings count as in the future */
  constructor(now: number) {
    this.#now = now;
  }

  add(columns: ReadingColumns): void {
    for (let row = 0; row < columns.count; row++) {
      const reading = testedReadingAt(columns, row);
      this.#waiting.push(reading);
      reading.time = testTime(reading, this.#last, this.#now);
      const lastMs = this.#last?.ms ?? Number.NEGATIVE_INFINITY;
      reading.isTested = reading.ms <= this.#now && reading.ms > lastMs;
      if (reading.isTested) this.#test(reading);
    }
  }

  /** Removes and returns the readings whose results are final. */
  removeFinal(): TestedReading[] {
    const ms = this.#last?.ms ?? 0;
    const runs = [this.#averages, this.#directions, this.#calm];
    const held = new Set([this.#last, ...runs.map((run) => run.firstHeld(ms))]);
    const end = this.#waiting.findIndex((reading) => held.has(reading));
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** Removes and returns all remaining readings after the last one was added. */
  finish(): TestedReading[] {
    return this.#waiting.splice(0);
  }

  #test(reading: TestedReading): void {
    const last = this.#last;
    testAlone(reading);
    if (last && reading.ms - last.ms <= NEIGHBOUR_MS) {
      const perSecond = (1000 * Math.abs(reading.average - last.average)) / (reading.ms - last.ms);
      reading.rate = faultLevelOf(perSecond, QUALITY_LIMITS.rate);
      const before = this.#before;
      if (before && last.ms - before.ms <= NEIGHBOUR_MS) {
        const ofAverage = spike(before.average, last.average, reading.average);
        const ofGust = spike(before.gust, last.gust, reading.gust);
        last.spike = Math.max(
          faultLevelOf(ofAverage, QUALITY_LIMITS.averageSpike),
          faultLevelOf(ofGust, QUALITY_LIMITS.gustSpike),
        ) as FaultLevel;
      }
    }
    this.#follow(reading);
    this.#before = last;
    this.#last = reading;
  }

  /** Continues the runs of equal values. A missing value neither ends a run nor belongs to one. */
  #follow(reading: TestedReading): void {
    const { average, gust, heading } = reading;
    if (Number.isNaN(average)) return;
    if (!Number.isNaN(gust)) {
      if (gust > TURNING_KMH) this.#averages.add(average, reading);
      else this.#averages.end();
      if (average === 0 && gust === 0) this.#calm.add(0, reading);
      else this.#calm.end();
    }
    if (Number.isNaN(heading)) return;
    this.#isFine ||= heading >= 0 && heading <= 360 && heading % COARSE_DEG !== 0;
    if (average > VANE_KMH && this.#isFine) this.#directions.add(heading, reading);
    else this.#directions.end();
  }
}

/**
 * Tests the time of a reading: it must not be in the future, before the last reading, or a
 * repetition.
 */
function testTime(
  reading: TestedReading,
  last: TestedReading | undefined,
  now: number,
): FaultLevel {
  if (reading.ms > now) return 2;
  if (last === undefined || reading.ms > last.ms) return 0;
  const values = ['ms', 'lull', 'average', 'gust', 'heading'] as const;
  return values.every((name) => Object.is(reading[name], last[name])) ? 0 : 1;
}

/** Applies the tests that do not depend on other readings. */
function testAlone(reading: TestedReading): void {
  const { lull, average, gust, heading } = reading;
  const isImpossible = lull < 0 || average < 0 || gust < 0 || heading < 0 || heading > 360;
  const ofAverage = faultLevelOf(average, QUALITY_LIMITS.average);
  reading.range = isImpossible
    ? 2
    : (Math.max(ofAverage, faultLevelOf(gust, QUALITY_LIMITS.gust)) as FaultLevel);
  reading.order = faultLevelOf(
    Math.max(lull - average || 0, average - gust || 0),
    QUALITY_LIMITS.order,
  );
}

/**
 * If a value lies above or below both neighbours, the smaller of the two differences (the
 * differential method of the spike test in ioos_qc). Otherwise, and if a value is missing, 0.
 */
function spike(before: number, value: number, after: number): number {
  const rise = value - before;
  const fall = after - value;
  return rise * fall < 0 ? Math.min(Math.abs(rise), Math.abs(fall)) : 0;
}
