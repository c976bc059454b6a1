import {
  type DocumentBlock,
  plainField,
  type ReadableColumn,
  type ReadableField,
  readableColumn,
  readRowValues,
  speedField,
  tableBlock,
  timeField,
} from '../../domain/document.ts';
import { SPEED_UNITS, type SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { type ClimateMonth, computeClimate, STRONG_GUSTS_METRES_PER_S } from '../climate.ts';
import { thresholdConditions } from './exceedance.ts';
import type { StationStatistics, ViewKind } from './view.ts';

interface ClimateFlags {
  readonly climate?: true;
}

/** The view `--climate`: each month of the year, combined over all years. */
export const climateViewKind: ViewKind<ClimateFlags> = {
  options: [{ flags: '--climate', description: 'average each month of the year over all years' }],
  chosenBy: ({ climate }) => climate && '--climate',
  refuse({ climate }, by) {
    if (climate && by.length > 0) {
      throw new UsageError('--climate already has one row per month of the year; leave out --by.');
    }
  },
  read(_, context) {
    const { unit, zone } = context;
    const gusts = context.readSpeeds('--climate', `${STRONG_GUSTS_METRES_PER_S}ms`);
    return {
      by: ['month'],
      wanted: { above: thresholdConditions('gust', gusts, context) },
      fields: FIELDS,
      *rows(statistics) {
        for (const month of monthsOf(statistics, zone)) yield readRowValues(FIELDS, month);
      },
      async *blocks(stations) {
        for await (const station of stations) yield* climateBlocks(station, unit, zone);
      },
      groupWord: undefined,
    };
  },
};

interface Month extends ClimateMonth {
  readonly station: number;
}

const monthsOf = ({ station, groups, period }: StationStatistics, zone: string): Month[] =>
  computeClimate(groups, period, zone).map((month) => ({ ...month, station }));

const FIELDS: readonly ReadableField<Month>[] = [
  plainField('station', ({ station }) => station),
  plainField('month_of_year', ({ month }) => month),
  plainField('years', ({ years }) => years),
  plainField('years_left_out', ({ leftOut }) => leftOut),
  speedField('mean', ({ mean }) => mean),
  plainField('prevailing_direction', ({ prevailingDirection }) => prevailingDirection),
  speedField('max_gust', ({ highest }) => highest?.maxGust),
  plainField('max_gust_direction', ({ highest }) => highest?.maxGustDirection),
  timeField('max_gust_at', ({ highest }) => highest?.maxGustAt),
  ...STRONG_GUSTS_METRES_PER_S.map((gust, place) =>
    plainField<Month>(`days_${gust}ms`, ({ strongGustDays }) => strongGustDays[place]),
  ),
  plainField('coverage', ({ coverage }) => coverage),
];

function* climateBlocks(
  station: StationStatistics,
  unit: SpeedUnit,
  zone: string,
): Generator<DocumentBlock> {
  const months = monthsOf(station, zone);
  const gusts = STRONG_GUSTS_METRES_PER_S.map((speed) => `${speed} m/s`).join(', ');
  yield { title: station };
  yield tableBlock(months, columnsOf(unit));
  yield {
    notes: [
      `${gusts}: mean number of days with gusts of that speed or more.`,
      ...(months.some(({ leftOut }) => leftOut > 0)
        ? ['* The means ignore years in which readings cover less than 80 % of the month.']
        : []),
    ],
  };
}

const columnsOf = (unit: SpeedUnit): ReadableColumn<Month>[] => [
  readableColumn(
    'month',
    0,
    'plain',
    ({ month, leftOut }) => `${month}${leftOut > 0 ? '*' : ' '}`,
    {
      isDecimal: true,
    },
  ),
  readableColumn(`mean ${SPEED_UNITS[unit].label}`, 0, 'speed', ({ mean }) => mean),
  readableColumn('direction', 4, 'direction', (month) => month.prevailingDirection),
  readableColumn('gust', 0, 'speed', ({ highest }) => highest?.maxGust ?? null),
  readableColumn('from', 6, 'point', ({ highest }) => highest?.maxGustDirection ?? null),
  readableColumn('on', 5, 'day', ({ highest }) => highest?.maxGustAt ?? null),
  ...STRONG_GUSTS_METRES_PER_S.map((speed, place) =>
    readableColumn<Month>(
      `${speed} m/s`,
      3 * place,
      'tenths',
      ({ strongGustDays }) => strongGustDays[place] ?? null,
    ),
  ),
  // Keep the coverage as long as the mean: a mean without its coverage may mislead.
  readableColumn('coverage', 0, 'share', ({ coverage }) => coverage),
  readableColumn('years', 7, 'count', ({ years }) => years),
];
