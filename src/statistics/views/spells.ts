import { HOUR_MS, writeZone } from '../../domain/dates.ts';
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
import { SPEED_UNITS } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { countValues } from '../counts.ts';
import { median } from '../distribution.ts';
import type { Group, Spell } from '../statistics.ts';
import { keyColumns, keyFields } from './keys.ts';
import {
  refuseLongTable,
  type StationGroup,
  type StationStatistics,
  stationGroups,
  type View,
  type ViewContext,
  type ViewKind,
} from './view.ts';

interface SpellsFlags {
  readonly where?: string;
  readonly spells?: true;
  readonly for?: string;
}

/** The unbroken times during which a condition held. */
export const spells: ViewKind<SpellsFlags> = {
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

/** A spell, with the group in which it begins. */
type SpellRow = StationGroup & Spell;

function spellsView(context: ViewContext): Omit<View, 'wanted'> {
  const { by } = context;
  const fields: FieldOf<SpellRow>[] = [
    ...keyFields(by),
    time('start', ({ start }) => start),
    time('stop', ({ stop }) => stop),
    plain('hours', hoursOf),
    speed('mean', ({ mean }) => mean),
    speed('gust', ({ gust }) => gust),
  ];
  return {
    by,
    fields,
    *rows(station) {
      for (const group of stationGroups(station)) {
        for (const spell of group.spells ?? []) yield rowOf(fields, { ...group, ...spell });
      }
    },
    blocks: (stations) => spellBlocks(stations, context),
    isNamedEmpty: true,
    nothingIn: ({ groups }) =>
      groups.every(({ spells }) => spells?.length === 0) ? 'No spell' : undefined,
    groupWord: 'group',
  };
}

const hoursOf = ({ start, stop }: Spell): number => (stop - start) / HOUR_MS;

/** Most spells in a table; other formats have all. */
const MAX_SPELLS = 10;

/** The longest spells of each station, then number and lengths of the spells of each group. */
async function* spellBlocks(
  stations: AsyncIterable<StationStatistics>,
  context: ViewContext,
): AsyncGenerator<Block> {
  for await (const station of stations) {
    const { groups } = station;
    refuseLongTable(groups.length);
    const longest = groups
      .flatMap(({ spells = [] }) => spells)
      .sort((a, b) => hoursOf(b) - hoursOf(a) || a.start - b.start)
      .slice(0, MAX_SPELLS);
    yield { title: station };
    if (longest.length > 0) yield tableOf(longest, spellColumns(context));
    yield tableOf(groups, [...keyColumns(groups, context), ...LENGTH_COLUMNS]);
  }
}

const spellColumns = ({ unit, zone }: ViewContext): ColumnOf<Spell>[] => [
  column(`start ${writeZone(zone)}`, 0, 'minute', ({ start }) => start, { room: 'head' }),
  column('stop', 1, 'minute', ({ stop }) => stop, { room: 'head' }),
  column('hours', 0, 'tenths', hoursOf),
  column(`mean ${SPEED_UNITS[unit].label}`, 0, 'speed', ({ mean }) => mean),
  column('gust', 0, 'speed', ({ gust }) => gust),
];

const lengthsOf = ({ spells = [] }: Group): number[] => spells.map(hoursOf);

const medianLength = (group: Group): number | null =>
  median(countValues(Float64Array.from(lengthsOf(group))));

const totalLength = (group: Group): number =>
  lengthsOf(group).reduce((sum, length) => sum + length, 0);

/** Number and lengths of the spells of a group; its coverage, since a gap may hide a spell. */
const LENGTH_COLUMNS: readonly ColumnOf<Group>[] = [
  column('spells', 0, 'count', ({ spells = [] }) => spells.length, { brief: 'n' }),
  column('median h', 0, 'tenths', medianLength, { brief: 'med h' }),
  column('total h', 0, 'tenths', totalLength, { brief: 'tot h' }),
  column('coverage', 0, 'share', ({ summary }) => summary.coverage, { brief: 'cover' }),
];
