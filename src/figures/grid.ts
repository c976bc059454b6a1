import { Info } from 'luxon';
import { SPEED_UNITS } from '../domain/units.ts';
import type { Group, Held } from '../statistics/statistics.ts';
import { amountClasses, type Classes, cellClasses, isWithin } from './classes.ts';
import type { Drawing } from './drawing.ts';
import type { Mark } from './figure.ts';
import { speedWithUnit } from './labels.ts';
import { type PlotData, type PlotStation, panelTitle } from './plotData.ts';
import type { PlotOptions } from './plotOptions.ts';
import { type Box, drawPanelTitle, type Style, snap, textMark } from './style.ts';
import { coverageOfStations, describeCoverage } from './summaries.ts';

/** A picture of coloured cells in rows and columns, such as a calendar, for several stations. */
interface Grid {
  /** The grouping of the values, in words for the title: `day`, or `hour and month`. */
  readonly by: string;
  /** The unit of time that a column of cells stands for. */
  readonly across: 'day' | 'hour';
  /**
   * For `--value hours`, which shows how long a condition held: the unit of the cells' values, and
   * the lowest value of each class but the first two.
   */
  readonly amounts: { readonly unit: string; readonly bounds: readonly number[] };
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
  readonly cellsOf: (station: PlotStation) => Cells;
}

/** The values of cells by row and column; undefined for a cell without a value. */
export type Cells = readonly (readonly (number | undefined)[])[];

interface GridRow {
  readonly label: string;
  /** Whether the row begins a year; a gap separates it from the row above. */
  readonly isFirst: boolean;
}

/** Short names of the months, the labels of rows. */
export const MONTHS = Info.months('short', { locale: 'en' });
/** Every how many columns a column gets a label, the smallest number first. */
const LABEL_STEPS = [1, 2, 3, 6];

/** What the colour of a cell shows, in words for the title. */
function describeValue({ value, where }: PlotOptions): string {
  if (value === 'hours') return `time of ${where?.text ?? ''}`;
  return value === 'gust' ? 'highest gust' : 'mean wind';
}

/**
 * The value of a cell: a speed in km/h, or how long the condition of `--where` held; undefined for
 * a cell without a value.
 * @param amountOf gives how long the condition held, in the picture's unit of time
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

/** Prepares a picture of coloured cells, with one table of cells for each station. */
export function prepareGrid(
  grid: Grid,
  data: PlotData,
  options: PlotOptions,
  style: Style,
): Drawing {
  const { stations, unit } = data;
  const { columns, rows, amounts } = grid;
  const cells = stations.map(grid.cellsOf);
  const isAmount = options.value === 'hours';
  const known = cells.flat(2).filter((value) => value !== undefined);
  const classes = isAmount
    ? { ...amountClasses(amounts.bounds, amounts.unit), isEven: false, unit }
    : cellClasses(known, unit);
  const used = new Set(known.map(classes.indexOf));
  const write = (value: number): string =>
    isAmount ? `${Math.round(value * 10) / 10} ${amounts.unit}` : speedWithUnit(value, unit);
  const years = countYears(rows);
  const titleLines = stations.length > 1 ? 1 : 0;
  return {
    subject: `${describeValue(options)} by ${grid.by}`,
    facts: describeCoverage(data, coverageOfStations(data)),
    legend: classes.entries.filter(isWithin(used)),
    notes: [
      `${isAmount ? '' : `Colours: ${SPEED_UNITS[classes.unit].label}${classes.isEven ? ', in classes of equal width' : ''}. `}Blank: no reading.`,
    ],
    leastWidth: columns.length * style.gridX + 9 * style.charPx,
    leastHeight:
      (rows.length + years) * (style.gridX === 1 ? 12 : style.shadePx) +
      (1 + titleLines) * style.linePx,
    squeezed: {
      width: columns.length * style.gridX + 9 * style.charPx,
      height:
        (rows.length + years) * (style.gridX === 1 ? 6 : style.shadePx) +
        (1 + titleLines) * style.linePx,
    },
    // Round up to whole lines of a terminal, where a row may be half a line high.
    mostHeight:
      Math.ceil(((rows.length + years) * mostCellHeight(style)) / style.gridY) * style.gridY +
      (1 + titleLines) * style.linePx,
    tableHead: ['month', ...columns],
    panels: stations.map((station, index) => (box) => {
      const own = cells[index] as Cells;
      const title = panelTitle(station, data);
      return {
        marks: drawGrid({ ...grid, title, cells: own, classes, write }, box, style),
        rows: () =>
          rows.map(({ label }, row) => [
            label,
            ...columns.map((_, column) => {
              const value = own[row]?.[column];
              return value === undefined ? '' : write(value);
            }),
          ]),
      };
    }),
  };
}

/** The number of gaps that separate the rows of different years. */
const countYears = (rows: readonly GridRow[]): number =>
  rows.filter(({ isFirst }, row) => isFirst && row > 0).length;

const mostCellHeight = ({ gridX, linePx }: Style): number => (gridX === 1 ? 2 * linePx : linePx);

/** Draws the labels of columns, as many as fit without touching each other. */
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
    // Leave out a last label that the right edge of the picture would cut.
    if (anchor === 'start' && x + label.length * charPx > right) return [];
    return [textMark(label, [x, y], { role: 'muted', anchor })];
  });
}

interface GridPanel extends Grid {
  readonly title: string | undefined;
  readonly cells: Cells;
  readonly classes: Classes;
  readonly write: (value: number) => string;
}

function drawGrid(
  { columns, rows, across, cells, title, classes, write }: GridPanel,
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
  const titlePx = title === undefined ? 0 : linePx;
  const room = (box.height - titlePx - linePx) / (rows.length + years);
  const height = Math.max(shadePx, snap(Math.min(room, mostCellHeight(style)), shadePx));
  const [left, top] = [box.left + margin, box.top + titlePx + linePx];
  // Thin lines separate the cells where the picture is drawn in pixels, not in characters.
  const inset = gridX === 1 ? 0.5 : 0;
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
        tip: `${label}, ${across} ${columns[column]}: ${write(value)}`,
      });
    });
    y += height;
  });
  return marks;
}
