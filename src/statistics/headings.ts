import { hasDirection } from '../domain/units.ts';
import { pickWindRows, type WindColumns } from './readings.ts';

/**
 * The possible steps between the directions that a station reports, in degrees, largest first: 16
 * compass points, tens of degrees, or any whole degree.
 */
const HEADING_STEPS = [22.5, 10, 1] as const;
export type HeadingStep = (typeof HEADING_STEPS)[number];

/** Minimum share of directions that must be multiples of the step, since a few may deviate. */
const MIN_SHARE = 0.99;

/**
 * The largest step that divides 99 % of a station's directions; 1 degree if there are none.
 * @param calmKmh a reading with a lower average has no direction
 */
export function findHeadingStep(
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
 * Normalizes a direction to 0 to below 360 degrees, rounded to a millionth. Adding 360 for each
 * speed class then loses no digit.
 */
export function normalizeHeading(heading: number): number {
  return (Math.round((heading % 360) * 1e6) / 1e6 + 360) % 360;
}

/** A sector, as an index clockwise from north, and the share of a reading that belongs to it. */
export interface SectorPart {
  readonly sector: number;
  readonly part: number;
}

/**
 * Spreads a reading of direction θ evenly over the arc `[θ−q/2, θ+q/2)`, where q is the step
 * between directions that the station reports. Otherwise, sectors that contain more of these
 * directions would get too much (after Droppo and Napier, Wind Direction Bias in Generating Wind
 * Roses and Conducting Sector-Based Air Dispersion Modeling, Journal of the Air & Waste Management
 * Association 58, 2008).
 * @returns the sectors that the arc touches, with parts whose sum is 1
 */
export function spreadOverSectors(
  heading: number,
  step: HeadingStep,
  sectorCount: number,
): SectorPart[] {
  const width = 360 / sectorCount;
  // `from` and `to` count sectors from the west edge of the first one, which is centred on north.
  const from = (heading - step / 2) / width + 0.5;
  const to = (heading + step / 2) / width + 0.5;
  const parts: SectorPart[] = [];
  for (let at = Math.floor(from); at < to; at++) {
    const part = (Math.min(at + 1, to) - Math.max(at, from)) / (to - from);
    parts.push({ sector: (at + sectorCount) % sectorCount, part });
  }
  return parts;
}

/** The single part of a reading without grouping by sector. */
export const WHOLE_READING_PART: readonly SectorPart[] = [{ sector: 0, part: 1 }];

/** Parts are multiples of this number, so that sums are exact for up to two million readings. */
const PART_UNIT = 2 ** -32;

/**
 * Creates a function that finds the sectors of a reading; none if it has no direction.
 * @param calmKmh a reading with a lower average has no direction
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

/** The readings of one sector, and the part of each that belongs to it. */
interface SectorReadings {
  readonly wind: WindColumns;
  readonly parts: Float64Array;
}

/** Divides readings by sector. Yields the readings of each sector, clockwise from north. */
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
  // Allocate arrays of the final length, since growing lists would need several times the memory.
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
