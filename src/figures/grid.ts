import { Info } from 'luxon';
import { BEAUFORT_FROM_KMH, SPEED_UNITS } from '../domain/units.ts';
import type { Group, Held } from '../statistics/statistics.ts';
import { amountClasses, type Classes, isWithin, speedClasses } from './classes.ts';
import type { Mark } from './figure.ts';
import type { Drawing, PlotData, PlotOptions } from './plotData.ts';
import { stationTable } from './stationTable.ts';
import { type Box, panelName, type Style, snap, textMark } from './style.ts';
import { coverageFacts } from './summaries.ts';
import { writeSpeedIn } from './words.ts';

/** A table of coloured cells: the values and their places. */
interface Grid {
  /** The grouping of the values in words, for the title: `hour and month`. */
  readonly by: string;
  /** The unit of time that the columns count. */
  readonly across: 'day' | 'hour';
  /** The unit of the values of `--value hours`, and the bounds of their classes. */
  readonly amounts: { readonly unit: string; readonly bounds: readonly number[] };
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
  /** The values of each station by row, then column; undefined where nothing is known. */
  readonly values: readonly (readonly (readonly (number | undefined)[])[])[];
}

interface GridRow {
  readonly label: string;
  /** Whether the row begins a year, which a gap separates from the row before. */
  readonly isFirst: boolean;
}

/** Names of the months, which label rows. */
export const MONTHS = Info.months('short', { locale: 'en' });
/** Columns from one column label to the next, smallest step first. */
const LABEL_STEPS = [1, 2, 3, 6];

/** The value of the cells in words. */
function describeValue({ value, where }: PlotOptions): string {
  if (value === 'hours') return `time of ${where?.text ?? ''}`;
  return value === 'gust' ? 'highest gust' : 'mean wind';
}

/**
 * The value of a cell: km/h, or the time for which the condition of `--where` held; undefined for a
 * cell without a value.
 * @param amountOf gives the time of the condition in the unit of the grid
 */
export function cellValue(
  { summary, held }: Group,
  { value }: PlotOptions,
  amountOf: (held: Held) => number | null,
): number | undefined {
  if (summary.readings === 0) return undefined;
  const amount = held && amountOf(held);
  return { gust: summary.maxGust, mean: summary.mean, hours: amount }[value] ?? undefined;
}

/** Lays out a table of coloured cells for each station. */
export function prepareGrid(
  grid: Grid,
  data: PlotData,
  options: PlotOptions,
  style: Style,
): Drawing {
  const { stations, unit } = data;
  const { columns, rows, values, across, amounts } = grid;
  const isAmount = options.value === 'hours';
  const classes = isAmount
    ? amountClasses(amounts.bounds, amounts.unit)
    : speedClasses(BEAUFORT_FROM_KMH, unit);
  const known = values.flat(2).filter((value) => value !== undefined);
  const used = new Set(known.map(classes.indexOf));
  const write = (value: number): string =>
    isAmount ? `${Math.round(value * 10) / 10} ${amounts.unit}` : writeSpeedIn(value, unit);
  const years = countYears(rows);
  const isSeveral = stations.length > 1;
  const titleLines = isSeveral ? 1 : 0;
  return {
    subject: `${describeValue(options)} by ${grid.by}`,
    facts: coverageFacts(data, options),
    legend: classes.entries.filter(isWithin(used)),
    notes: [
      isAmount ? 'Blank: no reading.' : `Colours: ${SPEED_UNITS[unit].label}. Blank: no reading.`,
    ],
    leastWidth: columns.length * style.gridX + 9 * style.charPx,
    leastHeight:
      (rows.length + years) * (style.gridX === 1 ? 12 : style.shadePx) +
      (1 + titleLines) * style.linePx,
    // Round up to whole lines of a terminal, where a row may be half a line high.
    mostHeight:
      Math.ceil(((rows.length + years) * mostCellHeight(style)) / style.gridY) * style.gridY +
      (1 + titleLines) * style.linePx,
    table: stationTable(stations, ['month', ...columns], (index) =>
      rows.map(({ label }, row) => [
        label,
        ...columns.map((_, column) => {
          const value = values[index]?.[row]?.[column];
          return value === undefined ? '' : write(value);
        }),
      ]),
    ),
    draw(index, box) {
      const name = isSeveral ? (stations[index]?.name.trim() ?? '') : undefined;
      const cells = values[index] ?? [];
      const tip = (row: number, column: number, value: number): string =>
        `${rows[row]?.label}, ${across} ${columns[column]}: ${write(value)}`;
      return drawGrid({ ...grid, name, cells, classes, tip }, box, style);
    },
  };
}

