import type { SectorCount } from '../domain/compass.ts';
import type { Period } from '../domain/period.ts';
import { type Coverage, coverageOfGroups, periodOfReadings, usualStepS } from './coverage.ts';
import {
  checkGroupCount,
  createGrouping,
  type GroupKey,
  type GroupOrdinals,
  isTimeKey,
} from './groups.ts';
import {
  divideBySector,
  findHeadingStep,
  type HeadingStep,
  sectorsOf,
  WHOLE_READING_PART,
} from './headings.ts';
import {
  type ConditionDuration,
  type ConditionTimeDivision,
  conditionDurationOn,
  divideConditionTime,
  type Exceedance,
  exceedanceOn,
  NO_CONDITION_DAYS,
} from './hours.ts';
import {
  CONDITION_HOLDS,
  joinWindRanges,
  NO_WIND,
  type RowConditionTest,
  type WindColumns,
  type WindReadings,
} from './readings.ts';
import { computeWindRose, type WindRose, type WindRoseOptions } from './rose.ts';
import { type ConditionSpell, findSpells } from './spells.ts';
import { summarizeWind, type WindSummary } from './wind.ts';
import { zoneCalendar } from './zoneCalendar.ts';

export type { Gap } from './gaps.ts';
export { GROUP_KEYS, type GroupKey } from './groups.ts';
export type { ConditionDuration, Exceedance } from './hours.ts';
export type { RowConditionTest } from './readings.ts';
export { joinWindRoses, type WindRose } from './rose.ts';
export type { ConditionSpell } from './spells.ts';
export type { WindSummary } from './wind.ts';

/** A condition, and how long it must be true for a day or spell to count, milliseconds. */
interface Lasting {
  readonly holds: RowConditionTest;
  readonly minMs: number;
}

/** Which statistics to compute from a station's readings. */
export interface StatisticsOptions {
  /**
   * The period of the statistics. It ends now at the latest; readings outside are left out. A
   * missing start or stop follows from the readings.
   */
  readonly period: Partial<Period>;
  /** IANA name of the time zone in which hours, days, months and years begin, or `utc`. */
  readonly zone: string;
  /** The keys that group the readings, at most two. Without a key, all readings are one group. */
  readonly by: readonly GroupKey[];
  /** A reading with a lower average is calm, km/h. */
  readonly calmKmh: number;
  /** Number of sectors of the wind rose, and for the key `sector`. */
  readonly sectors: SectorCount;
  /**
   * The lower bounds of the speed classes of the wind rose, except the first, ascending, km/h;
   * undefined without a wind rose.
   */
  readonly classesKmh: readonly number[] | undefined;
  /**
   * The condition whose hours and days to count. A wind rose only includes readings for which it is
   * true. Undefined for none.
   */
  readonly where: Lasting | undefined;
  /** The condition whose spells to find. Cannot be combined with `where`. */
  readonly spells?: Lasting | undefined;
  /**
   * For each threshold of `--above`, lowest first, a test whether a speed reaches it. Cannot be
   * combined with `where`.
   */
  readonly above?: readonly RowConditionTest[] | undefined;
}

/** The statistics of one group of a station's readings, such as a month. */
export interface GroupStatistics {
  /**
   * The values of the group's keys, in the order of `by`: hour `2024-05-01T13:00:00+02:00`, day
   * `2024-05-01`, week `2024-W18`, month `2024-05`, season `2024-MAM`, year `2024`, hour of day 13,
   * month of year 5, sector 22.5 (degrees).
   */
  readonly keys: readonly (string | number)[];
  /**
   * The summary of the readings. For a sector, readings count by their parts, see {@link
   * divideBySector}, but coverage, gaps and step are those of all sectors, since a missing reading
   * has no direction.
   */
  readonly summary: WindSummary;
  /**
   * For a sector, its share of all readings in the other key's group or in the period, 0 to 1.
   * Calms and readings without average or direction make up the rest. Null without readings;
   * undefined without the key `sector`.
   */
  readonly frequency: number | null | undefined;
  /** The wind rose; undefined if it is not wanted, and for a single sector. */
  readonly rose: WindRose | undefined;
  readonly held: ConditionDuration | undefined;
  /** The spells that begin in the group, in order; undefined if they are not wanted. */
  readonly spells: readonly ConditionSpell[] | undefined;
  /** One exceedance for each threshold of `above`; empty without thresholds. */
  readonly exceedances: readonly Exceedance[];
}

/**
 * Computes the statistics of a station for each group of the period, in order, including groups
 * without readings.
 * @throws UsageError for over a million groups
 */
