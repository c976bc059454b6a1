import { type Columns, pickRows, sliceRows } from '../domain/columns.ts';
import { type SectorCount, sector } from '../domain/compass.ts';
import type { Period } from '../domain/period.ts';
import { hasDirection } from '../domain/units.ts';
import { type Gap, listGaps } from './coverage.ts';
import { coverageOf } from './coverageTally.ts';
import type { Held } from './duration.ts';
import {
  createGrouping,
  type Grouping,
  type GroupKey,
  isTimeKey,
  type Ordinals,
} from './groups.ts';
import { type GroupTimes, tallyGroups } from './groupTimes.ts';
import { type ZoneCalendar, zoneCalendar } from './intervals.ts';
import { type Rose, RoseTally } from './rose.ts';
import { placeAtLeast, Times } from './times.ts';
import { Wind, type WindSummary } from './wind.ts';

export type { Gap } from './coverage.ts';
export type { Held } from './duration.ts';
export { GROUP_KEYS, type GroupKey } from './groups.ts';
export type { Rose } from './rose.ts';
export type { WindSummary } from './wind.ts';

/** Which statistics are computed of a station's readings. */
export interface StatisticsOptions {
  /**
   * The period of the statistics; readings outside are left out. It ends now at the latest, since
   * no later reading is expected. It may grow between calls: each call uses the period as it then
   * is.
   */
  readonly period: Period;
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
        /** Whether the condition holds for a reading; undefined if missing values leave it open. */
        readonly holds: (columns: Columns, row: number) => boolean | undefined;
        /** For how long the condition must hold on a day that counts, milliseconds. */
        readonly leastMs: number;
      }
    | undefined;
}

/** Statistics of one group, such as a month, of a station's readings. */
export interface Group {
  /**
   * The values of the keys that tell the group, one for each key of `by`: hour
   * `2024-05-01T13:00:00+02:00`, day `2024-05-01`, month `2024-05`, year `2024`, hour of day 13,
   * month of year 5, sector 22.5 (degrees).
   */
  readonly keys: readonly (string | number)[];
  /**
   * In a group of one sector, coverage, gaps and the time between readings are those of all sectors
   * together, since a missing reading has no direction.
   */
  readonly summary: WindSummary;
  readonly rose: Rose | undefined;
  readonly held: Held | undefined;
}

/** Readings of a group, or of one sector of it. */
interface Cell {
  readonly wind: Wind;
  readonly rose: RoseTally | undefined;
}

const NO_COVERAGE = { stepS: null, coverage: null, gaps: 0, longestGap: null };

/**
 * Statistics of one station, computed in one pass. Apart from repeated times, the order of `add`
 * calls changes no result.
 */
export class Statistics {
  readonly #options: StatisticsOptions;
  readonly #calendar: ZoneCalendar;
  readonly #grouping: Grouping;
  readonly #times: Times;
  /** By the id of a group, the counts of the group or, with the key `sector`, of each sector. */
  readonly #cells = new Map<string, (Cell | undefined)[]>();
  readonly #hasSectors: boolean;

  /** Begins without readings. @throws UsageError for over a million groups */
  constructor(options: StatisticsOptions) {
    this.#options = options;
    this.#hasSectors = options.by.includes('sector');
    this.#calendar = zoneCalendar(options.zone);
    this.#grouping = createGrouping(this.#calendar, options.period, options.by, options.sectors);
    this.#times = new Times(options.period, options.where !== undefined);
  }

  /**
   * Adds readings. Each time counts once: of different readings of one time, the first one added
   * stays.
   */
  add(columns: Columns): void {
    const rows = this.#times.add(columns.time, columns.count, (row) => this.#markOf(columns, row));
    const added = rows ? pickRows(columns, rows) : columns;
    const { count, time } = added;
    for (let from = 0; from < count; ) {
      const { id, period } = this.#grouping.partAt(time[from] as number);
      const to = placeAtLeast(period.stop, time, from + 1, count);
      this.#addGroup(id, sliceRows(added, from, to));
      from = to;
    }
  }