/** The number of gaps between years. */
const countYears = (rows: readonly GridRow[]): number =>
  rows.filter(({ isFirst }, row) => isFirst && row > 0).length;

const mostCellHeight = ({ gridX, linePx }: Style): number => (gridX === 1 ? 2 * linePx : linePx);

/** Labels of columns, as many as fit without touching. */
function labelColumns(
  columns: readonly string[],
  at: { readonly left: number; readonly right: number; readonly width: number; readonly y: number },
  { charPx, gridX }: Style,
): Mark[] {
  const { left, right, width, y } = at;
  const step = LABEL_STEPS.find((count) => count * width >= 3 * charPx) ?? 12;
  return columns.flatMap((label, column) => {
    if (column % step !== 0) return [];
    const x = left + column * width + (gridX === 1 ? width / 2 : 0);
    const anchor = gridX === 1 ? 'middle' : 'start';
    // Leave out a last label that would be cut.
    if (anchor === 'start' && x + label.length * charPx > right) return [];
    return [textMark(label, [x, y], { role: 'muted', anchor })];
  });
}

interface GridPanel extends Grid {
  readonly name: string | undefined;
  readonly cells: readonly (readonly (number | undefined)[])[];
  readonly classes: Classes;
  readonly tip: (row: number, column: number, value: number) => string;
}

function drawGrid(
  { columns, rows, cells, name, classes, tip }: GridPanel,
  box: Box,
  style: Style,
): Mark[] {
  const { charPx, linePx, gridX, shadePx } = style;
  const margin = snap(
    Math.max(...rows.map(({ label }) => label.length), 3) * charPx + charPx,
    gridX,
  );
  const width = Math.max(gridX, snap((box.width - margin) / columns.length, gridX));
  const years = countYears(rows);
  const titlePx = name === undefined ? 0 : linePx;
  const room = (box.height - titlePx - linePx) / (rows.length + years);
  const height = Math.max(shadePx, snap(Math.min(room, mostCellHeight(style)), shadePx));
  const [left, top] = [box.left + margin, box.top + titlePx + linePx];
  // A picture in pixels has thin lines between its cells.
  const inset = gridX === 1 ? 0.5 : 0;
  const above = [left, box.top + linePx / 2] as const;
  const right = box.left + box.width;
  const marks: Mark[] = panelName(name, above, box.width - margin, style, 'start');
  marks.push(...labelColumns(columns, { left, right, width, y: top - linePx / 2 }, style));
  let labelled = Number.NEGATIVE_INFINITY;
  let y = top;
  rows.forEach(({ label, isFirst }, row) => {
    if (isFirst && row > 0) y += gridX === 1 ? height / 3 : height;
    const middle = y + height / 2;
    if (middle - labelled >= linePx) {
      const at = [left - charPx, middle] as const;
      marks.push(textMark(label, at, { role: 'muted', anchor: 'end' }));
      labelled = middle;
    }
    cells[row]?.forEach((value, column) => {
      if (value === undefined) return;
      const entry = classes.entries[classes.indexOf(value)];
      if (entry === undefined) return;
      const { role, sign } = entry;
      marks.push({
        kind: 'rectangle',
        role,
        sign,
        x: left + column * width + inset,
        y: y + inset,
        width: width - 2 * inset,
        height: height - 2 * inset,
        tip: tip(row, column, value),
      });
    });
    y += height;
  });
  return marks;
}
