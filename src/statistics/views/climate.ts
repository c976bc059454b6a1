import {
  type Block,
  type ColumnOf,
  column,
  type FieldOf,
  plain,
  rowOf,
  speed,
  tableOf,
  time,
} from '../../domain/document.ts';
import { SPEED_UNITS, type SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { type ClimateMonth, climateOf, STRONG_GUSTS_MS } from '../climate.ts';
import { conditionsOf } from './exceedance.ts';
import type { StationStatistics, ViewKind } from './view.ts';

interface ClimateFlags {
  readonly climate?: true;
}

/** The months of the year over all years. */
export const climate: ViewKind<ClimateFlags> = {
  options: [{ flags: '--climate', description: 'average each month of the year over all years' }],
  chosenBy: ({ climate }) => climate && '--climate',
  refuse({ climate }, by) {
    if (climate && by.length > 0) {
      throw new UsageError('--climate already has one row per month of the year; leave out --by.');
    }
  },
  read(_, context) {
    const { unit, zone } = context;
    const gusts = context.readSpeeds('--climate', `${STRONG_GUSTS_MS}ms`);
    return {
      by: ['month'],
      wanted: { above: conditionsOf('gust', gusts, context) },
      fields: FIELDS,
      *rows(statistics) {
        for (const month of monthsOf(statistics, zone)) yield rowOf(FIELDS, month);
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
  climateOf(groups, period, zone).map((month) => ({ ...month, station }));

const FIELDS: readonly FieldOf<Month>[] = [
  plain('station', ({ station }) => station),
  plain('month_of_year', ({ month }) => month),
  plain('years', ({ years }) => years),
  plain('years_left_out', ({ leftOut }) => leftOut),
  speed('mean', ({ mean }) => mean),
  plain('prevailing_direction', ({ prevailingDirection }) => prevailingDirection),
  speed('max_gust', ({ highest }) => highest?.maxGust),
  plain('max_gust_direction', ({ highest }) => highest?.maxGustDirection),
  time('max_gust_at', ({ highest }) => highest?.maxGustAt),
  ...STRONG_GUSTS_MS.map((gust, place) =>
    plain<Month>(`days_${gust}ms`, ({ strongGustDays }) => strongGustDays[place]),
  ),
  plain('coverage', ({ coverage }) => coverage),
];

function* climateBlocks(
  station: StationStatistics,
  unit: SpeedUnit,
  zone: string,
): Generator<Block> {
  const months = monthsOf(station, zone);
  const gusts = STRONG_GUSTS_MS.map((speed) => `${speed} m/s`).join(', ');
  yield { title: station };
  yield tableOf(months, columnsOf(unit));
  yield {
    notes: [
      `${gusts}: mean number of days with gusts of that speed or more.`,
      ...(months.some(({ leftOut }) => leftOut > 0)
        ? ['* The means ignore years in which readings cover less than 80 % of the month.']
        : []),
    ],
  };
}

const columnsOf = (unit: SpeedUnit): ColumnOf<Month>[] => [
  column('month', 0, 'plain', ({ month, leftOut }) => `${month}${leftOut > 0 ? '*' : ' '}`, {
    isDecimal: true,
  }),
  column(`mean ${SPEED_UNITS[unit].label}`, 0, 'speed', ({ mean }) => mean),
  column('direction', 4, 'direction', (month) => month.prevailingDirection),
  column('gust', 0, 'speed', ({ highest }) => highest?.maxGust ?? null),
  column('from', 6, 'point', ({ highest }) => highest?.maxGustDirection ?? null),
  column('on', 5, 'day', ({ highest }) => highest?.maxGustAt ?? null),
  ...STRONG_GUSTS_MS.map((speed, place) =>
    column<Month>(
      `${speed} m/s`,
      3 * place,
      'tenths',
      ({ strongGustDays }) => strongGustDays[place] ?? null,
    ),
  ),
  // The coverage stays wherever the mean is shown: a mean without its coverage may mislead.
  column('coverage', 0, 'share', ({ coverage }) => coverage),
  column('years', 7, 'count', ({ years }) => years),
];
