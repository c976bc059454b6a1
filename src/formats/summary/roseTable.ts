import { compassPoint } from '../../domain/compass.ts';
import type { Rose } from '../../statistics/statistics.ts';
import type { StatisticsList } from '../format.ts';
import { NOTHING } from '../forPeople.ts';
import { renderLines, type TableColumn, type TableStyle } from '../textTable.ts';
import { wordsFor } from './cells.ts';

/** A row of a wind rose's table: a sector, calm or the total, with per cents by class of speed. */
interface Line {
  readonly head: string;
  readonly total: number;
  readonly parts: readonly number[];
}

/**
 * A wind rose as a table: a row for each sector and a column for each class of speed, in per cent
 * of all readings.
 */
export function renderRose(
  { sectors, calm, count }: Rose,
  list: StatisticsList,
  style: TableStyle,
): string[] {
  const { lowest: classes, isBeaufort } = list.classes ?? { lowest: [], isBeaufort: true };
  const sum = (numbers: readonly number[]) => numbers.reduce((all, part) => all + part, 0);
  const lines: Line[] = sectors.map((parts, place) => {
    const degrees = (place * 360) / sectors.length;
    const point = degrees % 22.5 === 0 ? compassPoint(degrees) : '';
    return { head: `${point.padEnd(4)}${String(degrees).padStart(5)}°`, total: sum(parts), parts };
  });
  const byClass = classes.map((_, at) => sum(sectors.map((parts) => parts[at] ?? 0)));
  const all: Line = { head: 'total', total: sum(byClass) + calm, parts: byClass };
  const perCent = (share: number): string => (count === 0 ? NOTHING : share.toFixed(1));
  const { unit } = wordsFor(list);
  const heads = isBeaufort ? classes.map((_, force) => `${force} Bft`) : classHeads(classes, unit);
  // In a narrow window, columns are left out, the rarest class of speed first.
  const order = [...classes.keys()].sort((a, b) => (byClass[b] ?? 0) - (byClass[a] ?? 0));
  const shown = [...classes.keys()]
    .filter((at) => !isBeaufort || (byClass[at] ?? 0) > 0)
    .map(
      (at): TableColumn<Line> => ({
        head: heads[at] ?? '',
        rank: 1 + order.indexOf(at),
        isDecimal: true,
        cell: ({ parts }) => ({ text: parts.length > 0 ? perCent(parts[at] ?? 0) : '' }),
      }),
    );
  return renderLines<Line>(
    [
      { head: 'from', rank: 0, cell: ({ head }) => ({ text: head }) },
      { head: 'total', rank: 0, isDecimal: true, cell: ({ total }) => ({ text: perCent(total) }) },
      ...shown,
    ],
    [...lines, { head: 'calm', total: calm, parts: [] }, all],
    style,
  );
}

/** Column names for classes of speed: `0–5`, `5–10`, `≥10 kn`. */
function classHeads(classes: readonly number[], unit: string): string[] {
  return classes.map((low, at) => {
    const high = classes[at + 1];
    return high === undefined ? `≥${low} ${unit}` : `${low}–${high}`;
  });
}
