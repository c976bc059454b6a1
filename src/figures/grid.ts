import { DateTime, Info } from 'luxon';
import { BEAUFORT_FROM_KMH, SPEED_UNITS } from '../domain/units.ts';
import type { Group } from '../statistics/statistics.ts';
import { amountClasses, type Classes, isWithin, speedClasses } from './classes.ts';
import type { Mark } from './figure.ts';
import type { Drawing, PlotData, PlotOptions } from './plotData.ts';
import { type Box, fitText, type Style, snap, textMark } from './style.ts';
import { coverageFacts, summarize } from './summaries.ts';
import { writeSpeedIn } from './words.ts';

/** A table of coloured cells: which value stands where. */
interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
  /** The values of a station by row, then column; undefined where nothing is known. */
  readonly values: readonly (readonly (readonly (number | undefined)[])[])[];
}

interface GridRow {
  readonly label: string;
  /** Whether the row stands apart from the one before. */
  readonly isFirst: boolean;
}

const MONTHS = Info.months('short', { locale: 'en' });
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));
/** Columns from one label to the next. */
const LABEL_STEPS = [1, 2, 3, 6];
const DAYS = Array.from({ length: 31 }, (_, day) => String(day + 1));

/** What a cell shows, in words. */
function describeValue({ value, where }: PlotOptions): string {
  if (value === 'hours') return `time of ${where?.text ?? ''}`;
  return value === 'gust' ? 'highest gust' : 'mean wind';
}

/** A cell for each day, a row for each month. */
export function prepareCalendar(data: PlotData, options: PlotOptions, style: Style): Drawing {
  const { period, zone } = data;
  const first = DateTime.fromMillis(period.start, { zone }).startOf('month');
  const end = DateTime.fromMillis(Math.max(period.start, period.stop - 1), { zone });
  const count = (end.year - first.year) * 12 + end.month - first.month + 1;
  const rows = Array.from({ length: count }, (_, index) => {
    const month = (first.month - 1 + index) % 12;
    const isFirst = month === 0;
    const year = first.year + Math.floor((first.month - 1 + index) / 12);
    return { label: `${isFirst || index === 0 ? `${year} ` : ''}${MONTHS[month]}`, isFirst };
  });
  const values = data.stations.map((station) => {
    const byMonth: (number | undefined)[][] = rows.map(() => []);
    for (const group of summarize(station, data, options, ['day'], { where: true })) {
      const [year = 0, month = 1, day = 1] = String(group.keys[0]).split('-').map(Number);
      const row = byMonth[(year - first.year) * 12 + month - first.month];
      if (row) row[day - 1] = cellValue(group, options, 'hours');
    }
    return byMonth;
  });
  const classes =
    options.value === 'hours' ? amountClasses([1, 2, 4, 8, 12], 'h') : forceClasses(data);
  const grid = { columns: DAYS, rows, values };
  return prepareGrid(
    `${describeValue(options)} by day`,
    'day',
    grid,
    classes,
    data,
    options,
    style,
  );
}

/** Hours of the day across, months of the year down. */
export function preparePattern(data: PlotData, options: PlotOptions, style: Style): Drawing {
  const rows = MONTHS.map((label) => ({ label, isFirst: false }));
  const values = data.stations.map((station) => {
    const byMonth: (number | undefined)[][] = MONTHS.map(() => []);
    const keys = ['month-of-year', 'hour-of-day'] as const;
    for (const group of summarize(station, data, options, keys, { where: true })) {
      const [month, hour] = group.keys.map(Number);
      const row = byMonth[(month ?? 1) - 1];
      if (row) row[hour ?? 0] = cellValue(group, options, 'share');
    }
    return byMonth;
  });
  const classes =
    options.value === 'hours' ? amountClasses([5, 10, 20, 40, 60], '%') : forceClasses(data);
  const grid = { columns: HOURS, rows, values };
  const subject = `${describeValue(options)} by hour and month`;
  return prepareGrid(subject, 'hour', grid, classes, data, options, style);
}

const forceClasses = ({ unit }: PlotData): Classes => speedClasses(BEAUFORT_FROM_KMH, unit);

