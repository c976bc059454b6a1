import {
  type DocumentBlock,
  plainField,
  type ReadableColumn,
  type ReadableField,
  readableColumn,
  readRowValues,
  speedField,
  spreadField,
  tableBlock,
  timeField,
  type ValueWriter,
} from '../../domain/document.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { PERCENTILES } from '../distribution.ts';
import type { GroupKey } from '../statistics.ts';
import { summaryCard } from './card.ts';
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

/** The default view: means, extremes, percentiles and directions of each group. */
export const summaryViewKind: ViewKind<unknown> = {
  options: [],
  chosenBy: () => undefined,
  read: (_, context) => ({ ...summaryView(context), wanted: {} }),
};

/** What another view adds to the summary of each group. */
interface Addition {
  readonly fields: readonly ReadableField<StationGroup>[];
  readonly columns: readonly ReadableColumn<StationGroup>[];
  readonly facts: (group: StationGroup, write: ValueWriter) => string[][];
}

/** Creates a view with the summary of each group, and additions of another view. */
export function summaryView(
  { by, unit, zone }: ViewContext,
  added: Addition = { fields: [], columns: [], facts: () => [] },
): Omit<ChosenView, 'wanted'> {
  const fields = [...groupKeyFields(by), ...fieldsBy(by), ...added.fields];
  const { label } = SPEED_UNITS[unit];

  function columnsOf(rows: readonly StationGroup[], isOneStation: boolean) {
    return [
      ...(isOneStation ? [] : stationColumns(rows)),
      ...groupKeyColumns(rows, { by, zone }),
      ...added.columns,
      ...meanColumns(by, label, added.columns.length > 0),
    ];
  }

  async function* blocks(
    stations: AsyncIterable<StationStatistics>,
    write: ValueWriter,
  ): AsyncGenerator<DocumentBlock> {
    const rows: StationGroup[] = [];
    for await (const station of stations) {
      refuseLongTable(rows.length + station.groups.length);
      for (const group of stationGroups(station)) rows.push(group);
    }
    const [first] = rows;
    if (first === undefined) return;
    const isGrouped = by.length > 0;
    const isOneStation = isGrouped && rows.every(({ station }) => station === first.station);
    const isCard = rows.length === 1 && !isGrouped;
    if (isCard || isOneStation) yield { title: first.station };
    if (isCard) yield summaryCard(first, write, label, added.facts(first, write));
    else yield tableBlock(rows, columnsOf(rows, isOneStation));
  }

  return {
    by,
    fields,
    *rows(station) {
      for (const group of station.groups) yield readRowValues(fields, { ...group, station });
    },
    blocks,
    groupWord: 'row',
  };
}

/** The fields of a group's summary. With `--by sector`, a reading may count in two sectors. */
function fieldsBy(by: readonly GroupKey[]): ReadableField<StationGroup>[] {
  const isSector = by.includes('sector');
  return [
    plainField('readings', ({ summary }) => Math.round(summary.readings)),
    ...(isSector ? [plainField<StationGroup>('frequency', ({ frequency }) => frequency)] : []),
    ...SUMMARY_FIELDS.filter(({ name }) => !isSector || name !== 'coverage'),
  ];
}

const percentiles = (prefix: string, name: 'percentiles' | 'gustPercentiles') =>
  PERCENTILES.map((p, place) =>
    speedField<StationGroup>(`${prefix}p${p}`, ({ summary }) => summary[name][place]),
  );

const FORCES = Array.from({ length: 13 }, (_, force) => force);

// The fields for sectors. They have no coverage, since it is the same for all sectors of a period.
const SUMMARY_FIELDS: readonly ReadableField<StationGroup>[] = [
  plainField('missing', ({ summary }) => summary.missing),
  timeField('first', ({ summary }) => summary.first),
  timeField('last', ({ summary }) => summary.last),
  plainField('step_s', ({ summary }) => summary.stepS),
  plainField('coverage', ({ summary }) => summary.coverage),
  plainField('gaps', ({ summary }) => summary.gaps),
  timeField('longest_gap_start', ({ summary }) => summary.longestGap?.start),
  plainField('longest_gap_s', ({ summary }) => summary.longestGap?.lengthS),
  speedField('mean', ({ summary }) => summary.mean),
  spreadField('std', ({ summary }) => summary.std),
  speedField('min', ({ summary }) => summary.min),
  speedField('max', ({ summary }) => summary.max),
  speedField('max_gust', ({ summary }) => summary.maxGust),
  timeField('max_gust_at', ({ summary }) => summary.maxGustAt),
  speedField('min_lull', ({ summary }) => summary.minLull),
  ...percentiles('', 'percentiles'),
  ...percentiles('gust_', 'gustPercentiles'),
  plainField('calm', ({ summary }) => summary.calm),
  speedField('vector_speed', ({ summary }) => summary.vectorSpeed),
  plainField('vector_direction', ({ summary }) => summary.vectorDirection),
  plainField('prevailing_direction', ({ summary }) => summary.prevailingDirection),
  plainField('steadiness', ({ summary }) => summary.steadiness),
  plainField('direction_std', ({ summary }) => summary.directionStd),
  plainField('gust_factor', ({ summary }) => summary.gustFactor),
  plainField('weibull_k', ({ summary }) => summary.weibullK),
  spreadField('weibull_a', ({ summary }) => summary.weibullA),
  plainField('power_density', ({ summary }) => summary.powerDensity),
  {
    ...plainField('beaufort', ({ summary }: StationGroup) => summary.beaufort),
    parts: {
      names: FORCES.map((force) => `bft_${force}`),
      of: (shares) => FORCES.map((force) => (shares as readonly number[] | null)?.[force]),
    },
  },
];

function stationColumns(rows: readonly StationGroup[]): ReadableColumn<StationGroup>[] {
  const name = readableColumn<StationGroup>(
    'name',
    4,
    'text',
    ({ station }) => station.name?.trim() ?? null,
    { room: { roomy: 24, comfortable: 12, tight: 6 } },
  );
  return [
    readableColumn('station', 0, 'plain', ({ station }) => station.station, { isDecimal: true }),
    ...(rows.some(({ station }) => station.name) ? [name] : []),
  ];
}

/** @param isAdded whether another view's columns come first and are more important */
function meanColumns(
  by: readonly GroupKey[],
  label: string,
  isAdded: boolean,
): ReadableColumn<StationGroup>[] {
  const percentile = (p: (typeof PERCENTILES)[number], rank: number) =>
    readableColumn<StationGroup>(
      `p${p}`,
      rank,
      'speed',
      ({ summary }) => summary.percentiles[PERCENTILES.indexOf(p)],
    );
  return [
    readableColumn(`mean ${label}`, isAdded ? 5 : 0, 'speed', ({ summary }) => summary.mean),
    // Keep the coverage as long as the mean: a mean without its coverage may mislead.
    coverageOrFrequencyColumn(by, isAdded ? 2 : 0),
    readableColumn('max gust', 3, 'speed', ({ summary }) => summary.maxGust),
    readableColumn('direction', 3, 'direction', ({ summary }) => summary.prevailingDirection),
    percentile(50, 7),
    percentile(90, 6),
    readableColumn('calm', 5, 'share', ({ summary }) => summary.calm),
    readableColumn('steady', 8, 'hundredths', ({ summary }) => summary.steadiness),
    readableColumn('readings', 6, 'count', ({ summary }) => summary.readings),
  ];
}
