import type { Columns } from '../domain/columns.ts';
import { hasDirection } from '../domain/units.ts';
import { ValueCounts } from './counts.ts';

/** A wind rose, in per cent of all readings that are calm or have an average and a direction. */
export interface Rose {
  /** For each sector, clockwise from north, the per cent of each class of speed. */
  readonly sectors: readonly (readonly number[])[];
  readonly calm: number;
  /** Number of readings in the rose, which are its 100 %. */
  readonly count: number;
}

/** Degrees between the directions of a station that only reports the 16 points of the compass. */
const COARSE_STEP = 22.5;

/** Degrees between the directions that any other station reports. */
const FINE_STEP = 1;

/** Counts the readings of a group by direction and class of speed. */
export class RoseTally {
  readonly #calmKmh: number;
  readonly #classesKmh: readonly number[];
  #calms = 0;
  /** Each reading that is not calm: its direction in degrees plus 360 times its class of speed. */
  readonly #winds = new ValueCounts();

  /**
   * Begins without readings.
   * @param classesKmh lowest speed of each class of speed but the first, ascending, km/h
   */
  constructor(calmKmh: number, classesKmh: readonly number[]) {
    this.#calmKmh = calmKmh;
    this.#classesKmh = classesKmh;
  }

  add({ count, windSpeedAvg, windHeading }: Columns): void {
    const classes = this.#classesKmh;
    for (let row = 0; row < count; row++) {
      const speed = windSpeedAvg[row] as number;
      const heading = windHeading[row] as number;
      if (speed < this.#calmKmh) {
        this.#calms++;
      } else if (hasDirection(speed, heading, this.#calmKmh)) {
        let speedClass = 0;
        while (speedClass < classes.length && speed >= (classes[speedClass] as number)) {
          speedClass++;
        }
        this.#winds.add(normalHeading(heading) + 360 * speedClass);
      }
    }
  }

  /** Whether all directions counted are among the 16 points of the compass. */
  get isCoarse(): boolean {
    return this.#winds.sorted().values.every((value) => value % COARSE_STEP === 0);
  }

  /**
   * Computes the wind rose. Each reading of a direction θ is spread evenly over the arc `[θ−q/2,
   * θ+q/2)`, where q is the distance between directions that the station reports. So a sector that
   * contains more points of the compass than others has no advantage; totals stay (after Droppo and
   * Napier, Wind Direction Bias in Generating Wind Roses and Conducting Sector-Based Air Dispersion
   * Modeling, Journal of the Air & Waste Management Association 58, 2008).
   * @param isCoarse whether the station only reports the points of the compass, 22.5° apart
   */
  rose(sectorCount: number, isCoarse: boolean): Rose {
    const { values, counts, total } = this.#winds.sorted();
    const count = total + this.#calms;
    const sectors = Array.from({ length: sectorCount }, () =>
      new Array<number>(this.#classesKmh.length + 1).fill(0),
    );
    const step = isCoarse ? COARSE_STEP : FINE_STEP;
    values.forEach((value, i) => {
      const speedClass = Math.min(Math.floor(value / 360), this.#classesKmh.length);
      const share = (100 * (counts[i] as number)) / count;
      for (const { sector, part } of spread(value - 360 * speedClass, step, sectorCount)) {
        const classes = sectors[sector] as number[];
        classes[speedClass] = (classes[speedClass] as number) + share * part;
      }
    });
    return { sectors, calm: count === 0 ? 0 : (100 * this.#calms) / count, count };
  }
}

/**
 * A direction from 0 to below 360 degrees, rounded to a millionth, so that no digit is lost when
 * 360 is added for each class of speed.
 */
function normalHeading(heading: number): number {
  return (Math.round((heading % 360) * 1e6) / 1e6 + 360) % 360;
}

/** The sectors that an arc of `step` degrees around a direction touches, with their parts of it. */
function spread(
  heading: number,
  step: number,
  sectorCount: number,
): { sector: number; part: number }[] {
  const width = 360 / sectorCount;
  // `from` and `to` count sectors from the west edge of the first sector, whose middle is north.
  const from = (heading - step / 2) / width + 0.5;
  const to = (heading + step / 2) / width + 0.5;
  const parts: { sector: number; part: number }[] = [];
  for (let at = Math.floor(from); at < to; at++) {
    const part = (Math.min(at + 1, to) - Math.max(at, from)) / (to - from);
    parts.push({ sector: (at + sectorCount) % sectorCount, part });
  }
  return parts;
}
