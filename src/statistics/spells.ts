import { CONDITION_FAILS, CONDITION_HOLDS, CONDITION_OPEN, type WindColumns } from './readings.ts';

/**
 * A spell ends if two readings are further apart than this many steps, so that more than three are
 * missing. The first missing reading counts from 1.5 steps on.
 */
const MAX_STEPS_APART = 4.5;

/**
 * A period in which a condition was true without interruption; start and stop in milliseconds since
 * 1970.
 */
export interface ConditionSpell {
  readonly start: number;
  readonly stop: number;
  /** Mean of the averages, km/h. */
  readonly mean: number;
  /** Highest gust, km/h; null without gusts. */
  readonly gust: number | null;
}

/** Which spells to find. */
interface SpellOptions {
  /** The start of the period. No spell begins earlier. */
  readonly start: number;
  /** The usual time between the station's readings. */
  readonly stepMs: number;
  /**
   * Minimum duration of a spell. A spell without any duration, at the start of the period, never
   * counts.
   */
  readonly minMs: number;
}

/**
 * Finds the spells of a condition in order of time. A spell begins one usual step before its first
 * reading, but not before the period or the end of the previous spell. It ends with its last
 * reading before one for which the condition is false, or before more than three missing readings.
 * A reading without an average, or with an open condition, counts as missing.
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
