import { UsageError } from '../../errors.ts';
import { climateViewKind } from './climate.ts';
import { exceedanceViewKind } from './exceedance.ts';
import { hoursViewKind } from './hours.ts';
import { roseViewKind } from './rose.ts';
import { spellsViewKind } from './spells.ts';
import { summaryViewKind } from './summary.ts';
import type { ViewContext, ViewKind } from './view.ts';

/** The views of statistics, in the order of their options in the help. */
const VIEWS = {
  summary: summaryViewKind,
  rose: roseViewKind,
  hours: hoursViewKind,
  spells: spellsViewKind,
  exceedance: exceedanceViewKind,
  climate: climateViewKind,
};

type ViewName = keyof typeof VIEWS;

type Flags<V> = V extends ViewKind<infer F> ? (flags: F) => void : never;

/** The values of the options of all views. */
export type ViewFlags =
  Flags<(typeof VIEWS)[ViewName]> extends (flags: infer F) => void ? F : never;

/** A chosen view, and its name in `kind`. */
export type StatisticsView = {
  [N in ViewName]: { readonly kind: N } & ReturnType<(typeof VIEWS)[N]['read']>;
}[ViewName];

const KINDS = Object.entries(VIEWS) as [ViewName, ViewKind<ViewFlags>][];

/** The options of all views. */
export const VIEW_OPTIONS = KINDS.flatMap(([, { options }]) => options);

/**
 * Finds and reads the view that the options choose, by default the summary.
 * @throws UsageError
 */
export function readView(flags: ViewFlags, context: ViewContext): StatisticsView {
  const chosen = KINDS.flatMap(([kind, view]) => {
    const option = view.chosenBy(flags);
    return option === undefined ? [] : [{ kind, option }];
  });
  const [one, other] = chosen;
  if (one && other) {
    throw new UsageError(
      `${one.option} and ${other.option} are two different tables; use one of them at a time.`,
    );
  }
  for (const [, view] of KINDS) view.refuse?.(flags, context.by);
  const kind = one?.kind ?? 'summary';
  const view: ViewKind<ViewFlags> = VIEWS[kind];
  return { kind, ...view.read(flags, context) };
}
