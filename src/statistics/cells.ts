import type { SectorCount } from '../domain/compass.ts';
import { type Columns, pickRows } from '../domain/readings/columns.ts';
import { type ConditionTest, DayLevels } from './exceedance.ts';
import type { GroupKey } from './groups.ts';
import { divideBySector, HEADING_STEPS, type HeadingStep } from './headings.ts';
import { RoseTally } from './roseTally.ts';
import { Wind } from './wind.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

/** Readings of a group, or of one sector of it. */
interface Cell {
  readonly wind: Wind;
  readonly rose: RoseTally | undefined;
  readonly days: DayLevels | undefined;
}

/** Which of the statistics are wanted, see StatisticsOptions. */
interface CellOptions {
  readonly by: readonly GroupKey[];
  readonly calmKmh: number;
  readonly sectors: SectorCount;
  readonly classesKmh: readonly number[] | undefined;
  readonly above?: readonly ConditionTest[] | undefined;
}

/** The readings of groups and, with the key `sector`, of each sector of a group. */
export class Cells {
  readonly #options: CellOptions;
  readonly #calendar: ZoneCalendar;
  readonly #hasSectors: boolean;
  /**
   * By the id of a group, its counts or, with the key `sector`, those of each sector. There is
   * one set for each of HEADING_STEPS, since the step of the station is known only after all
   * readings.
   */
  readonly #cells = new Map<string, (Cell | undefined)[]>();

  constructor(options: CellOptions, calendar: ZoneCalendar) {
    this.#options = options;
    this.#calendar = calendar;
    this.#hasSectors = options.by.includes('sector');
  }

  get count(): number {
    return this.#hasSectors ? this.#options.sectors : 1;
  }

  /** Adds readings of one group or, with the key `sector`, of all sectors of a group. */
  add(id: string, columns: Columns): void {
    const { calmKmh, sectors } = this.#options;
    if (!this.#hasSectors) {
      const { wind, rose, days } = this.#at(id, 0);
      wind.add(columns);
      rose?.add(columns);
      days?.add(columns);
      return;
    }
    HEADING_STEPS.forEach((step, i) => {
      divideBySector(columns, step, sectors, calmKmh).forEach(({ rows, parts }, sector) => {
        if (rows.length === 0) return;
        const { wind, days } = this.#at(id, i * sectors + sector);
        const picked = pickRows(columns, rows);
        wind.add(picked, parts);
        days?.add(picked);
      });
    });
  }

  /**
   * The cell of a group with readings.
   * @param step the steps in which the station reports headings, one of HEADING_STEPS
   */
  get(id: string, place: number, step: HeadingStep): Cell | undefined {
    const from = this.#hasSectors ? HEADING_STEPS.indexOf(step) * this.#options.sectors : 0;
    return this.#cells.get(id)?.[from + place];
  }

  empty(): Cell {
    const { calmKmh, classesKmh, above } = this.#options;
    const hasRose = classesKmh !== undefined && !this.#hasSectors;
    return {
      wind: new Wind(calmKmh),
      rose: hasRose ? new RoseTally(calmKmh, classesKmh) : undefined,
      days: above && new DayLevels(above, this.#calendar),
    };
  }

  #at(id: string, place: number): Cell {
    const cells = this.#cells.get(id) ?? [];
    this.#cells.set(id, cells);
    cells[place] ??= this.empty();
    return cells[place];
  }
}
