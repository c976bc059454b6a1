import type { Condition } from '../../domain/condition/condition.ts';
import { parseSpeed } from '../../domain/condition/literals.ts';
import type { AlertRule } from '../../domain/watching/alert.ts';
import { UsageError } from '../../errors.ts';
import { readCondition, refusedFields } from '../../flags/conditions.ts';
import type { SelectionFlags } from '../../flags/options.ts';
import { readDurationMs, readIfGiven, requireValue } from '../../flags/values.ts';

export interface RuleFlags extends Pick<SelectionFlags, 'near'> {
  readonly when?: string;
  readonly until?: string;
  readonly for?: string;
  readonly hysteresis?: string;
  readonly cooldown?: string;
  readonly exec?: string;
  readonly events?: true;
}

/** When a watch alerts. */
export interface AlertRules {
  /** The rules of all stations; empty without a condition. */
  readonly all: readonly AlertRule[];
  /** Returns the rule of a station; undefined if it has no alert. */
  of(station: number): AlertRule | undefined;
}

/**
 * Reads the conditions of a watch: that of `--when` or `--until` for every station, otherwise those
 * of favourites.
 * @param zone the time zone of hours in conditions
 * @param readOwn reads the conditions of favourites, by station
 * @throws UsageError
 */
export function readAlertRules(
  flags: RuleFlags,
  zone: string,
  readOwn: () => ReadonlyMap<number, Condition>,
): AlertRules {
  const text = flags.when ?? flags.until;
  if (text !== undefined) {
    const flag = flags.when === undefined ? '--until' : '--when';
    const refused = refusedFields({ hasPlace: flags.near !== undefined, hasTrend: true });
    const rule = { condition: readCondition(flag, text, refused, zone), ...readTiming(flags) };
    return { all: [rule], of: () => rule };
  }
  const own = readOwn();
  if (own.size === 0) refuseIdle(flags);
  const timing = readTiming(flags);
  const rules = new Map(Array.from(own, ([id, condition]) => [id, { condition, ...timing }]));
  return { all: [...rules.values()], of: (station) => rules.get(station) };
}

/** Describes the condition of an alert, after its option's name: `when avg > 15kn`. */
export const describeAlertRule = ({ condition }: AlertRule, isUntil: boolean): string =>
  `${isUntil ? 'until' : 'when'} ${condition.text}`;

function readTiming(flags: RuleFlags): Omit<AlertRule, 'condition'> {
  const speed = 'a speed with its unit such as 2kn';
  return {
    forMs: readIfGiven(flags.for, (time) => readDurationMs('--for', time)) ?? 0,
    hysteresisKmh:
      readIfGiven(flags.hysteresis, (text) =>
        requireValue(parseSpeed(text), '--hysteresis', speed, text),
      ) ?? 0,
    cooldownMs: readIfGiven(flags.cooldown, (time) => readDurationMs('--cooldown', time)) ?? 0,
  };
}

/** @throws UsageError for an option that has no effect without a condition */
function refuseIdle(flags: RuleFlags): void {
  const idle = (['for', 'hysteresis', 'cooldown', 'exec', 'events'] as const).find(
    (flag) => flags[flag],
  );
  if (idle === undefined) return;
  throw new UsageError(
    `--${idle} needs a condition: --when or --until, such as --when 'avg > 15kn', or that of a favourite.`,
  );
}
