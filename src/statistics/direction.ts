import type { Columns } from '../domain/columns.ts';

const RADIANS = Math.PI / 180;

/** Sines and cosines of whole and half degrees, which are the headings of nearly all stations. */
const HALF_DEGREES = Array.from({ length: 721 }, (_, half) => ((half % 720) / 2) * RADIANS);
const SINES = Float64Array.from(HALF_DEGREES, Math.sin);
const COSINES = Float64Array.from(HALF_DEGREES, Math.cos);

/** Below this mean length of the unit vectors the readings come from everywhere alike. */
const LEAST_LENGTH = 1e-6;

/** Adding and subtracting it rounds a number below 2e9 to a multiple of 2⁻²⁰. */
const COARSE = 1.5 * 2 ** 32;
/** Adding and subtracting it rounds a number below 8 to a multiple of 2⁻⁴⁸. */
const FINE = 1.5 * 2 ** 4;

/**
 * Sums that do not depend on the order of their terms: each term is cut into multiples of 2⁻²⁰ and
 * of 2⁻⁴⁸ first, and sums of these are exact for 30 million readings (after Demmel and Nguyen, Fast
 * Reproducible Floating-Point Summation, 2013). A term is off by 2e-15 at most.
 */
class StableSums {
  /** The sum of the coarse parts, then that of the fine parts, for each sum. */
  readonly #parts: Float64Array;

  constructor(count: number) {
    this.#parts = new Float64Array(2 * count);
  }

  /** Adds the first terms of a list to a sum. */
  add(sum: number, terms: Float64Array, count: number): void {
    let coarseSum = this.#parts[2 * sum] as number;
    let fineSum = this.#parts[2 * sum + 1] as number;
    for (let i = 0; i < count; i++) {
      const term = terms[i] as number;
      const coarse = term + COARSE - COARSE;
      coarseSum += coarse;
      fineSum += term - coarse + FINE - FINE;
    }
    this.#parts[2 * sum] = coarseSum;
    this.#parts[2 * sum + 1] = fineSum;
  }

  merge(other: StableSums): void {
    other.#parts.forEach((part, i) => {
      this.#parts[i] = (this.#parts[i] as number) + part;
    });
  }

  valueOf(sum: number): number {
    return (this.#parts[2 * sum] as number) + (this.#parts[2 * sum + 1] as number);
  }
}

/** The sums of a wind: of its components, and of those of its direction alone. */
const [EAST, NORTH, UNIT_EAST, UNIT_NORTH, SPEED] = [0, 1, 2, 3, 4] as const;

/** Direction and length of a mean vector. */
interface MeanVector {
  readonly length: number;
  /** Degrees, 0 to below 360; null where the vectors cancel out. */
  readonly direction: number | null;
}

/** Terms of the sums of some readings; kept, since new arrays for each group would take more time. */
const MOST_TERMS = 1024;
const newTerms = (): Float64Array => new Float64Array(MOST_TERMS);
const [EASTS, NORTHS, UNIT_EASTS, UNIT_NORTHS, SPEEDS] = [
  newTerms(),
  newTerms(),
  newTerms(),
  newTerms(),
  newTerms(),
] as const;
/** In the order of the sums. */
const TERMS = [EASTS, NORTHS, UNIT_EASTS, UNIT_NORTHS, SPEEDS];

/** Sets the terms of one reading. */
function setTerms(place: number, speed: number, heading: number): void {
  const half = 2 * heading;
  const isTabled = half >= 0 && half <= 720 && half === Math.trunc(half);
  const sine = isTabled ? (SINES[half] as number) : Math.sin(heading * RADIANS);
  const cosine = isTabled ? (COSINES[half] as number) : Math.cos(heading * RADIANS);
  EASTS[place] = speed * sine;
  NORTHS[place] = speed * cosine;
  UNIT_EASTS[place] = sine;
  UNIT_NORTHS[place] = cosine;
  SPEEDS[place] = speed;
}

/** Mean vectors of wind: weighted with the speed (the resultant), and of length 1. */
export class Vectors {
  #calms = 0;
  #winds = 0;
  readonly #sums = new StableSums(5);

  /**
   * Adds the wind of rows. A reading whose average is below `calmKmh` has no direction; one
   * without an average, or with wind but without a heading, is left out.
   */
  addRows(columns: Columns, rows: Int32Array, calmKmh: number): void {
    const { windSpeedAvg, windHeading } = columns;
    for (let from = 0; from < rows.length; from += MOST_TERMS) {
      const to = Math.min(from + MOST_TERMS, rows.length);
      let count = 0;
      for (let i = from; i < to; i++) {
        const row = rows[i] as number;
        const speed = windSpeedAvg[row] as number;
        const heading = windHeading[row] as number;
        if (speed < calmKmh) this.#calms++;
        else if (speed >= calmKmh && Number.isFinite(heading)) setTerms(count++, speed, heading);
      }
      this.#winds += count;
      TERMS.forEach((terms, sum) => {
        this.#sums.add(sum, terms, count);
      });
    }
  }

  merge(other: Vectors): void {
    this.#calms += other.#calms;
    this.#winds += other.#winds;
    this.#sums.merge(other.#sums);
  }

  /**
   * The resultant wind: E = mean(v sin θ), N = mean(v cos θ), speed √(E² + N²), direction
   * atan2(E, N) (EPA-454/R-99-005, Meteorological Monitoring Guidance for Regulatory Modeling
   * Applications, 2000, 6.2.2). A calm adds (0, 0).
   * @returns undefined without a reading
   */
  resultant(): MeanVector | undefined {
    const count = this.#calms + this.#winds;
    if (count === 0) return undefined;
    const [east, north, speed] = [EAST, NORTH, SPEED].map((sum) => this.#sums.valueOf(sum) / count);
    return meanVector(east as number, north as number, speed as number);
  }

  /**
   * The mean of the unit vectors of readings that are not calm; its direction is the prevailing
   * one, its length R of {@link yamartino}.
   * @returns undefined without such a reading
   */
  unit(): MeanVector | undefined {
    const count = this.#winds;
    if (count === 0) return undefined;
    const [east, north] = [UNIT_EAST, UNIT_NORTH].map((sum) => this.#sums.valueOf(sum) / count);
    return meanVector(east as number, north as number, 1);
  }
}

/** @param scale mean length of the vectors, against which a length counts as none */
function meanVector(east: number, north: number, scale: number): MeanVector {
  const length = Math.hypot(east, north);
  if (!(length >= LEAST_LENGTH * scale) || length === 0) return { length, direction: null };
  const degrees = Math.atan2(east, north) / RADIANS;
  // A direction a rounding west of north would become 360.
  return { length, direction: (degrees + 360) % 360 };
}

/**
 * Standard deviation of directions from the length R of their mean unit vector:
 * ε = √(1 − R²), asin(ε) · (1 + (2/√3 − 1) · ε³) (Yamartino, A Comparison of Several
 * "Single-Pass" Estimators of the Standard Deviation of Wind Direction, Journal of Climate and
 * Applied Meteorology 23, 1984).
 * @returns degrees, 0 to 103.9
 */
export function yamartino(length: number): number {
  const epsilon = Math.sqrt(Math.max(0, 1 - length * length));
  return (Math.asin(epsilon) * (1 + (2 / Math.sqrt(3) - 1) * epsilon ** 3)) / RADIANS;
}
