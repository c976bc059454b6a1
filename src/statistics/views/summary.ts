import {
  type Block,
  type ColumnOf,
  column,
  type FieldOf,
  plain,
  rowOf,
  speed,
  spread,
  tableOf,
  time,
  type Write,
} from '../../domain/document.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { PERCENTILES } from '../distribution.ts';
import type { GroupKey } from '../statistics.ts';
import { cardOf } from './card.ts';
import { keyColumns, keyFields, weightColumn } from './keys.ts';
import {
  refuseLongTable,
  type StationGroup,
  type StationStatistics,
  stationGroups,
  type View,
  type ViewContext,
  type ViewKind,
} from './view.ts';

/** Means, extremes, percentiles and directions of each group. */
export const summary: ViewKind<unknown> = {
  options: [],
  chosenBy: () => undefined,
  read: (_, context) => ({ ...summaryView(context), wanted: {} }),
};

/** What a view has of each group besides the summary. */
interface Addition {
  readonly fields: readonly FieldOf<StationGroup>[];
  readonly columns: readonly ColumnOf<StationGroup>[];
  readonly facts: (group: StationGroup, write: Write) => string[][];
}

/** The view of the summary of each group, with additions of another view. */
export function summaryView(
  { by, unit, zone }: ViewContext,
  added: Addition = { fields: [], columns: [], facts: () => [] },
): Omit<View, 'wanted'> {
  const fields = [...keyFields(by), ...fieldsBy(by), ...added.fields];
  const { label } = SPEED_UNITS[unit];

  function columnsOf(rows: readonly StationGroup[], isOneStation: boolean) {
    return [
      ...(isOneStation ? [] : stationColumns(rows)),
      ...keyColumns(rows, { by, zone }),
      ...added.columns,
      ...meanColumns(by, label, added.columns.length > 0),
    ];
  }

  async function* blocks(
    stations: AsyncIterable<StationStatistics>,
    write: Write,
  ): AsyncGenerator<Block> {
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
    if (isCard) yield cardOf(first, write, label, added.facts(first, write));
    else yield tableOf(rows, columnsOf(rows, isOneStation));
  }

  return {
    by,
    fields,
    *rows(station) {
      for (const group of station.groups) yield rowOf(fields, { ...group, station });
    },
    blocks,
    groupWord: 'row',
  };
}

/** The fields of a group's summary. With `--by sector` two sectors may share a reading. */
function fieldsBy(by: readonly GroupKey[]): FieldOf<StationGroup>[] {
  const isSector = by.includes('sector');
  return [
    plain('readings', ({ summary }) => Math.round(summary.readings)),
    ...(isSector ? [plain<StationGroup>('frequency', ({ frequency }) => frequency)] : []),
    ...SUMMARY_FIELDS.filter(({ name }) => !isSector || name !== 'coverage'),
  ];
}

const percentiles = (prefix: string, name: 'percentiles' | 'gustPercentiles') =>
  PERCENTILES.map((p, place) =>
    speed<StationGroup>(`${prefix}p${p}`, ({ summary }) => summary[name][place]),
  );

const FORCES = Array.from({ length: 13 }, (_, force) => force);

// The fields of a sector. They have no coverage, since it is the same for all sectors of a period.
const SUMMARY_FIELDS: readonly FieldOf<StationGroup>[] = [
  plain('missing', ({ summary }) => summary.missing),
  time('first', ({ summary }) => summary.first),
  time('last', ({ summary }) => summary.last),
  plain('step_s', ({ summary }) => summary.stepS),
  plain('coverage', ({ summary }) => summary.coverage),
  plain('gaps', ({ summary }) => summary.gaps),
  time('longest_gap_start', ({ summary }) => summary.longestGap?.start),
  plain('longest_gap_s', ({ summary }) => summary.longestGap?.lengthS),
  speed('mean', ({ summary }) => summary.mean),
  spread('std', ({ summary }) => summary.std),
  speed('min', ({ summary }) => summary.min),
  speed('max', ({ summary }) => summary.max),
  speed('max_gust', ({ summary }) => summary.maxGust),
  time('max_gust_at', ({ summary }) => summary.maxGustAt),
  speed('min_lull', ({ summary }) => summary.minLull),
  ...percentiles('', 'percentiles'),
  ...percentiles('gust_', 'gustPercentiles'),
  plain('calm', ({ summary }) => summary.calm),
  speed('vector_speed', ({ summary }) => summary.vectorSpeed),
  plain('vector_direction', ({ summary }) => summary.vectorDirection),
  plain('prevailing_direction', ({ summary }) => summary.prevailingDirection),
  plain('steadiness', ({ summary }) => summary.steadiness),
  plain('direction_std', ({ summary }) => summary.directionStd),
  plain('gust_factor', ({ summary }) => summary.gustFactor),
  plain('weibull_k', ({ summary }) => summary.weibullK),
  spread('weibull_a', ({ summary }) => summary.weibullA),
  plain('power_density', ({ summary }) => summary.powerDensity),
  {
    ...plain('beaufort', ({ summary }: StationGroup) => summary.beaufort),
    parts: {
      names: FORCES.map((force) => `bft_${force}`),
      of: (shares) => FORCES.map((force) => (shares as readonly number[] | null)?.[force]),
    },
  },
];

function stationColumns(rows: readonly StationGroup[]): ColumnOf<StationGroup>[] {
  const name = column<StationGroup>(
    'name',
    4,
    'text',
    ({ station }) => station.name?.trim() ?? null,
    { room: { roomy: 24, comfortable: 12, tight: 6 } },
  );
  return [
    column('station', 0, 'plain', ({ station }) => station.station, { isDecimal: true }),
    ...(rows.some(({ station }) => station.name) ? [name] : []),
  ];
}

/** @param isAdded whether other columns come first and matter more */
function meanColumns(
  by: readonly GroupKey[],
  label: string,
  isAdded: boolean,
): ColumnOf<StationGroup>[] {
  const percentile = (p: (typeof PERCENTILES)[number], rank: number) =>
    column<StationGroup>(
      `p${p}`,
      rank,
      'speed',
      ({ summary }) => summary.percentiles[PERCENTILES.indexOf(p)],
    );
  return [
    column(`mean ${label}`, isAdded ? 5 : 0, 'speed', ({ summary }) => summary.mean),
    // The coverage stays wherever the mean is shown: a mean without its coverage may mislead.
    weightColumn(by, isAdded ? 2 : 0),
    column('max gust', 3, 'speed', ({ summary }) => summary.maxGust),
    column('direction', 3, 'direction', ({ summary }) => summary.prevailingDirection),
    percentile(50, 7),
    percentile(90, 6),
    column('calm', 5, 'share', ({ summary }) => summary.calm),
    column('steady', 8, 'hundredths', ({ summary }) => summary.steadiness),
    column('readings', 6, 'count', ({ summary }) => summary.readings),
  ];
}
