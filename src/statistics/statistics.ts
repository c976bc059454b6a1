import type { SectorCount } from '../domain/compass.ts';
import { HOUR_MS } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { type Columns, pickRows, sliceRows } from '../domain/readings/columns.ts';
import { Cells } from './cells.ts';
import {
  type Coverage,
  coverageOfGroups,
  type GroupCoverage,
  listGaps,
  periodOf,
  stepOf,
} from './coverage.ts';
import type { ConditionTest, Exceedance } from './exceedance.ts';
import type { Gap } from './gaps.ts';
import {
  checkGroupCount,
  createGrouping,
  type Grouping,
  type GroupKey,
  isTimeKey,
  type Ordinals,
} from './groups.ts';
import { HeadingTally, spreadOverSectors, WHOLE_READING } from './headings.ts';
import { type HeldTime, Hours } from './hours.ts';
import { HOLDS, type Marking, markReading, NO_AVERAGE } from './marks.ts';
import type { Rose } from './roseTally.ts';
import { type Spell, Spells } from './spells.ts';
import { type MarkedTimes, Times } from './times.ts';
import type { WindSummary } from './wind.ts';
import { type ZoneCalendar, zoneCalendar } from './zoneCalendar.ts';

export type { ConditionTest, Exceedance } from './exceedance.ts';
export type { Gap } from './gaps.ts';
export { GROUP_KEYS, type GroupKey } from './groups.ts';
export type { HeldTime } from './hours.ts';
export type { Rose } from './roseTally.ts';
export type { Spell } from './spells.ts';
export type { WindSummary } from './wind.ts';

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
  /** The condition of `--where`; undefined without `--where`. */
  readonly where:
    | {
        readonly holds: ConditionTest;
        /** For how long the condition must hold on a day, or in a spell, that counts; ms. */
        readonly minMs: number;
        /** Whether the spells of the condition are wanted instead of its hours. */
        readonly isSpells?: boolean;
      }
    | undefined;
  /**
   * Whether a speed is at or above each threshold of `--above`, the lowest first. Not together with
   * `where`.
   */
  readonly above?: readonly ConditionTest[] | undefined;
}

/** Statistics of one group, such as a month, of a station's readings. */
export interface Group {
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
  readonly rose: Rose | undefined;
  readonly held: HeldTime | undefined;
  /** The spells of the condition that begin in the group, in order; undefined if none are wanted. */
  readonly spells: readonly Spell[] | undefined;
  /** One for each threshold of `above`; empty without them. */
  readonly exceedances: readonly Exceedance[];
}

/**
 * Statistics of one station, computed in one pass. Apart from repeated times, the order of `add`
 * calls changes no result.
 */
export class Statistics {
  readonly #options: StatisticsOptions;
  readonly #calendar: ZoneCalendar;
  readonly #grouping: Grouping;
  readonly #times: Times;
  readonly #cells: Cells;
  readonly #headings = new HeadingTally();
  readonly #spells: Spells | undefined;
  readonly #hasSectors: boolean;
  /** The marks of readings; hours are counted of their conditions. */
  readonly #marking: Marking;

  /** Begins without readings. @throws UsageError for over a million groups in the period */
  constructor(options: StatisticsOptions) {
    const { period, zone, by, where, above = [] } = options;
    this.#options = options;
    this.#hasSectors = by.includes('sector');
    const conditions = where ? [where.holds] : above;
    this.#marking = { conditions, hasSectors: this.#hasSectors, calmKmh: options.calmKmh };
    this.#calendar = zoneCalendar(zone);
    this.#cells = new Cells(options, this.#calendar);
    this.#grouping = createGrouping(this.#calendar, by);
    this.#times = new Times(period);
    this.#spells = options.where?.isSpells ? new Spells() : undefined;
    const { start, stop } = period;
    if (start !== undefined && stop !== undefined) this.#checkCount({ start, stop });
  }

  #checkCount(period: Period): void {
    checkGroupCount(period, this.#options.by, this.#options.sectors);
  }

  /**
   * Adds readings. Each time counts once: of different readings of one time, the first one added
   * stays.
   */
  add(columns: Columns): void {
    const { calmKmh, classesKmh } = this.#options;
    const rows = this.#times.add(columns.time, (row) => {
      const mark = markReading(columns, row, this.#marking);
      if (mark >= HOLDS) this.#spells?.add(columns, row);
      return mark;
    });
    const isWhole = rows.length === columns.count && rows.every((row, place) => row === place);
    const added = isWhole ? columns : pickRows(columns, rows);
    const { count, time } = added;
    if (this.#hasSectors || classesKmh) this.#headings.add(added, calmKmh);
    for (let from = 0; from < count; ) {
      const { id, period } = this.#grouping.partAt(time[from] as number);
      let to = from + 1;
      while ((time[to] as number) < period.stop) to++;
      this.#cells.add(id, sliceRows(added, from, to));
      from = to;
    }
  }

