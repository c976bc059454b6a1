import { HOUR_MS } from '../../domain/dates.ts';
import { column, plain, type Write } from '../../domain/document.ts';
import { UsageError } from '../../errors.ts';
import { summaryView } from './summary.ts';
import type { StationGroup, ViewKind } from './view.ts';

interface HoursFlags {
  readonly where?: string;
  readonly rose?: true;
  readonly spells?: true;
  readonly for?: string;
}

/** For how long, and on how many days, a condition held in each group. */
export const hours: ViewKind<HoursFlags> = {
  options: [
    {
      flags: '--where <condition>',
      description:
        "count how often this condition was true, or with --rose use only the readings for which it was true (default: none), e.g. 'avg in 12..25kn'",
    },
  ],
  chosenBy: ({ where, rose, spells }) =>
    where === undefined || rose || spells ? undefined : '--where',
  refuse({ where, for: least }) {
    if (least === undefined || where !== undefined) return;
    throw new UsageError("--for needs --where with a condition, such as 'avg > 15kn'.");
  },
  read({ where = '', for: least }, context) {
    const holds = context.readCondition(where);
    const minMs = least === undefined ? HOUR_MS : context.readDurationMs('--for', least);
    // Groups of a month or less have no column for the best month.
    const isShort = context.by.some((key) => ['hour', 'day', 'week', 'month'].includes(key));
    const columns = isShort ? COLUMNS : [...COLUMNS, BEST_MONTH];
    const view = summaryView(context, { fields: FIELDS, columns, facts: factsOf });
    return { ...view, wanted: { where: { holds, minMs } } };
  },
};

const FIELDS = [
  plain<StationGroup>('hours', ({ held }) => held?.hours),
  plain<StationGroup>('share', ({ held }) => held?.share),
  plain<StationGroup>('days', ({ held }) => held?.days),
  plain<StationGroup>('best_month', ({ held }) => held?.bestMonth),
];

const COLUMNS = [
  column<StationGroup>('days', 0, 'count', ({ held }) => held?.days),
  column<StationGroup>('hours', 0, 'tenths', ({ held }) => held?.hours),
  column<StationGroup>('share', 1, 'share', ({ held }) => held?.share),
];

const BEST_MONTH = column<StationGroup>('best month', 3, 'plain', ({ held }) => held?.bestMonth);

function factsOf({ held }: StationGroup, write: Write): string[][] {
  if (held === undefined) return [];
  const { hours, share, days, bestMonth } = held;
  return [
    ['condition', `${write('tenths', hours)} h, ${write('share', share)} of the time`],
    ['  days', write('count', days)],
    ['  best month', write('plain', bestMonth)],
  ];
}
