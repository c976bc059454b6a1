import type { Period } from '../domain/period.ts';
import type { INTERVAL_COLUMNS, SERVICE_COLUMNS } from '../domain/readings/archiveColumns.ts';
import type { ReadingColumns } from '../domain/readings/columns.ts';
import { CALM_BELOW_KMH } from '../domain/units.ts';
import { WindVectorSums } from './direction.ts';
import { coveredShare, timeLostToGapMs, UsualStepFinder } from './gaps.ts';
import { type CalendarUnit, type ZoneCalendar, zoneCalendar } from './zoneCalendar.ts';

/** The intervals of `--every` that completion offers. */
export const SUGGESTED_INTERVALS = '10min 15min 30min 1h 2h 3h 6h 12h 1d 1w 1mo'.split(' ');

export interface IntervalOptions {
  /** The interval that each row combines. */
  readonly unit: CalendarUnit;
  /** IANA name of the time zone in which intervals begin at round times, or `utc`. */
  readonly zone: string;
  /** The period of the rows. It ends now at the latest. */
  readonly period: Period;
  /** Whether intervals without readings get a row too. */
  readonly isFilled: boolean;
}

/**
 * A row of `--every`: its start in milliseconds since 1970, speeds in km/h, directions in degrees;
 * NaN if unknown.
 */
export type IntervalRow = Readonly<
  Record<(typeof SERVICE_COLUMNS)[number]['key'] | (typeof INTERVAL_COLUMNS)[number]['key'], number>
>;

/** The usual step is first estimated once this many readings have come. */
const WARM_UP = 100;
/** The usual step is estimated from this many recent steps: about three days of readings. */
const WINDOW = 1000;

/**
 * Combines readings of one station into one row for each interval of `--every`. A row is complete
 * once a later reading comes or the period ends. Its coverage is based on the usual step of the
 * last 1000 readings, or at first of 100. The result does not depend on how readings are split into
 * chunks, and a station may change how often it reports.
 */
export class IntervalCombiner {
  readonly #options: IntervalOptions;
  readonly #calendar: ZoneCalendar;
  readonly #cadence = new Cadence();
  /** The first readings, held back until the usual step is known; then undefined. */
  #waiting: [columns: ReadingColumns, row: number][] | undefined = [];
  #open: OpenInterval;

  constructor(options: IntervalOptions) {
    this.#options = options;
    this.#calendar = zoneCalendar(options.zone);
    this.#open = this.#intervalStarting(options.period.start);
  }

  /**
   * Adds readings, which must be later than all before, and yields the rows that are now complete.
   */
  *add(columns: ReadingColumns): Generator<IntervalRow> {
    for (let row = 0; row < columns.count; row++) {
      this.#cadence.add(columns.time[row] as number);
      if (this.#waiting === undefined) yield* this.#combine(columns, row);
      else if (this.#waiting.push([columns, row]) === WARM_UP) yield* this.#endWarmUp();
    }
  }

  /** Yields the remaining rows at the end of the period. */
  *finish(): Generator<IntervalRow> {
    yield* this.#endWarmUp();
    const { start, stop } = this.#options.period;
    yield* this.#advance(stop);
    if (stop > Math.max(start, this.#open.period.start) || this.#open.readings > 0)
      yield* this.#close();
  }

  *#endWarmUp(): Generator<IntervalRow> {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const [columns, row] of waiting) yield* this.#combine(columns, row);
  }

  *#combine(columns: ReadingColumns, row: number): Generator<IntervalRow> {
    yield* this.#advance(columns.time[row] as number);
    this.#open.add(columns, row, this.#cadence.stepMs);
  }

  /** Yields the rows that end at or before a time, and begins the row that contains it. */
  *#advance(moment: number): Generator<IntervalRow> {
    while (this.#open.period.stop <= moment) {
      yield* this.#close();
      this.#open = this.#intervalStarting(this.#options.isFilled ? this.#open.period.stop : moment);
    }
  }

  *#close(): Generator<IntervalRow> {
    const { isFilled, period } = this.#options;
    if (isFilled || this.#open.readings > 0) yield this.#open.toRow(period, this.#cadence.stepMs);
  }

  #intervalStarting(ms: number): OpenInterval {
    return new OpenInterval(this.#calendar.intervalAt(this.#options.unit, ms));
  }
}

/** Finds the usual step between readings from the last 1000 steps. */
class Cadence {
  /** The usual time between readings, milliseconds; 0 before the second reading. */
  stepMs = 0;
  #latest: number | undefined;
  readonly #recent: number[] = [];
  readonly #usual = new UsualStepFinder();

