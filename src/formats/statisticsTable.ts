import { compassPoint } from '../domain/compass.ts';
import { printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import { PERCENTILES } from '../statistics/distribution.ts';
import type { Group, Rose } from '../statistics/statistics.ts';
import { climateLines } from './climateTable.ts';
import { exceedanceLines } from './exceedanceTable.ts';
import type { StationStatistics, StatisticsList } from './format.ts';
import { columnOf, formatKey, keyColumns, weightColumn } from './groupColumns.ts';
import { formatDirection, formatShare, NOTHING } from './humanReadable.ts';
import { spellLines } from './spellsTable.ts';
import { type CardStyle, renderCard } from './statisticsCard.ts';
import { wordsFor } from './statisticsWords.ts';
import { renderLines, type TableColumn, type TableStyle } from './textTable.ts';

/** The statistics of a group, with the station that they belong to. */
interface Row extends Group {
  readonly station: StationStatistics;
}

/** Most rows of a table, whose widths are known once all of its rows are: each takes 4 kB of memory. */
const MAX_TABLE_ROWS = 300_000;

function tooManyRows(): UsageError {
  const most = MAX_TABLE_ROWS.toLocaleString('en');
  return new UsageError(
    `The table would have over ${most} rows; write csv with -f csv, or choose a shorter period or longer groups.`,
  );
}

/**
 * Writes each wind rose as a table. Without roses, the statistics of one station that are not
 * grouped are written as a card, all others as the rows of one table. A table of one station has its
 * name above. Spells, exceedances and climate have a table for each station.
 */
export async function* renderStatistics(
  list: StatisticsList,
  style: CardStyle,
): AsyncGenerator<string> {
  const linesOf = ownTable(list);
  let separator = '';
  const rows: Row[] = [];
  for await (const station of list.stations) {
    if (linesOf) {
      if (station.groups.length * (list.above?.numbers.length ?? 1) > MAX_TABLE_ROWS)
        throw tooManyRows();
      yield `${separator}${linesOf(station, list, style).join('\n')}\n`;
      separator = '\n';
      continue;
    }
    for (const group of station.groups) {
      const row = { ...group, station };
      if (list.classes !== undefined) yield `${rose(row, list, style)}\n`;
      else if (rows.push(row) > MAX_TABLE_ROWS) throw tooManyRows();
    }
  }
  const [first] = rows;
  if (first === undefined) return;
  yield `${renderRows(first, rows, list, style).join('\n')}\n`;
}

function ownTable({ isSpells, isClimate, above }: StatisticsList) {
  if (isSpells) return spellLines;
  return isClimate ? climateLines : above && exceedanceLines;
}

function renderRows(
  first: Row,
  rows: readonly Row[],
  list: StatisticsList,
  style: CardStyle,
): string[] {
  const isGrouped = list.by.length > 0;
  if (rows.length === 1 && !isGrouped) return renderCard(first.station, first, list, style);
  const isOneStation = isGrouped && rows.every(({ station }) => station === first.station);
  const table = renderLines(summaryColumns(rows, list, isOneStation), rows, style);
  return isOneStation ? [...wordsFor(list).title(first.station, [], style), '', ...table] : table;
}

function rose({ station, keys, rose }: Row, list: StatisticsList, style: CardStyle): string {
  const title = wordsFor(list).title(station, keys.map(formatKey), style);
  const lines = [...title, 'Percentage of readings', ''];
  if (rose) lines.push(...renderRose(rose, list, style), '');
  return lines.join('\n');
}

function summaryColumns(
  rows: readonly Row[],
  list: StatisticsList,
  isOneStation: boolean,
): TableColumn<Row>[] {
  const words = wordsFor(list);
  const { unit } = words;
  const column = columnOf<Row>;
  const hasNames = rows.some(({ station }) => station.name);
  const names = column(
    'name',
    4,
    ({ station }) => printable(station.name?.trim() ?? NOTHING),
    false,
  );
  const held = [
    column('days', 0, ({ held }) => words.count(held?.days ?? 0)),
    column('hours', 0, ({ held }) => (held?.hours ?? 0).toFixed(1)),
    column('share', 1, ({ held }) => formatShare(held?.share ?? null)),
    // Groups of a month or less have no column for the best month.
    ...(list.by.some((key) => ['hour', 'day', 'week', 'month'].includes(key))
      ? []
      : [column('best month', 3, ({ held }) => held?.bestMonth ?? NOTHING, false)]),
  ];
  const isHeld = rows.some(({ held }) => held !== undefined);
  return [
    ...(isOneStation ? [] : [column('station', 0, ({ station }) => String(station.station))]),
    ...(hasNames && !isOneStation
      ? [{ ...names, room: { roomy: 24, comfortable: 12, tight: 6 } }]
      : []),
    ...keyColumns(rows, list),
    ...(isHeld ? held : []),
    column(`mean ${unit}`, isHeld ? 5 : 0, ({ summary }) => words.speed(summary.mean)),
    // The coverage stays wherever the mean is shown: a mean without its coverage may mislead.
    weightColumn<Row>(list, isHeld ? 2 : 0),
    column('max gust', 3, ({ summary }) => words.speed(summary.maxGust)),
    column('direction', 3, ({ summary }) => formatDirection(summary.prevailingDirection), false),
    column('p50', 7, ({ summary }) => words.speed(summary.percentiles[PERCENTILES.indexOf(50)])),
    column('p90', 6, ({ summary }) => words.speed(summary.percentiles[PERCENTILES.indexOf(90)])),
    column('calm', 5, ({ summary }) => formatShare(summary.calm)),
    column('steady', 8, ({ summary }) => words.factor(summary.steadiness)),
    column('readings', 6, ({ summary }) => words.count(summary.readings)),
  ];
}

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
function renderRose(
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
