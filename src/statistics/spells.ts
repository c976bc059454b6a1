import { type Columns, sortRows } from '../domain/readings/columns.ts';
import { FAILS, HOLDS } from './marks.ts';
import type { MarkedTimes } from './times.ts';

/**
 * Two readings further apart than this many times the usual step are of two spells: more than three
 * readings are missing between them. The first of these counts as missing from 1.5 steps on.
 */
const MAX_STEPS_APART = 4.5;

/** A time for which a condition held without interruption; start and stop in ms since 1970. */
export interface Spell {
  readonly start: number;
  readonly stop: number;
  /** Mean of the averages, km/h. */
  readonly mean: number;
  /** Highest gust, km/h; null if no reading has one. */
  readonly gust: number | null;
}

/** Which spells are wanted. */
interface SpellOptions {
  /** The start of the period, before which no spell begins. */
  readonly start: number;
  /** The usual time between the station's readings. */
  readonly stepMs: number;
  /** The least length of a spell; one of no length, at the start of the period, is none. */
  readonly minMs: number;
}

/** A spell whose end is not yet found. */
interface OpenSpell {
  readonly start: number;
  stop: number;
  sum: number;
  count: number;
  gust: number;
}

/** Finds the spells of a condition from readings that come in any order. */
export class Spells {
  readonly #times: number[] = [];
  readonly #averages: number[] = [];
  readonly #gusts: number[] = [];

  /** Adds a reading for which the condition holds, and whose time was not added before. */
  add({ time, windSpeedAvg, windSpeedMax }: Columns, row: number): void {
    this.#times.push(time[row] as number);
    this.#averages.push(windSpeedAvg[row] as number);
    this.#gusts.push(windSpeedMax[row] as number);
  }

  /**
   * The spells in order of time. A spell begins one usual step before its first reading, but neither
   * before the period nor before the spell before it ends. It ends with its last reading before one
   * that fails the condition, or before more than three missing ones. A reading without an average,
   * or whose missing values leave the condition open, is like a missing one.
   * @param readings all readings of the period; of those with the mark {@link HOLDS} each was added
   */
  find({ time, marks }: MarkedTimes, { start, stepMs, minMs }: SpellOptions): Spell[] {
    const rows = sortRows(Int32Array.from(this.#times.keys()), Float64Array.from(this.#times));
    const spells: Spell[] = [];
    let open: OpenSpell | undefined;
    const close = (): void => {
      const lengthMs = open ? open.stop - open.start : 0;
      if (open && lengthMs > 0 && lengthMs >= minMs) spells.push(closed(open));
      open = undefined;
    };
    let earliest = start;
    for (let i = 0, place = 0; i < time.length; i++) {
      const [ms, mark] = [time[i] as number, marks[i] as number];
      if (mark < FAILS) continue;
      if (mark < HOLDS || (open && ms - open.stop > MAX_STEPS_APART * stepMs)) close();
      if (mark < HOLDS) continue;
      const row = rows[place++] as number;
      const gust = this.#gusts[row] as number;
      open ??= { start: Math.max(ms - stepMs, earliest), stop: ms, sum: 0, count: 0, gust };
      earliest = open.stop = ms;
      open.sum += this.#averages[row] as number;
      open.count++;
      if (!(gust <= open.gust)) open.gust = Number.isNaN(gust) ? open.gust : gust;
    }
    close();
    return spells;
  }
}

function closed({ start, stop, sum, count, gust }: OpenSpell): Spell {
  return { start, stop, mean: sum / count, gust: Number.isNaN(gust) ? null : gust };
}