  /** Adds readings of one group or, with the key `sector`, of all sectors of a group. */
  #addGroup(id: string, columns: Columns): void {
    const parts = this.#hasSectors ? this.#divide(columns) : [columns];
    parts.forEach((part, i) => {
      if (part.count === 0) return;
      const { wind, rose } = this.#cellAt(id, i);
      wind.add(part);
      rose?.add(part);
    });
  }

  /**
   * Divides readings by the sector of their direction.
   * @returns the readings of each sector, clockwise from north
   */
  #divide(columns: Columns): Columns[] {
    const lists = Array.from({ length: this.#options.sectors }, (): number[] => []);
    for (let row = 0; row < columns.count; row++) lists[this.#sectorOf(columns, row)]?.push(row);
    return lists.map((list) => pickRows(columns, Int32Array.from(list)));
  }

  /** The index of the sector of a reading; −1 if it is calm, or has no average or no direction. */
  #sectorOf({ windSpeedAvg, windHeading }: Columns, row: number): number {
    const { calmKmh, sectors } = this.#options;
    const heading = windHeading[row] as number;
    return hasDirection(windSpeedAvg[row] as number, heading, calmKmh)
      ? sector(heading, sectors)
      : -1;
  }

  #markOf(columns: Columns, row: number): number {
    if (!this.#options.where?.holds(columns, row)) return 0;
    return this.#hasSectors ? this.#sectorOf(columns, row) + 1 : 1;
  }

  #cellAt(id: string, place: number): Cell {
    const cells = this.#cells.get(id) ?? new Array<Cell | undefined>(this.#cellCount);
    this.#cells.set(id, cells);
    cells[place] ??= this.#newCell();
    return cells[place];
  }

  get #cellCount(): number {
    return this.#hasSectors ? this.#options.sectors : 1;
  }

  #newCell(): Cell {
    const { calmKmh, classesKmh } = this.#options;
    return { wind: new Wind(calmKmh), rose: classesKmh && new RoseTally(calmKmh, classesKmh) };
  }

  /**
   * Adds the readings of other statistics with the same options.
   * @throws Error where a time is in both statistics
   */
  merge(other: Statistics): void {
    this.#times.merge(other.#times);
    for (const [id, cells] of other.#cells) {
      cells.forEach((added, i) => {
        if (added === undefined) return;
        const { wind, rose } = this.#cellAt(id, i);
        wind.merge(added.wind);
        if (added.rose) rose?.merge(added.rose);
      });
    }
  }

  /** The gaps of the whole period that are longer than `overMs`, in order. */
  gaps(overMs: number): Gap[] {
    const { period } = this.#options;
    return listGaps(this.#times, period, coverageOf(this.#times, period).stepS, overMs);
  }

  /** Most frequent time between neighbouring readings in seconds; null without two readings. */
  get stepS(): number | null {
    return coverageOf(this.#times, this.#options.period).stepS;
  }

  /** The end of the hour, day or other group of a time, or of the period if that is earlier. */
  groupEnd(ms: number): number {
    return this.#grouping.partAt(ms).period.stop;
  }

  /** All groups of the period in order, also groups without a reading. */
  groups(): Group[] {
    const { by, sectors } = this.#options;
    const allCells = [...this.#cells.values()].flat();
    const isCoarse = allCells.every((cell) => cell?.rose === undefined || cell.rose.isCoarse);
    const empty = this.#newCell();
    const nothing = empty.wind.summary(NO_COVERAGE);
    const sectorPlace = by.indexOf('sector');
    const found = [...this.#tallyGroups()].flatMap(([id, times]) => {
      const cells = this.#cells.get(id);
      return Array.from({ length: this.#cellCount }, (_, i) => {
        const cell = cells?.[i];
        const ordinals = this.#hasSectors
          ? times.ordinals.toSpliced(sectorPlace, 0, i)
          : times.ordinals;
        const group: Group = {
          keys: this.#keysOf(ordinals),
          summary: cell?.wind.summary(times.coverage) ?? { ...nothing, ...times.coverage },
          rose: (cell ?? empty).rose?.rose(sectors, isCoarse),
          held: times.held[i],
        };
        return { ordinals, group };
      });
    });
    return found.sort((a, b) => compare(a.ordinals, b.ordinals)).map(({ group }) => group);
  }

  #tallyGroups(): Map<string, GroupTimes> {
    const { period, where } = this.#options;
    return tallyGroups({
      times: this.#times,
      period,
      grouping: this.#grouping,
      calendar: this.#calendar,
      held: where && { leastMs: where.leastMs, marks: this.#cellCount },
    });
  }

  #keysOf(ordinals: Ordinals): (string | number)[] {
    const { by, sectors } = this.#options;
    return by.map((key, i) => {
      const ordinal = ordinals[i] as number;
      return isTimeKey(key) ? this.#grouping.keyOf(key, ordinal) : (ordinal * 360) / sectors;
    });
  }
}

function compare(a: Ordinals, b: Ordinals): number {
  const place = a.findIndex((ordinal, i) => ordinal !== b[i]);
  return place < 0 ? 0 : (a[place] as number) - (b[place] as number);
}
