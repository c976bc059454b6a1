import { nearestCompassPoint, SECTOR_COUNTS } from '../../domain/compass.ts';
import type { SpeedClasses } from '../../domain/condition/speeds.ts';
import {
  type DocumentBlock,
  plainField,
  type ReadableColumn,
  type ReadableField,
  readableColumn,
  readRowValues,
  tableBlock,
} from '../../domain/document.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import type { WindRose } from '../statistics.ts';
import { formatGroupKey, groupKeyFields } from './keys.ts';
import {
  type ChosenView,
  type StationGroup,
  type StationStatistics,
  stationGroups,
  type ViewContext,
  type ViewKind,
} from './view.ts';

interface RoseFlags {
  readonly rose?: true;
  readonly where?: string;
  readonly for?: string;
  readonly sectors?: string;
  readonly classes?: string;
}

/** The view `--rose`: a wind rose of each group, in per cent of its readings. */
export const roseViewKind: ViewKind<RoseFlags> = {
  options: [
    { flags: '--rose', description: 'show the percentage of readings per sector and speed class' },
    {
      flags: '--sectors <n>',
      description: 'number of sectors of direction (default: 16), e.g. 8',
      choices: SECTOR_COUNTS.map(String),
    },
    {
      flags: '--classes <speeds>',
      description:
        'lower bounds of the speed classes of --rose (default: Beaufort forces), e.g. 5,10,15,20',
    },
  ],
  chosenBy: ({ rose }) => rose && '--rose',
  refuse({ rose, sectors, classes, for: least }, by) {
    const isSector = by.includes('sector');
    if (classes !== undefined && !rose) throw new UsageError('--classes needs --rose; add it.');
    if (sectors !== undefined && !rose && !isSector) {
      throw new UsageError('--sectors needs --rose or --by sector; add one of them.');
    }
    if (rose && isSector) {
      throw new UsageError('--rose already has one row per sector; leave sector out of --by.');
    }
    if (rose && least !== undefined) {
      throw new UsageError(
        '--for counts days or lists spells, and --rose counts readings; leave one of them out.',
      );
    }
  },
  read({ classes, where }, context) {
    const view = roseView(context.readClasses(classes), where, context);
    if (where === undefined) return view;
    const holds = context.readCondition(where);
    return {
      ...view,
      wanted: { ...view.wanted, where: { holds, minMs: 0 } },
      nothingIn: ({ groups }) =>
        groups.every(({ rose }) => rose?.count === 0) ? 'No reading for --where' : undefined,
    };
  },
};

/** A row of the view: a sector of a group, or its calms. */
interface Sector extends StationGroup {
  readonly sector: number | null;
  readonly share: number;
  readonly classes: readonly number[];
}

function roseView(
  classes: SpeedClasses,
  where: string | undefined,
  { by, unit }: ViewContext,
): ChosenView {
  const lead = `Percentage of readings${where === undefined ? '' : ` where ${where}`}`;
  const fields: ReadableField<Sector>[] = [
    ...groupKeyFields(by),
    plainField('sector', ({ sector }) => sector),
    plainField('share', ({ share }) => share),
    ...classes.lowest.map((_, place) =>
      plainField<Sector>(`class_${place}`, ({ classes }) => classes[place]),
    ),
  ];

  async function* blocks(
    stations: AsyncIterable<StationStatistics>,
  ): AsyncGenerator<DocumentBlock> {
    let isFirst = true;
    for await (const station of stations) {
      for (const { keys, rose } of station.groups) {
        isFirst = false;
        yield { title: station, keys: keys.map(formatGroupKey), lead };
        if (rose) yield roseTable(rose, classes, SPEED_UNITS[unit].label);
      }
    }
    // Separate roses by a blank line.
    if (!isFirst) yield { notes: [] };
  }

  return {
    by,
    wanted: { classesKmh: classes.kmh },
    fields,
    *rows(station) {
      for (const group of stationGroups(station)) {
        for (const sector of sectorsOf(group)) yield readRowValues(fields, sector);
      }
    },
    blocks,
    speeds: { classes: classes.lowest },
    groupWord: 'row',
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, part) => all + part, 0);

function sectorsOf(group: StationGroup): Sector[] {
  if (group.rose === undefined) return [];
  const { sectors, calm } = group.rose;
  return [
    ...sectors.map((classes, place) => {
      const sector = (place * 360) / sectors.length;
      return { ...group, sector, share: sum(classes), classes };
    }),
    { ...group, sector: null, share: calm, classes: [] },
  ];
}

/**
 * A row of a wind rose's table: a sector, the calms or the total, with a percentage for each speed
 * class.
 */
interface Line {
  readonly head: string;
  readonly total: number;
  readonly parts: readonly number[];
}

/**
 * Creates the table of a wind rose: a row per sector, a column per speed class, in per cent of the
 * rose's readings.
 */
function roseTable(
  { sectors, calm, count }: WindRose,
  classes: SpeedClasses,
  label: string,
): DocumentBlock {
  const { lowest, isBeaufort } = classes;
  const byClass = lowest.map((_, at) => sum(sectors.map((parts) => parts[at] ?? 0)));
  const lines: Line[] = [
    ...sectors.map((parts, place) => {
      const degrees = (place * 360) / sectors.length;
      const point = degrees % 22.5 === 0 ? nearestCompassPoint(degrees) : '';
      const head = `${point.padEnd(4)}${String(degrees).padStart(5)}°`;
      return { head, total: sum(parts), parts };
    }),
    { head: 'calm', total: calm, parts: [] },
    { head: 'total', total: sum(byClass) + calm, parts: byClass },
  ];
  const perCent = (share: number): number | null => (count === 0 ? null : share);
  // In a narrow window, the columns of rare speed classes are dropped first.
  const order = [...lowest.keys()].sort((a, b) => (byClass[b] ?? 0) - (byClass[a] ?? 0));
  const heads = isBeaufort ? lowest.map((_, force) => `${force} Bft`) : classHeads(lowest, label);
  const columns = [...lowest.keys()]
    .filter((at) => !isBeaufort || (byClass[at] ?? 0) > 0)
    .map((at): ReadableColumn<Line> => {
      const read = ({ parts }: Line) => (parts.length > 0 ? perCent(parts[at] ?? 0) : undefined);
      return readableColumn(heads[at] ?? '', 1 + order.indexOf(at), 'tenths', read);
    });
  return tableBlock(lines, [
    readableColumn('from', 0, 'plain', ({ head }) => head),
    readableColumn('total', 0, 'tenths', ({ total }) => perCent(total)),
    ...columns,
  ]);
}

/** Column names for speed classes: `0–5`, `5–10`, `≥10 kn`. */
function classHeads(lowest: readonly number[], unit: string): string[] {
  return lowest.map((low, at) => {
    const high = lowest[at + 1];
    return high === undefined ? `≥${low} ${unit}` : `${low}–${high}`;
  });
}
