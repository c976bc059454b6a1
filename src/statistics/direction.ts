import { bearingDeg, RADIANS_PER_DEGREE } from '../domain/compass.ts';
import { hasDirection } from '../domain/units.ts';

/**
 * Minimum length of a mean vector relative to the mean length of its vectors. If it is shorter, the
 * vectors cancel out, and the mean has no direction.
 */
const MIN_RELATIVE_LENGTH = 1e-6;

/** Adding and subtracting this number rounds a number below 2e9 to a multiple of 2⁻²⁰. */
const COARSE = 1.5 * 2 ** 32;
/** Adding and subtracting this number rounds a number below 8 to a multiple of 2⁻⁴⁸. */
const FINE = 1.5 * 2 ** 4;

/**
 * A sum that does not depend on the order of its terms. Each term is split into a multiple of 2⁻²⁰
 * and a multiple of 2⁻⁴⁸, and both are summed exactly for up to 30 million readings (after Demmel
 * and Nguyen, Fast Reproducible Floating-Point Summation, 2013). Each term has an error of at most
 * 2e-15.
 */
class StableSum {
  #coarse = 0;
  #fine = 0;

  add(term: number): void {
    const coarse = term + COARSE - COARSE;
    this.#coarse += coarse;
    this.#fine += term - coarse + FINE - FINE;
  }

  get value(): number {
    return this.#coarse + this.#fine;
  }
}

/** Length and direction of a mean vector. */
interface MeanVector {
  readonly length: number;
  /** Direction in degrees, 0 to below 360; null if the vectors cancel out. */
  readonly direction: number | null;
}

/** Sums wind vectors for two means: of vectors as long as the speed, and of unit vectors. */
export class WindVectorSums {
  #calms = 0;
  #winds = 0;
  readonly #east = new StableSum();
  readonly #north = new StableSum();
  readonly #unitEast = new StableSum();
  readonly #unitNorth = new StableSum();
  readonly #speed = new StableSum();

  /**
   * Adds a reading. One with an average below `calmKmh` is calm and has no direction. A reading
   * without an average, or one that is not calm but has no heading, is ignored.
   * @param part the weight of the reading
   */
  add(speed: number, heading: number, calmKmh: number, part = 1): void {
    if (speed < calmKmh) this.#calms += part;
    if (!hasDirection(speed, heading, calmKmh)) return;
    // Treat 360° as 0°: both are north, but the sine of 2π is not exactly 0.
    const angle = heading === 360 ? 0 : heading * RADIANS_PER_DEGREE;
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
    this.#winds += part;
    this.#east.add(part * speed * sine);
    this.#north.add(part * speed * cosine);
    this.#unitEast.add(part * sine);
    this.#unitNorth.add(part * cosine);
    this.#speed.add(part * speed);
  }

  /**
   * The mean of vectors as long as the speed: E = mean(v sin θ), N = mean(v cos θ), speed √(E² +
   * N²), direction atan2(E, N) (EPA-454/R-99-005, Meteorological Monitoring Guidance for Regulatory
   * Modeling Applications, 2000, 6.2.2). Calm readings count as (0, 0).
   * @returns undefined without readings
   */
  resultant(): MeanVector | undefined {
    const count = this.#calms + this.#winds;
    if (count === 0) return undefined;
    return meanVector(this.#east.value, this.#north.value, this.#speed.value, count);
  }

  /**
   * The mean of unit vectors, without calm readings. Its direction is the prevailing wind
   * direction, and its length the R of {@link yamartinoDeviation}.
   * @returns undefined without readings that have a direction
   */
  unit(): MeanVector | undefined {
    const count = this.#winds;
    if (count === 0) return undefined;
    return meanVector(this.#unitEast.value, this.#unitNorth.value, count, count);
  }
}

/**
 * Computes a mean vector from the sums of the east and north components.
 * @param total sum of the lengths of all vectors, to detect that they cancel out
 */
function meanVector(eastSum: number, northSum: number, total: number, count: number): MeanVector {
  const [east, north, scale] = [eastSum / count, northSum / count, total / count];
  const length = Math.hypot(east, north);
  if (!(length >= MIN_RELATIVE_LENGTH * scale) || length === 0) return { length, direction: null };
  return { length, direction: bearingDeg(east, north) };
}

/**
 * The standard deviation of directions from the length R of their mean unit vector: ε = √(1 − R²),
 * asin(ε) · (1 + (2/√3 − 1) · ε³) (Yamartino, A Comparison of Several "Single-Pass" Estimators of
 * the Standard Deviation of Wind Direction, Journal of Climate and Applied Meteorology 23, 1984).
 * @returns degrees, 0 to 103.9
 */
export function yamartinoDeviation(length: number): number {
  const epsilon = Math.sqrt(Math.max(0, 1 - length * length));
  return (Math.asin(epsilon) * (1 + (2 / Math.sqrt(3) - 1) * epsilon ** 3)) / RADIANS_PER_DEGREE;
}