  /** The period of the statistics, whose missing start or stop follows from the readings so far. */
  get period(): Period {
    return periodOf(this.#times.all(), this.#options.period, this.#calendar);
  }

  /** Number of readings without an average, which count in no coverage and in no hours. */
  get missing(): number {
    return this.#times.all().marks.reduce((sum, mark) => sum + (mark === NO_AVERAGE ? 1 : 0), 0);
  }

  /** The gaps of the whole period that are longer than `overMs`, in order. */
  gaps(overMs: number): Gap[] {
    return listGaps(this.#times.all(), this.period, overMs);
  }

  /**
   * All groups of the period in order, also groups without a reading.
   * @throws UsageError for over a million groups
   */
  groups(): Group[] {
    const { by, sectors, where, above = [] } = this.#options;
    const { step } = this.#headings;
    const period = this.period;
    this.#checkCount(period);
    const times = this.#times.all();
    // Most of the groups between two readings far apart are empty, and share one summary.
    const empty = this.#cells.empty();
    const nothing = empty.wind.summary(NO_COVERAGE);
    const emptyRose = empty.rose?.rose(sectors, step);
    const sectorPlace = by.indexOf('sector');
    const covered = coverageOfGroups(times, period, this.#grouping);
    const hours = this.#hoursOf(times, period, covered);
    const spells = this.#spellsOf(times, period);
    const found = [...covered].flatMap(([id, { ordinals: own, coverage }]) =>
      Array.from({ length: this.#cells.count }, (_, place) => {
        const cell = this.#cells.get(id, place, step);
        const ordinals = this.#hasSectors ? own.toSpliced(sectorPlace, 0, place) : own;
        const summary = cell?.wind.summary(coverage) ?? { ...nothing, ...coverage, readings: 0 };
        const share = coverage.readings === 0 ? null : summary.readings / coverage.readings;
        const group: Group = {
          keys: this.#keysOf(ordinals),
          summary,
          frequency: this.#hasSectors ? share : undefined,
          rose: cell ? cell.rose?.rose(sectors, step) : emptyRose,
          held: where && hours[0]?.of(id, place),
          spells: spells && (spells.get(id) ?? []),
          exceedances: above.map((_, level) => {
            const { hours: held, share, days } = (hours[level] as Hours).of(id, place);
            return { hours: held, share, days: cell?.days?.count(level + 1) ?? 0, days1h: days };
          }),
        };
        return { ordinals, group };
      }),
    );
    return found.sort((a, b) => compare(a.ordinals, b.ordinals)).map(({ group }) => group);
  }

  #hoursOf(
    times: MarkedTimes,
    period: Period,
    covered: ReadonlyMap<string, GroupCoverage>,
  ): Hours[] {
    const { where, sectors } = this.#options;
    if (where?.isSpells) return [];
    const { step } = this.#headings;
    const partsOf = (direction: number) =>
      this.#hasSectors ? spreadOverSectors(direction / 100, step, sectors) : WHOLE_READING;
    const minMs = where?.minMs ?? HOUR_MS;
    return this.#marking.conditions.map((_, place) => {
      const condition = { minMs, level: place + 1 };
      const hours = new Hours(this.#grouping, this.#calendar, covered, condition, partsOf);
      hours.add(times, period);
      return hours;
    });
  }

  /** By the id of a group, the spells that begin in it; undefined if none are wanted. */
  #spellsOf(times: MarkedTimes, { start }: Period): Map<string, Spell[]> | undefined {
    if (this.#spells === undefined) return undefined;
    const stepMs = 1000 * (stepOf(times) ?? 0);
    const { minMs = 0 } = this.#options.where ?? {};
    const groups = new Map<string, Spell[]>();
    for (const spell of this.#spells.find(times, { start, stepMs, minMs })) {
      const { id } = this.#grouping.partAt(spell.start);
      const group = groups.get(id) ?? [];
      group.push(spell);
      groups.set(id, group);
    }
    return groups;
  }

  #keysOf(ordinals: Ordinals): (string | number)[] {
    const { by, sectors } = this.#options;
    return by.map((key, i) => {
      const ordinal = ordinals[i] as number;
      return isTimeKey(key) ? this.#grouping.keyOf(key, ordinal) : (ordinal * 360) / sectors;
    });
  }
}

/** The coverage of no time. */
const NO_COVERAGE: Coverage = {
  readings: 0,
  stepS: null,
  coverage: null,
  gaps: 0,
  longestGap: null,
};

function compare(a: Ordinals, b: Ordinals): number {
  const place = a.findIndex((ordinal, i) => ordinal !== b[i]);
  return place < 0 ? 0 : (a[place] as number) - (b[place] as number);
}