export function computeStatistics(
  readings: WindReadings,
  options: StatisticsOptions,
): GroupStatistics[] {
  const { zone, by, sectors, calmKmh, classesKmh } = options;
  const calendar = zoneCalendar(zone);
  const period = periodOfReadings(readings, options.period, calendar);
  checkGroupCount(period, by, sectors);
  const grouping = createGrouping(calendar, by);
  const groups = coverageOfGroups(readings, period, grouping);
  const sectorPlace = by.indexOf('sector');
  const hasSectors = sectorPlace >= 0;
  const step = hasSectors || classesKmh ? findHeadingStep(readings, calmKmh) : 1;
  const partsIn = (wind: WindColumns) =>
    hasSectors ? sectorsOf(wind, step, sectors, calmKmh) : () => WHOLE_READING_PART;
  const conditionsOf = testConditions(readings, options, {
    ...{ start: period.start, grouping, calendar, groups, partsOf: partsIn(readings) },
  });
  const rose = classesKmh && !hasSectors ? { calmKmh, classesKmh, sectors } : undefined;
  const describe = describer({ calmKmh, rose, step });
  const keyOf = (key: GroupKey, ordinal: number) =>
    isTimeKey(key) ? grouping.keyOf(key, ordinal) : (ordinal * 360) / sectors;
  const inRose = rose && options.where ? onlyHeld(readings) : readings;
  const found: { ordinals: GroupOrdinals; group: GroupStatistics }[] = [];
  for (const [id, { ordinals: own, coverage, ranges }] of groups) {
    const wind = joinWindRanges(readings, ranges);
    const cells: Iterable<Cell> = hasSectors
      ? divideBySector(wind, sectors, partsIn(wind))
      : [{ wind, inRose: inRose === readings ? wind : joinWindRanges(inRose, ranges) }];
    let place = 0;
    for (const cell of cells) {
      const ordinals = hasSectors ? own.toSpliced(sectorPlace, 0, place) : own;
      const described = describe(cell, coverage);
      const share = coverage.readings > 0 ? described.summary.readings / coverage.readings : null;
      const keys = by.map((key, i) => keyOf(key, ordinals[i] as number));
      const frequency = hasSectors ? share : undefined;
      const group = { keys, ...described, frequency, ...conditionsOf(id, place) };
      found.push({ ordinals, group });
      place++;
    }
  }
  return found.sort((a, b) => compare(a.ordinals, b.ordinals)).map(({ group }) => group);
}

/** The readings of a group, or of one of its sectors with the part of each reading that counts. */
interface Cell {
  readonly wind: WindColumns;
  /** The readings of the wind rose. */
  readonly inRose?: WindColumns;
  readonly parts?: Float64Array;
}

/**
 * Removes the averages of readings for which the condition is not true, so that a wind rose ignores
 * them. The rows of groups keep their indexes.
 */
function onlyHeld({ verdicts: [verdicts], ...wind }: WindReadings): WindColumns {
  const average = (speed: number, row: number) =>
    verdicts?.[row] === CONDITION_HOLDS ? speed : Number.NaN;
  return { ...wind, windSpeedAvg: wind.windSpeedAvg.map(average) };
}

/**
 * Creates a function that computes summaries and wind roses. Empty groups, of which a long gap has
 * many, share one summary and one rose.
 */
function describer({
  calmKmh,
  rose,
  step,
}: {
  readonly calmKmh: number;
  readonly rose: WindRoseOptions | undefined;
  readonly step: HeadingStep;
}): (cell: Cell, coverage: Coverage) => Pick<GroupStatistics, 'summary' | 'rose'> {
  const describe = ({ wind, inRose = wind, parts }: Cell, coverage: Coverage) => ({
    summary: summarizeWind(wind, coverage, calmKmh, parts),
    rose: rose && computeWindRose(inRose, rose, step),
  });
  const empty = describe({ wind: NO_WIND }, NO_COVERAGE);
  return (cell, coverage) =>
    cell.wind.time.length > 0
      ? describe(cell, coverage)
      : { ...empty, summary: { ...empty.summary, ...coverage, readings: 0 } };
}

/**
 * Tests the conditions of `where` or `above`.
 * @returns a function that finds the results of a group and sector
 */
function testConditions(
  readings: WindReadings,
  { where, spells, above = [] }: StatisticsOptions,
  division: ConditionTimeDivision,
): (id: string, sector: number) => Pick<GroupStatistics, 'held' | 'spells' | 'exceedances'> {
  const { calendar, groups } = division;
  if (spells) {
    const found = spellsByGroup(readings, spells.minMs, division);
    return (id) => ({ held: undefined, spells: found.get(id) ?? [], exceedances: [] });
  }
  const daysOf = readings.verdicts.map((verdicts) =>
    divideConditionTime(readings, verdicts, division),
  );
  return (id, sector) => {
    const periodMs = groups.get(id)?.periodMs ?? 0;
    const days = daysOf.map((of) => of(id, sector));
    return {
      held:
        where && conditionDurationOn(days[0] ?? NO_CONDITION_DAYS, periodMs, where.minMs, calendar),
      spells: undefined,
      exceedances: above.map((_, i) =>
        exceedanceOn(days[i] ?? NO_CONDITION_DAYS, periodMs, calendar),
      ),
    };
  };
}

/** Finds the spells of the condition, by the id of the group in which each begins. */
function spellsByGroup(
  readings: WindReadings,
  minMs: number,
  { start, grouping }: ConditionTimeDivision,
): Map<string, ConditionSpell[]> {
  const stepMs = 1000 * (usualStepS(readings) ?? 0);
  const [verdicts = new Uint8Array()] = readings.verdicts;
  const found = new Map<string, ConditionSpell[]>();
  for (const spell of findSpells(readings, verdicts, { start, stepMs, minMs })) {
    const { id } = grouping.partAt(spell.start);
    const spells = found.get(id) ?? [];
    found.set(id, spells);
    spells.push(spell);
  }
  return found;
}

/** The coverage of an empty period. */
const NO_COVERAGE: Coverage = {
  readings: 0,
  stepS: null,
  coverage: null,
  gaps: 0,
  longestGap: null,
};

function compare(a: GroupOrdinals, b: GroupOrdinals): number {
  const place = a.findIndex((ordinal, i) => ordinal !== b[i]);
  return place < 0 ? 0 : (a[place] as number) - (b[place] as number);
}
