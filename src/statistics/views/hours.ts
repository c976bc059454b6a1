import { HOUR_MS } from '../../domain/dates.ts';
import { plainField, readableColumn, type ValueWriter } from '../../domain/document.ts';
import { UsageError } from '../../errors.ts';
import { summaryView } from './summary.ts';
import type { StationGroup, ViewKind } from './view.ts';

interface HoursFlags {
  readonly where?: string;
  readonly rose?: true;
  readonly spells?: true;
  readonly for?: string;
}

/** The view `--where`: for how long, and on how many days, a condition was true in each group. */
export const hoursViewKind: ViewKind<HoursFlags> = {
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
    // Groups of up to a month have no column for the best month.
    const isShort = context.by.some((key) => ['hour', 'day', 'week', 'month'].includes(key));
    const columns = isShort ? COLUMNS : [...COLUMNS, BEST_MONTH];
    const view = summaryView(context, { fields: FIELDS, columns, facts: factsOf });
    return { ...view, wanted: { where: { holds, minMs } } };
  },
};

const FIELDS = [
  plainField<StationGroup>('hours', ({ held }) => held?.hours),
  plainField<StationGroup>('share', ({ held }) => held?.share),
  plainField<StationGroup>('days', ({ held }) => held?.days),
  plainField<StationGroup>('best_month', ({ held }) => held?.bestMonth),
];

const COLUMNS = [
  readableColumn<StationGroup>('days', 0, 'count', ({ held }) => held?.days),
  readableColumn<StationGroup>('hours', 0, 'tenths', ({ held }) => held?.hours),
  readableColumn<StationGroup>('share', 1, 'share', ({ held }) => held?.share),
];

const BEST_MONTH = readableColumn<StationGroup>(
  'best month',
  3,
  'plain',
  ({ held }) => held?.bestMonth,
);

function factsOf({ held }: StationGroup, write: ValueWriter): string[][] {
  if (held === undefined) return [];
  const { hours, share, days, bestMonth } = held;
  return [
    ['condition', `${write('tenths', hours)} h, ${write('share', share)} of the time`],
    ['  days', write('count', days)],
    ['  best month', write('plain', bestMonth)],
  ];
}
