import { convertSpeedExactly, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { ConditionDuration, GroupKey, GroupStatistics } from '../statistics/statistics.ts';
import type { Drawing } from './drawing.ts';
import type { Mark } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import { formatSpeedWithUnit } from './labels.ts';
import { type FigurePanel, listPanels, panelTitle } from './panels.ts';
import type { PlotData } from './plotData.ts';
import { createValueScale, type ValueScale } from './scale.ts';
import {
  drawPanelTitle,
  type LayoutStyle,
  type PixelBox,
  roundDownToCell,
  textMark,
} from './style.ts';
import { describeCoverage, summarizeStation } from './summaries.ts';

/** A picture with coloured cells in rows and columns, such as a calendar. */
export interface CellGrid {
  /** How values are grouped, in words for the title: `day`, or `hour and month`. */
  readonly by: string;
  /** The keys that group readings into cells. */
  readonly keys: readonly GroupKey[];
  /** The unit of time of the columns. */
  readonly across: 'day' | 'hour';
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    /** Whether the row begins a new year, so that a gap separates it from the row above. */
    readonly isFirst: boolean;
  }[];
  /** How `--value hours` formats the duration of a condition. */
  readonly amounts: {
    readonly unit: string;
    readonly of: (held: ConditionDuration) => number | null;
  };
  readonly placeOf: (keys: GroupStatistics['keys']) => readonly [row: number, column: number];
}

/** The values of cells by row and column; undefined for an empty cell. */
type Cells = readonly (readonly (number | undefined)[])[];

/** The steps to choose from when labelling columns: every column, every second one, and so on. */
const LABEL_STEPS = [1, 2, 3, 6, 12];

/** Prepares a picture with coloured cells. Each panel gets its own grid. */
export function prepareGrid(
  grid: CellGrid,
  data: PlotData,
  options: FigureOptions,
  style: LayoutStyle,
): Drawing {
  const { stations, unit } = data;
  const { columns, rows, amounts } = grid;
  const { value, where } = options;
  const { charPx, linePx, gridX, gridY, shadePx } = style;
  const shown = listPanels(data, options.by);
  const cells = new Map(
    stations.map((station) => [
      station,
      cellsOf(grid, summarizeStation(station, data, options, grid.keys), value),
    ]),
  );
  const isAmount = value === 'hours';
  const known = [...cells.values()].flat(2).filter((one) => one !== undefined);
  const { lookOf, ...keys } = isAmount
    ? amountScale(known, amounts.unit, style)
    : speedScale(known, unit, style);
  const write = (one: number): string =>
    isAmount ? `${Math.round(one * 10) / 10} ${amounts.unit}` : formatSpeedWithUnit(one, unit);
  const subject = {
    mean: 'mean wind',
    gust: 'highest gust',
    hours: `time of ${where?.text ?? ''}`,
  }[value];
  const lines = shown.length > 1 ? 2 : 1;
  // A panel for a part of the year only has the rows of its months. Only patterns, with a row for
  // each month, have such panels.
  const rowsOf = ({ part }: FigurePanel): readonly number[] =>
    part ? part.months.map((month) => month - 1) : [...rows.keys()];
  const count = shown[0] ? rowsOf(shown[0]).length : rows.length;
  const heightOf = (rowPx: number): number =>
    Math.ceil(((count + countYears(grid)) * rowPx + lines * linePx) / gridY) * gridY;
  const minWidth = columns.length * gridX + 9 * charPx;
  return {
    subject: `${subject} by ${grid.by}`,
    facts: describeCoverage(data),
    ...keys,
    notes: ['Blank: no reading.'],
    minWidth,
    minHeight: heightOf(gridX === 1 ? 12 : shadePx),
    squeezed: { width: minWidth, height: heightOf(gridX === 1 ? 6 : shadePx) },
    maxHeight: () => heightOf(maxCellHeight(style)),
    tableHead: ['month', ...columns],
    panels: shown.map((panel) => (box) => {
      const numbers = rowsOf(panel);
      const own = numbers.map((row) => cells.get(panel.station)?.[row] ?? []);
      const part = { ...grid, rows: numbers.map((row) => rows[row] as CellGrid['rows'][number]) };
      return {
        marks: drawGrid(part, own, lookOf, write, panelTitle(panel, data), box, style),
        rows: () =>
          part.rows.map(({ label }, row) => [
            label,
            ...columns.map((_, column) => {
              const one = own[row]?.[column];
              return one === undefined ? '' : write(one);
            }),
          ]),
      };
    }),
  };
}

