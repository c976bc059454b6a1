import type { Columns } from '../domain/readings/columns.ts';
import { hasDirection } from '../domain/units.ts';
import { ValueCounts } from './counts.ts';
import { type HeadingStep, normalHeading, spreadOverSectors } from './headings.ts';

/** A wind rose, in per cent of all readings that are calm or have an average and a direction. */
export interface Rose {
  /** For each sector, clockwise from north, the per cent of each class of speed. */
  readonly sectors: readonly (readonly number[])[];
  readonly calm: number;
  /** Number of readings in the rose, which are its 100 %. */
  readonly count: number;
}

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

  /**
   * Computes the wind rose, for which each reading is spread over several sectors.
   * @param step degrees between the directions that the station reports
   */
  rose(sectorCount: number, step: HeadingStep): Rose {
    const { values, counts, total } = this.#winds.sorted();
    const count = total + this.#calms;
    const sectors = Array.from({ length: sectorCount }, () =>
      new Array<number>(this.#classesKmh.length + 1).fill(0),
    );
    values.forEach((value, i) => {
      const speedClass = Math.min(Math.floor(value / 360), this.#classesKmh.length);
      const share = (100 * (counts[i] as number)) / count;
      for (const { sector, part } of spreadOverSectors(
        value - 360 * speedClass,
        step,
        sectorCount,
      )) {
        const classes = sectors[sector] as number[];
        classes[speedClass] = (classes[speedClass] as number) + share * part;
      }
    });
    return { sectors, calm: count === 0 ? 0 : (100 * this.#calms) / count, count };
  }
}
