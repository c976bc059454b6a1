import { CONDITION_FAILS, CONDITION_HOLDS, CONDITION_OPEN, type WindColumns } from './readings.ts';

/**
 * Two readings further apart than this many times the usual step are of two spells: more than three
 * readings are missing between them. The first of these counts as missing from 1.5 steps on.
 */
const MAX_STEPS_APART = 4.5;

/** A time for which a condition held without interruption; start and stop in ms since 1970. */
export interface ConditionSpell {
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

/**
 * The spells of a condition in order of time. A spell begins one usual step before its first reading,
 * but neither before the period nor before the spell before it ends. It ends with its last reading
 * before one that fails the condition, or before more than three missing ones. A reading without an
 * average, or whose missing values leave the condition open, is like a missing one.
 */
export function findSpells(
  { time, windSpeedAvg, windSpeedMax }: WindColumns,
  verdicts: Uint8Array,
  { start, stepMs, minMs }: SpellOptions,
): ConditionSpell[] {
  const spells: ConditionSpell[] = [];
  let open: { start: number; stop: number; sum: number; count: number; gust: number } | undefined;
  const close = (): void => {
    const lengthMs = open ? open.stop - open.start : 0;
    if (open && lengthMs > 0 && lengthMs >= minMs) {
      const { sum, count, gust, ...period } = open;
      spells.push({ ...period, mean: sum / count, gust: Number.isNaN(gust) ? null : gust });
    }
    open = undefined;
  };
  let earliest = start;
  for (let row = 0; row < time.length; row++) {
    const [ms, average] = [time[row] as number, windSpeedAvg[row] as number];
    if (verdicts[row] === CONDITION_OPEN || Number.isNaN(average)) continue;
    if (verdicts[row] === CONDITION_FAILS || (open && ms - open.stop > MAX_STEPS_APART * stepMs))
      close();
    if (verdicts[row] !== CONDITION_HOLDS) continue;
    const gust = windSpeedMax[row] as number;
    open ??= { start: Math.max(ms - stepMs, earliest), stop: ms, sum: 0, count: 0, gust };
    earliest = open.stop = ms;
    open.sum += average;
    open.count++;
    if (gust > open.gust || Number.isNaN(open.gust)) open.gust = gust;
  }
  close();
  return spells;
}
