import { hasDirection } from '../domain/units.ts';
import { pickWindRows, type WindColumns } from './readings.ts';

/**
 * Degrees between the directions that a station can report, the greatest first: the 16 points of the
 * compass, tens of degrees, and any direction.
 */
const HEADING_STEPS = [22.5, 10, 1] as const;
export type HeadingStep = (typeof HEADING_STEPS)[number];

/** Least share of directions that are multiples of a station's step: a few may be odd. */
const MIN_SHARE = 0.99;

/**
 * The greatest step of which 99 % of a station's directions are multiples; 1 degree without any.
 * @param calmKmh a reading with an average below this has no direction
 */
export function headingStep(
  { windSpeedAvg, windHeading }: WindColumns,
  calmKmh: number,
): HeadingStep {
  let total = 0;
  const multiples = HEADING_STEPS.map(() => 0);
  for (let row = 0; row < windHeading.length; row++) {
    const heading = windHeading[row] as number;
    if (!hasDirection(windSpeedAvg[row] as number, heading, calmKmh)) continue;
    total++;
    const degrees = normalizeHeading(heading);
    for (const [at, step] of HEADING_STEPS.entries()) {
      if (degrees % step === 0) multiples[at] = (multiples[at] as number) + 1;
    }
  }
  if (total === 0) return 1;
  return HEADING_STEPS.find((_, at) => (multiples[at] as number) >= MIN_SHARE * total) ?? 1;
}

/**
 * A direction from 0 to below 360 degrees, rounded to a millionth, so that no digit is lost when
 * 360 is added for each class of speed.
 */
export function normalizeHeading(heading: number): number {
  return (Math.round((heading % 360) * 1e6) / 1e6 + 360) % 360;
}

/** A sector, as a number clockwise from north, and the part of a reading that belongs to it. */
export interface SectorPart {
  readonly sector: number;
  readonly part: number;
}

/**
 * Spreads a reading of the direction θ evenly over the arc `[θ−q/2, θ+q/2)`, where q is the distance
 * between directions that the station reports. So a sector that contains more of these directions
 * than others has no advantage (after Droppo and Napier, Wind Direction Bias in Generating Wind
 * Roses and Conducting Sector-Based Air Dispersion Modeling, Journal of the Air & Waste Management
 * Association 58, 2008).
 * @returns the sectors that the arc touches, with parts that add up to 1
 */
export function spreadOverSectors(
  heading: number,
  step: HeadingStep,
  sectorCount: number,
): SectorPart[] {
  const width = 360 / sectorCount;
  // `from` and `to` count sectors from the west edge of the first sector, whose middle is north.
  const from = (heading - step / 2) / width + 0.5;
  const to = (heading + step / 2) / width + 0.5;
  const parts: SectorPart[] = [];
  for (let at = Math.floor(from); at < to; at++) {
    const part = (Math.min(at + 1, to) - Math.max(at, from)) / (to - from);
    parts.push({ sector: (at + sectorCount) % sectorCount, part });
  }
  return parts;
}

/** The part of a reading in groups that have no sectors. */
export const WHOLE_READING: readonly SectorPart[] = [{ sector: 0, part: 1 }];

/** Parts are multiples of this number, so that their sums are exact for two million readings. */
const PART_UNIT = 2 ** -32;

/**
 * Finds the sectors of a reading; a reading without a direction has none.
 * @param calmKmh a reading with an average below this has no direction
 */
export function sectorsOf(
  { windSpeedAvg, windHeading }: WindColumns,
  step: HeadingStep,
  sectorCount: number,
  calmKmh: number,
): (row: number) => readonly SectorPart[] {
  return (row) => {
    const heading = windHeading[row] as number;
    if (!hasDirection(windSpeedAvg[row] as number, heading, calmKmh)) return [];
    return spreadOverSectors(normalizeHeading(heading), step, sectorCount);
  };
}

/** Readings of one sector, and the part of each that belongs to the sector. */
interface SectorReadings {
  readonly wind: WindColumns;
  readonly parts: Float64Array;
}

/** Divides readings by their sectors. Yields the readings of each sector, clockwise from north. */
export function* divideBySector(
  wind: WindColumns,
  sectorCount: number,
  partsOf: (row: number) => readonly SectorPart[],
): Generator<SectorReadings> {
  const eachPart = (use: (sector: number, row: number, part: number) => void): void => {
    for (let row = 0; row < wind.time.length; row++) {
      for (const { sector, part } of partsOf(row)) use(sector, row, part);
    }
  };
  // Lists that grow would take several times the memory.
  const lengths = new Array<number>(sectorCount).fill(0);
  eachPart((sector) => {
    lengths[sector] = (lengths[sector] as number) + 1;
  });
  const lists = lengths.map((length) => ({
    rows: new Uint32Array(length),
    parts: new Float64Array(length),
    count: 0,
  }));
  eachPart((sector, row, part) => {
    const list = lists[sector] as (typeof lists)[number];
    list.rows[list.count] = row;
    list.parts[list.count++] = Math.round(part / PART_UNIT) * PART_UNIT;
  });
  for (const { rows, parts } of lists) yield { wind: pickWindRows(wind, rows), parts };
}