  /** Adds the time of a reading, which must be later than all before. */
  add(time: number): void {
    if (this.#latest !== undefined) {
      const differenceMs = time - this.#latest;
      this.#usual.add(differenceMs);
      if (this.#recent.push(differenceMs) > WINDOW) {
        this.#usual.add(this.#recent.shift() as number, -1);
      }
      this.stepMs = this.#usual.find().ms;
    }
    this.#latest = time;
  }
}

/** Collects the readings of one interval of `--every`, in order of time. */
class OpenInterval {
  readonly period: Period;
  readings = 0;
  #first = Number.NaN;
  #last = Number.NaN;
  #lostMs = 0;
  #latitude = Number.NaN;
  #longitude = Number.NaN;
  #lull = Number.POSITIVE_INFINITY;
  #gust = Number.NEGATIVE_INFINITY;
  readonly #avg = new Mean();
  readonly #pressure = new Mean();
  readonly #vectors = new WindVectorSums();

  constructor(period: Period) {
    this.period = period;
  }

  add(columns: ReadingColumns, row: number, stepMs: number): void {
    const time = columns.time[row] as number;
    const average = columns.windSpeedAvg[row] as number;
    this.readings++;
    if (!Number.isNaN(average)) this.#cover(time, stepMs);
    this.#latitude = columns.latitude[row] as number;
    this.#longitude = columns.longitude[row] as number;
    const [lull, gust] = [columns.windSpeedMin[row] as number, columns.windSpeedMax[row] as number];
    if (lull < this.#lull) this.#lull = lull;
    if (gust > this.#gust) this.#gust = gust;
    this.#avg.add(average);
    this.#pressure.add(columns.pressure[row] as number);
    this.#vectors.add(average, columns.windHeading[row] as number, CALM_BELOW_KMH);
  }

  /** Counts the time of a reading with an average. Other readings do not raise the coverage. */
  #cover(time: number, stepMs: number): void {
    if (Number.isNaN(this.#first)) this.#first = time;
    else this.#lostMs += timeLostToGapMs(time - this.#last, stepMs);
    this.#last = time;
  }

  /**
   * Combines the readings of the interval into a row.
   * @param whole the period of all rows; time outside of it does not lower the coverage
   */
  toRow(whole: Period, stepMs: number): IntervalRow {
    return {
      time: this.period.start,
      latitude: this.#latitude,
      longitude: this.#longitude,
      windSpeedMin: known(this.#lull),
      windSpeedAvg: this.#avg.value,
      windSpeedMax: known(this.#gust),
      windHeading: this.#vectors.resultant()?.direction ?? Number.NaN,
      pressure: this.#pressure.value,
      readings: this.readings,
      coverage: this.#coverage(whole, stepMs),
    };
  }

  #coverage(whole: Period, stepMs: number): number {
    const start = Math.max(this.period.start, whole.start);
    const stop = Math.min(this.period.stop, whole.stop);
    // A reading after the end of the period is possible if the service's clock is ahead.
    if (stop <= start) return Number.NaN;
    if (Number.isNaN(this.#first)) return 0;
    const edgesMs =
      timeLostToGapMs(this.#first - start, stepMs) + timeLostToGapMs(stop - this.#last, stepMs);
    return coveredShare(stop - start, this.#lostMs + edgesMs) ?? Number.NaN;
  }
}

class Mean {
  #sum = 0;
  #count = 0;

  add(value: number): void {
    if (Number.isNaN(value)) return;
    this.#sum += value;
    this.#count++;
  }

  get value(): number {
    return this.#sum / this.#count;
  }
}

const known = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);
