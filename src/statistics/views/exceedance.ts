import type { SpeedList } from '../../domain/condition/speeds.ts';
import {
  type DocumentBlock,
  limitField,
  plainField,
  type ReadableColumn,
  type ReadableField,
  readableColumn,
  readRowValues,
  tableBlock,
} from '../../domain/document.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import type { Exceedance, RowConditionTest } from '../statistics.ts';
import { coverageOrFrequencyColumn, groupKeyColumns, groupKeyFields } from './keys.ts';
import {
  type ChosenView,
  refuseLongTable,
  type StationGroup,
  type StationStatistics,
  stationGroups,
  type ViewContext,
  type ViewKind,
} from './view.ts';

type Measured = 'avg' | 'gust';

interface ExceedanceFlags {
  readonly above?: string;
  readonly value?: Measured;
}

/** The view `--above`: for how long, and on how many days, a speed reached each threshold. */
export const exceedanceViewKind: ViewKind<ExceedanceFlags> = {
  options: [
    {
      flags: '--above <speeds>',
      description:
        'count the hours and days at or above each speed (default: none), e.g. 10,15,20,25kn',
    },
    {
      flags: '--value <value>',
      description:
        'speed to compare with --above: the mean (avg) or the gust (default: avg), e.g. gust',
      choices: ['avg', 'gust'],
    },
  ],
  chosenBy: ({ above }) => (above === undefined ? undefined : '--above'),
  refuse({ above, value }) {
    if (value !== undefined && above === undefined) {
      throw new UsageError('--value needs --above with speeds, such as --above 10,15,20kn.');
    }
  },
  read({ above = '', value = 'avg' }, context) {
    const speeds = context.readSpeeds('--above', above);
    const view = exceedanceView(value, speeds, context);
    return { ...view, wanted: { above: thresholdConditions(value, speeds, context) } };
  },
};

/** Creates the condition for each threshold: a speed reaches it. */
export const thresholdConditions = (
  value: Measured,
  { numbers, unit }: SpeedList,
  { readCondition }: ViewContext,
): RowConditionTest[] => numbers.map((number) => readCondition(`${value} >= ${number}${unit}`));

/** A row of the view: one threshold in one group. */
interface Threshold extends StationGroup, Exceedance {
  readonly place: number;
}

const thresholdsOf = (station: StationStatistics): Threshold[] =>
  stationGroups(station).flatMap((group) =>
    group.exceedances.map((exceedance, place) => ({ ...group, ...exceedance, place })),
  );

function exceedanceView(
  value: Measured,
  { numbers, kmh, unit }: SpeedList,
  { by, zone }: ViewContext,
): Omit<ChosenView, 'wanted'> {
  const fields: ReadableField<Threshold>[] = [
    ...groupKeyFields(by),
    limitField('above', ({ place }) => kmh[place]),
    plainField('hours', ({ hours }) => hours),
    plainField('share', ({ share }) => share),
    plainField('days', ({ days }) => days),
    plainField('days_1h', ({ days1h }) => days1h),
  ];

  const decimals = Math.max(...numbers.map((one) => String(one).split('.')[1]?.length ?? 0));
  const { label } = SPEED_UNITS[unit];
  const threshold = ({ place }: Threshold): string =>
    `${(numbers[place] ?? 0).toFixed(decimals)} ${label}`;
  const columnsOf = (rows: readonly Threshold[]): ReadableColumn<Threshold>[] => [
    ...groupKeyColumns(rows, { by, zone }).map(once),
    readableColumn(`${value} ≥`, 0, 'plain', threshold, { isDecimal: true }),
    readableColumn('hours', 0, 'tenths', ({ hours }) => hours),
    readableColumn('share', 3, 'share', ({ share }) => share),
    readableColumn('days', 0, 'count', ({ days }) => days),
    readableColumn('days ≥1 h', 1, 'count', ({ days1h }) => days1h),
    once(coverageOrFrequencyColumn(by, 2)),
  ];

  async function* blocks(
    stations: AsyncIterable<StationStatistics>,
  ): AsyncGenerator<DocumentBlock> {
    for await (const station of stations) {
      refuseLongTable(station.groups.length * numbers.length);
      const rows = thresholdsOf(station);
      yield { title: station };
      yield tableBlock(rows, columnsOf(rows));
    }
  }

  return {
    by,
    fields,
    *rows(station) {
      for (const group of station.groups) {
        for (const row of thresholdsOf({ ...station, groups: [group] }))
          yield readRowValues(fields, row);
      }
    },
    blocks,
    groupWord: 'group',
  };
}

/** A column that shows its value only in the group's first row. */
const once = (shown: ReadableColumn<StationGroup>): ReadableColumn<Threshold> => ({
  ...shown,
  read: (row) => (row.place === 0 ? shown.read(row) : undefined),
});
