import { formatZoneName, HOUR_MS } from '../../domain/dates.ts';
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
import { SPEED_UNITS } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { countValues } from '../counts.ts';
import { median } from '../distribution.ts';
import type { ConditionSpell, GroupStatistics } from '../statistics.ts';
import { groupKeyColumns, groupKeyFields } from './keys.ts';
import {
  type ChosenView,
  refuseLongTable,
  type StationGroup,
  type StationStatistics,
  stationGroups,
  type ViewContext,
  type ViewKind,
} from './view.ts';

interface SpellsFlags {
  readonly where?: string;
  readonly spells?: true;
  readonly for?: string;
}

/** The view `--spells`: the uninterrupted periods in which a condition was true. */
export const spellsViewKind: ViewKind<SpellsFlags> = {
  options: [
    {
      flags: '--spells',
      description: 'list the unbroken times during which --where was true, the longest first',
    },
    {
      flags: '--for <duration>',
      description:
        'count only days on which --where was true for at least this long, or list only spells at least this long (default: 1h for days, any length for spells), e.g. 2h',
    },
  ],
  chosenBy: ({ spells }) => spells && '--spells',
  refuse({ spells, where }, by) {
    if (spells && where === undefined) {
      throw new UsageError("--spells needs --where with a condition, such as 'avg > 15kn'.");
    }
    if (spells && by.includes('sector')) {
      throw new UsageError('A spell may turn through several sectors; leave sector out of --by.');
    }
  },
  read({ where = '', for: least }, context) {
    const holds = context.readCondition(where);
    const minMs = least === undefined ? 0 : context.readDurationMs('--for', least);
    return { ...spellsView(context), wanted: { spells: { holds, minMs } } };
  },
};

/** A row of the view: a spell, and the group in which it begins. */
type SpellRow = StationGroup & ConditionSpell;

function spellsView(context: ViewContext): Omit<ChosenView, 'wanted'> {
  const { by } = context;
  const fields: ReadableField<SpellRow>[] = [
    ...groupKeyFields(by),
    timeField('start', ({ start }) => start),
    timeField('stop', ({ stop }) => stop),
    plainField('hours', hoursOf),
    speedField('mean', ({ mean }) => mean),
    speedField('gust', ({ gust }) => gust),
  ];
  return {
    by,
    fields,
    *rows(station) {
      for (const group of stationGroups(station)) {
        for (const spell of group.spells ?? []) yield readRowValues(fields, { ...group, ...spell });
      }
    },
    blocks: (stations) => spellBlocks(stations, context),
    isNamedEmpty: true,
    nothingIn: ({ groups }) =>
      groups.every(({ spells }) => spells?.length === 0) ? 'No spell' : undefined,
    groupWord: 'group',
  };
}

const hoursOf = ({ start, stop }: ConditionSpell): number => (stop - start) / HOUR_MS;

/** Maximum number of spells in a table; other formats contain all. */
const MAX_SPELLS = 10;

/** Yields the longest spells of each station, then a summary of all spells by group. */
async function* spellBlocks(
  stations: AsyncIterable<StationStatistics>,
  context: ViewContext,
): AsyncGenerator<DocumentBlock> {
  for await (const station of stations) {
    const { groups } = station;
    refuseLongTable(groups.length);
    const longest = groups
      .flatMap(({ spells = [] }) => spells)
      .sort((a, b) => hoursOf(b) - hoursOf(a) || a.start - b.start)
      .slice(0, MAX_SPELLS);
    yield { title: station };
    if (longest.length > 0) yield tableBlock(longest, spellColumns(context));
    yield tableBlock(groups, [...groupKeyColumns(groups, context), ...LENGTH_COLUMNS]);
  }
}

const spellColumns = ({ unit, zone }: ViewContext): ReadableColumn<ConditionSpell>[] => [
  readableColumn(`start ${formatZoneName(zone)}`, 0, 'minute', ({ start }) => start, {
    room: 'head',
  }),
  readableColumn('stop', 1, 'minute', ({ stop }) => stop, { room: 'head' }),
  readableColumn('hours', 0, 'tenths', hoursOf),
  readableColumn(`mean ${SPEED_UNITS[unit].label}`, 0, 'speed', ({ mean }) => mean),
  readableColumn('gust', 0, 'speed', ({ gust }) => gust),
];

const lengthsOf = ({ spells = [] }: GroupStatistics): number[] => spells.map(hoursOf);

const medianLength = (group: GroupStatistics): number | null =>
  median(countValues(Float64Array.from(lengthsOf(group))));

const totalLength = (group: GroupStatistics): number =>
  lengthsOf(group).reduce((sum, length) => sum + length, 0);

/**
 * Columns for the number and durations of a group's spells. The coverage is included, since a gap
 * may hide a spell.
 */
const LENGTH_COLUMNS: readonly ReadableColumn<GroupStatistics>[] = [
  readableColumn('spells', 0, 'count', ({ spells = [] }) => spells.length, { brief: 'n' }),
  readableColumn('median h', 0, 'tenths', medianLength, { brief: 'med h' }),
  readableColumn('total h', 0, 'tenths', totalLength, { brief: 'tot h' }),
  readableColumn('coverage', 0, 'share', ({ summary }) => summary.coverage, { brief: 'cover' }),
];
