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
  type HeadingStep,
  headingStep,
  sectorsOf,
  WHOLE_READING,
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

/** A condition, and for how long it must hold on a day, or in a spell, that counts; ms. */
interface Lasting {
  readonly holds: RowConditionTest;
  readonly minMs: number;
}

/** Which statistics are computed of a station's readings. */
export interface StatisticsOptions {
  /**
   * The period of the statistics; readings outside are left out. It ends now at the latest, since
   * no later reading is expected. A start or stop that is missing follows from the readings.
   */
  readonly period: Partial<Period>;
  /** IANA name of the time zone in which hours, days, months and years begin, or `utc`. */
  readonly zone: string;
  /** The keys that group the readings, at most two; without a key all readings are one group. */
  readonly by: readonly GroupKey[];
  /** A reading with an average below this speed, km/h, is calm. */
  readonly calmKmh: number;
  /** Number of sectors of the wind rose, and of the key `sector`. */
  readonly sectors: SectorCount;
  /**
   * Lowest speed of each class of the wind rose but the first, ascending, km/h; undefined if no
   * wind rose is wanted.
   */
  readonly classesKmh: readonly number[] | undefined;
  /**
   * The condition whose hours and days are counted; a wind rose has only the readings for which it
   * holds. Undefined for none.
   */
  readonly where: Lasting | undefined;
  /** The condition whose spells are wanted. Not together with `where`. */
  readonly spells?: Lasting | undefined;
  /**
   * Whether a speed is at or above each threshold of `--above`, the lowest first. Not together with
   * `where`.
   */
  readonly above?: readonly RowConditionTest[] | undefined;
}

/** Statistics of one group, such as a month, of a station's readings. */
export interface GroupStatistics {
  /**
   * The values of the keys that name the group, one for each key of `by`: hour
   * `2024-05-01T13:00:00+02:00`, day `2024-05-01`, week `2024-W18`, month `2024-05`, season
   * `2024-MAM`, year `2024`, hour of day 13, month of year 5, sector 22.5 (degrees).
   */
  readonly keys: readonly (string | number)[];
  /**
   * In a group of one sector a reading counts by its part, see {@link divideBySector}. Coverage, gaps
   * and the time between readings are those of all sectors together, since a missing reading has no
   * direction.
   */
  readonly summary: WindSummary;
  /**
   * In a group of one sector its fraction of all readings of the other key's group, or without
   * another key of the period, 0 to 1: the rest of 1 are calms and readings that lack average or
   * direction. Null where there is no reading, undefined without the key `sector`.
   */
  readonly frequency: number | null | undefined;
  /** The wind rose; undefined if none is wanted, and in a group of one sector. */
  readonly rose: WindRose | undefined;
  readonly held: ConditionDuration | undefined;
  /** The spells of the condition that begin in the group, in order; undefined if none are wanted. */
  readonly spells: readonly ConditionSpell[] | undefined;
  /** One for each threshold of `above`; empty without them. */
  readonly exceedances: readonly Exceedance[];
}

/**
 * The statistics of a station's readings in each group of the period, in order; also of groups without
 * a reading.
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
  const step = hasSectors || classesKmh ? headingStep(readings, calmKmh) : 1;
  const partsIn = (wind: WindColumns) =>
    hasSectors ? sectorsOf(wind, step, sectors, calmKmh) : () => WHOLE_READING;
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

/** The readings of a group, or of one sector of it with the part of each that counts. */
interface Cell {
  readonly wind: WindColumns;
  /** The readings of the wind rose. */
  readonly inRose?: WindColumns;
  readonly parts?: Float64Array;
}

/**
 * The readings for which the condition holds. Others lack an average, as a wind rose leaves them out,
 * so that the rows of all groups stay where they are.
 */
function onlyHeld({ verdicts: [verdicts], ...wind }: WindReadings): WindColumns {
  const average = (speed: number, row: number) =>
    verdicts?.[row] === CONDITION_HOLDS ? speed : Number.NaN;
  return { ...wind, windSpeedAvg: wind.windSpeedAvg.map(average) };
}

/**
 * Computes summaries and wind roses. Most of the groups between two readings far apart are empty, and
 * share one summary and one rose.
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

/** Tests the conditions of `where` or `above`. @returns finds the results of a group and sector */
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

/** By the id of a group, the spells of the condition that begin in it. */
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

/** The coverage of no time. */
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