/** Creates a scale of speeds. For Beaufort it is in km/h, since the widths of forces differ. */
function speedScale(
  speedsKmh: readonly number[],
  unit: SpeedUnit,
  { hasShades }: LayoutStyle,
): ValueScale {
  const linear = SPEED_UNITS[unit].kmh === undefined ? 'kmh' : unit;
  const shown = (speedKmh: number): number => convertSpeedExactly(speedKmh, linear) as number;
  const scale = createValueScale(speedsKmh.map(shown), SPEED_UNITS[linear].label, hasShades);
  return { ...scale, lookOf: (speedKmh) => scale.lookOf(shown(speedKmh)) };
}

/** Creates a scale of durations. The value 0 has its own colour. */
function amountScale(
  amounts: readonly number[],
  unit: string,
  { hasShades }: LayoutStyle,
): ValueScale {
  const none = { role: 'night', sign: '.', label: `0 ${unit}` } as const;
  return createValueScale(amounts, unit, hasShades, none);
}

function cellsOf(
  { rows, amounts, placeOf }: CellGrid,
  groups: readonly GroupStatistics[],
  value: FigureOptions['value'],
): Cells {
  const cells: (number | undefined)[][] = rows.map(() => []);
  for (const { keys, summary, held } of groups) {
    if (summary.readings === 0) continue;
    const hours = held && amounts.of(held);
    const [row, column] = placeOf(keys);
    const found = { gust: summary.maxGust, mean: summary.mean, hours }[value] ?? undefined;
    if (cells[row]) cells[row][column] = found;
  }
  return cells;
}

/** The number of gaps between the rows of different years. */
const countYears = ({ rows }: CellGrid): number =>
  rows.filter(({ isFirst }, row) => isFirst && row > 0).length;

const maxCellHeight = ({ gridX, linePx }: LayoutStyle): number =>
  gridX === 1 ? 2 * linePx : linePx;

/** Draws as many column labels as fit without touching each other. */
function labelColumns(
  columns: readonly string[],
  at: { readonly left: number; readonly right: number; readonly width: number; readonly y: number },
  { charPx, gridX }: LayoutStyle,
): Mark[] {
  const { left, right, width, y } = at;
  const step = LABEL_STEPS.find((count) => count * width >= 3 * charPx) ?? columns.length;
  return columns.flatMap((label, column) => {
    if (column % step !== 0) return [];
    const x = left + column * width + (gridX === 1 ? width / 2 : 0);
    const anchor = gridX === 1 ? 'middle' : 'start';
    // Skip the last label if it would extend beyond the right edge of the picture.
    if (anchor === 'start' && x + label.length * charPx > right) return [];
    return [textMark(label, [x, y], { role: 'muted', anchor })];
  });
}

function drawGrid(
  grid: CellGrid,
  cells: Cells,
  lookOf: ValueScale['lookOf'],
  write: (value: number) => string,
  title: string | undefined,
  box: PixelBox,
  style: LayoutStyle,
): Mark[] {
  const { columns, rows, across } = grid;
  const { charPx, linePx, gridX, shadePx } = style;
  const longest = Math.max(...rows.map(({ label }) => label.length), 3);
  const margin = roundDownToCell((longest + 1) * charPx, gridX);
  const width = Math.max(gridX, roundDownToCell((box.width - margin) / columns.length, gridX));
  const titlePx = title === undefined ? 0 : linePx;
  const room = (box.height - titlePx - linePx) / (rows.length + countYears(grid));
  const height = Math.max(shadePx, roundDownToCell(Math.min(room, maxCellHeight(style)), shadePx));
  const [left, top] = [box.left + margin, box.top + titlePx + linePx];
  // In pixels, thin lines separate the cells.
  const inset = gridX === 1 && Math.min(width, height) > 1 ? 0.5 : 0;
  const above = [left, box.top + linePx / 2] as const;
  const right = box.left + box.width;
  const marks: Mark[] = drawPanelTitle(title, above, box.width - margin, style, 'start');
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
      const { role, sign } = lookOf(value);
      marks.push({
        kind: 'rectangle',
        role,
        sign,
        x: left + column * width + inset,
        y: y + inset,
        width: width - 2 * inset,
        height: height - 2 * inset,
        tip: `${label}, ${across} ${columns[column]}: ${write(value)}`,
      });
    });
    y += height;
  });
  return marks;
}
