import { hasDirection } from '../domain/units.ts';
import { countValues } from './counts.ts';
import { type HeadingStep, normalizeHeading, spreadOverSectors } from './headings.ts';
import type { WindColumns } from './readings.ts';

/**
 * A wind rose in per cent of its readings: those that are calm, or have an average and a direction.
 */
export interface WindRose {
  /** For each sector, clockwise from north, the percentage of each speed class. */
  readonly sectors: readonly (readonly number[])[];
  readonly calm: number;
  /** Number of readings in the rose, which are 100 %. */
  readonly count: number;
}

export interface WindRoseOptions {
  readonly calmKmh: number;
  /** The lower bounds of the speed classes, except the first, ascending, km/h. */
  readonly classesKmh: readonly number[];
  readonly sectors: number;
}

/**
 * Computes a wind rose. Each reading is spread over the sectors that its direction may belong to.
 * @param step degrees between the directions that the station reports
 */
export function computeWindRose(
  { windSpeedAvg, windHeading }: WindColumns,
  { calmKmh, classesKmh, sectors: sectorCount }: WindRoseOptions,
  step: HeadingStep,
): WindRose {
  let calms = 0;
  /** The direction of each reading that is not calm, in degrees, plus 360 times its speed class. */
  const winds = windSpeedAvg.map((speed, row) => {
    if (speed < calmKmh) calms++;
    const heading = windHeading[row] as number;
    if (!hasDirection(speed, heading, calmKmh)) return Number.NaN;
    let speedClass = 0;
    while (speed >= (classesKmh[speedClass] as number)) speedClass++;
    return normalizeHeading(heading) + 360 * speedClass;
  });
  const { values, counts, total } = countValues(winds);
  const count = total + calms;
  const sectors = Array.from({ length: sectorCount }, () =>
    new Array<number>(classesKmh.length + 1).fill(0),
  );
  values.forEach((value, i) => {
    const speedClass = Math.min(Math.floor(value / 360), classesKmh.length);
    const share = (100 * (counts[i] as number)) / count;
    for (const { sector, part } of spreadOverSectors(value - 360 * speedClass, step, sectorCount)) {
      const classes = sectors[sector] as number[];
      classes[speedClass] = (classes[speedClass] as number) + share * part;
    }
  });
  return { sectors, calm: count === 0 ? 0 : (100 * calms) / count, count };
}

/** Joins wind roses with the same sectors and classes to the rose of all their readings. */
export function joinWindRoses(roses: readonly WindRose[]): WindRose {
  const count = roses.reduce((sum, rose) => sum + rose.count, 0);
  const mean = (read: (rose: WindRose) => number): number =>
    roses.reduce((sum, rose) => sum + rose.count * read(rose), 0) / Math.max(1, count);
  const [{ sectors } = { sectors: [] }] = roses;
  return {
    sectors: sectors.map((classes, sector) =>
      classes.map((_, place) => mean((rose) => rose.sectors[sector]?.[place] ?? 0)),
    ),
    calm: mean(({ calm }) => calm),
    count,
  };
}