/** The value of a cell: km/h, hours, or per cent. */
function cellValue(
  { summary, held }: Group,
  { value }: PlotOptions,
  amount: 'hours' | 'share',
): number | undefined {
  if (summary.readings === 0) return undefined;
  if (value === 'gust') return summary.maxGust ?? undefined;
  if (value === 'mean') return summary.mean ?? undefined;
  return amount === 'hours'
    ? held?.hours
    : held?.share === null
      ? undefined
      : 100 * (held?.share ?? 0);
}

function prepareGrid(
  subject: string,
  across: string,
  grid: Grid,
  classes: Classes,
  data: PlotData,
  options: PlotOptions,
  style: Style,
): Drawing {
  const { stations, unit } = data;
  const { columns, rows, values } = grid;
  const known = values.flat(2).filter((value) => value !== undefined);
  const used = new Set(known.map(classes.indexOf));
  const isAmount = options.value === 'hours';
  const amountUnit = across === 'day' ? 'h' : '%';
  const write = (value: number): string =>
    isAmount ? `${Math.round(value * 10) / 10} ${amountUnit}` : writeSpeedIn(value, unit);
  const years = rows.filter(({ isFirst }, row) => isFirst && row > 0).length;
  const titleLines = stations.length > 1 ? 1 : 0;
  const isSeveral = stations.length > 1;
  return {
    subject,
    facts: coverageFacts(data, options),
    legend: classes.entries.filter(isWithin(used)),
    notes: [
      isAmount ? 'Blank: no reading.' : `Colours: ${SPEED_UNITS[unit].label}. Blank: no reading.`,
    ],
    leastWidth: columns.length * style.gridX + 9 * style.charPx,
    leastHeight:
      (rows.length + years) * (style.gridX === 1 ? 12 : style.shadePx) +
      (1 + titleLines) * style.linePx,
    // Half rows of a terminal end within a line.
    mostHeight:
      Math.ceil(((rows.length + years) * mostCellHeight(style)) / style.gridY) * style.gridY +
      (1 + titleLines) * style.linePx,
    table: {
      head: [...(isSeveral ? ['station'] : []), 'month', ...columns],
      rows: stations.flatMap((station, index) =>
        rows.map(({ label }, row) => [
          ...(isSeveral ? [station.name.trim()] : []),
          label,
          ...columns.map((_, column) => {
            const value = values[index]?.[row]?.[column];
            return value === undefined ? '' : write(value);
          }),
        ]),
      ),
    },
    draw(index, box) {
      const name = isSeveral ? (stations[index]?.name.trim() ?? '') : undefined;
      const cells = values[index] ?? [];
      const tip = (row: number, column: number, value: number): string =>
        `${rows[row]?.label}, ${across} ${columns[column]}: ${write(value)}`;
      return drawGrid({ ...grid, name, cells, classes, tip }, box, style);
    },
  };
}

const mostCellHeight = ({ gridX, linePx }: Style): number => (gridX === 1 ? 2 * linePx : linePx);

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
  const years = rows.filter(({ isFirst }, index) => isFirst && index > 0).length;
  const titlePx = name === undefined ? 0 : linePx;
  const room = (box.height - titlePx - linePx) / (rows.length + years);
  const height = Math.max(shadePx, snap(Math.min(room, mostCellHeight(style)), shadePx));
  const [left, top] = [box.left + margin, box.top + titlePx + linePx];
  // A picture in pixels has thin lines between its cells.
  const inset = gridX === 1 ? 0.5 : 0;
  const marks: Mark[] = [];
  if (name !== undefined) {
    const at = [left, box.top + linePx / 2] as const;
    marks.push(textMark(fitText(name, box.width - margin, style), at, { isBold: true }));
  }
  const step = LABEL_STEPS.find((count) => count * width >= 3 * charPx) ?? 12;
  columns.forEach((label, column) => {
    if (column % step !== 0) return;
    const x = left + column * width + (gridX === 1 ? width / 2 : 0);
    const anchor = gridX === 1 ? 'middle' : 'start';
    // The last label would be cut.
    if (anchor === 'start' && x + label.length * charPx > box.left + box.width) return;
    marks.push(textMark(label, [x, top - linePx / 2], { role: 'muted', anchor }));
  });
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
      const [x, cellY] = [left + column * width + inset, y + inset];
      const size = { width: width - 2 * inset, height: height - 2 * inset };
      marks.push({
        kind: 'rectangle',
        role,
        sign,
        x,
        y: cellY,
        ...size,
        tip: tip(row, column, value),
      });
    });
    y += height;
  });
  return marks;
}
