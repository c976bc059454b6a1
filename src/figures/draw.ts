import { formatZoneName } from '../domain/dates.ts';
import { printable } from '../domain/text.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import { fitLines } from '../formats/fitText.ts';
import { prepareCalendar } from './calendar.ts';
import type { Drawing, DrawnPanel } from './drawing.ts';
import type { Figure, FigureTable, Mark } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import { type FigureKind, panelsPerStation } from './kinds.ts';
import { formatPeriod } from './labels.ts';
import { layOutLegend } from './legend.ts';
import { drawNotice } from './notice.ts';
import { prepareDial } from './now.ts';
import { type FigurePanel, listPanels, panelTableColumns } from './panels.ts';
import { preparePattern } from './pattern.ts';
import { type PlotData, stationLabel } from './plotData.ts';
import { prepareRose } from './rose.ts';
import { prepareSeries } from './series.ts';
import {
  fitTextToPx,
  type LayoutStyle,
  type PixelBox,
  roundDownToCell,
  textMark,
  wrapPieces,
} from './style.ts';

type Prepare = (data: PlotData, options: FigureOptions, style: LayoutStyle) => Drawing;

const DRAWINGS = {
  series: prepareSeries,
  rose: prepareRose,
  calendar: prepareCalendar,
  pattern: preparePattern,
  now: prepareDial,
} as const satisfies Record<FigureKind, Prepare>;

/** Maximum number of lines of a title. */
const TITLE_LINES = 2;
/** Pictures lower than this have a narrow margin, px. */
const LOW_PX = 200;

/** The margin of a picture without texts, px. */
const BARE_PX = 1;

/** The margin of a picture with texts, px. */
const paddingOf = ({ gridX, isBound, height }: LayoutStyle): number =>
  gridX > 1 ? 0 : isBound && height < LOW_PX ? 4 : 12;

/** The texts around the panels of a picture. */
interface Texts extends Pick<Drawing, 'legend' | 'scale'> {
  /** The title, and the unit to add to it if the facts, which contain the unit, are dropped. */
  readonly title: readonly [title: string, unit: string];
  readonly facts: readonly string[];
  readonly notes: readonly string[];
  readonly credit: readonly string[];
}

/**
 * Lays out a picture: title, panels on common scales, legend and credit. Its height can differ from
 * the style's: higher if the panels need more room, lower if they cannot use it, as with two wind
 * roses side by side. A bound picture shrinks panels and drops texts instead, and in pixels it has
 * exactly the requested size. If several panels still do not fit, it only shows a sentence that
 * says so.
 */
export function drawFigure(
  kind: FigureKind,
  data: PlotData,
  options: FigureOptions,
  style: LayoutStyle,
): Figure {
  const drawing = DRAWINGS[kind](data, options, style);
  const { stations, period, zone, unit, license, attribution } = data;
  const [only, ...others] = stations;
  const name = only && others.length === 0 ? stationLabel(only) : `${stations.length} stations`;
  const title = printable(`${name}: ${drawing.subject}`);
  const span = [formatPeriod(period, zone), formatZoneName(zone), SPEED_UNITS[unit].label];
  const facts = [...(drawing.lead ?? span), ...drawing.facts];
  const whole = {
    title: [title, SPEED_UNITS[unit].label] as const,
    facts,
    legend: drawing.legend,
    scale: drawing.scale,
    notes: drawing.notes,
    credit: [attribution, license],
  };
  const rowLength = others.length > 0 ? panelsPerStation(options.by) : 1;
  const { padding, heading, head, foot, legend, boxes, bottom } = layTexts(
    whole,
    drawing,
    rowLength,
    style,
  );
  if (isTooSmall(boxes, drawing, style)) {
    const size = `${style.width} × ${style.height} px`;
    const count = options.by ? `${boxes.length} panels` : `${stations.length} stations`;
    return drawNotice(title, `${count} need more room than ${size}.`, style);
  }
  const panels = drawing.panels.map((draw, index) => draw(boxes[index] as PixelBox));
  const { linePx } = style;
  const marks: Mark[] = [
    ...textLines(heading, { left: padding, top: padding }, style, { isBold: true }),
    ...textLines(head, { left: padding, top: padding + heading.length * linePx }, style),
    ...panels.flatMap((panel) => panel.marks),
    ...legend.draw({ left: padding, top: bottom }),
    ...textLines(foot, { left: padding, top: bottom + legend.lines * linePx }, style),
  ];
  const height = bottom + (legend.lines + foot.length) * linePx + padding;
  return {
    width: style.width,
    height: style.isBound && style.gridX === 1 ? style.height : height,
    title,
    facts: (drawing.description ?? facts).map(printable),
    credit: [...drawing.notes, ...whole.credit].map(printable),
    marks,
    table: createTable(data, options, drawing, panels),
  };
}

/** Whether several panels, in pixels, lack room for a title and two lines each. */
const isTooSmall = (
  boxes: readonly PixelBox[],
  { squeezed }: Drawing,
  { gridX, linePx }: LayoutStyle,
) =>
  gridX === 1 &&
  boxes.length > 1 &&
  boxes.some(({ height }) => height < Math.min(squeezed.height, 3 * linePx));

/**
 * Places the texts around the panels. In a bound picture, texts are dropped until the panels fit.
 * At least the first line of the credit always stays.
 * @param rowLength see {@link layPanels}
 */
function layTexts(whole: Texts, drawing: Drawing, rowLength: number, style: LayoutStyle) {
  const lay = (texts: Texts, isBare = false) => {
    const padding = isBare ? BARE_PX : paddingOf(style);
    const width = style.width - 2 * padding;
    const { facts, notes, credit } = texts;
    const head = wrapPieces(facts.map(printable), style, width);
    const laid = layOutLegend(texts, style, width);
    const isCut = style.isBound && laid.lines === 0 && facts.length === 0;
    const foot = wrapPieces([...notes, ...credit].map(printable), style, width);
    if (isCut) foot.splice(0, foot.length, fitTextToPx(credit.join(' · '), width, style));
    const room = Math.floor(width / style.charPx);
    const shown = head.length > 0 ? texts.title.slice(0, 1) : texts.title;
    const heading = fitLines(shown.join(', '), room, isCut ? 1 : TITLE_LINES, '…');
    if (isBare) heading.length = foot.length = 0;
    const top = padding + (heading.length + head.length) * style.linePx;
    const below = (foot.length + laid.lines) * style.linePx + padding + padding / 2;
    const body = { left: padding, top, width, height: style.height - top - below };
    const boxes = layPanels(drawing, rowLength, style, body);
    const last = boxes.at(-1);
    const bottom = (last === undefined ? top : last.top + last.height) + padding / 2;
    const isRoomy = last !== undefined && body.height >= last.top - top + drawing.squeezed.height;
    return { padding, heading, head, foot, legend: laid, boxes, bottom, isRoomy };
  };
  if (!style.isBound) return lay(whole);
  const [brief, briefer] = [
    { ...whole, notes: [] },
    { ...whole, notes: [], facts: [] },
  ];
  const briefest = { ...briefer, legend: [], scale: [] };
  const all = [whole, brief, briefer, briefest].map((texts) => lay(texts));
  if (drawing.standsAlone) all.push(lay(briefest, true));
  // If the panels do not fit even without texts, a picture in pixels drops all texts, and one on a
  // terminal keeps them.
  const otherwise = style.gridX === 1 ? all.at(-1) : all[0];
  return all.find(({ isRoomy }) => isRoomy) ?? (otherwise as ReturnType<typeof lay>);
}

/**
 * Creates the table of all numbers in the panels. With several panels, it has columns for the
 * panel.
 */
function createTable(
  data: PlotData,
  { by }: FigureOptions,
  { tableHead }: Drawing,
  panels: readonly DrawnPanel[],
): FigureTable {
  const shown = listPanels(data, by);
  // The rows of a pattern already contain their month.
  const names = panelTableColumns(data, by).filter(({ head }) => !tableHead.includes(head));
  return {
    head: [...names.map(({ head }) => head), ...tableHead],
    // Compute the rows when they are read: only some formats of pictures include the table.
    get rows() {
      return panels.flatMap((panel, index) => {
        const cells = names.map(({ cell }) => cell(shown[index] as FigurePanel));
        return panel.rows().map((row) => [...cells, ...row]);
      });
    },
  };
}

/** Draws lines of text below each other, by default muted. */
function textLines(
  lines: readonly string[],
  { left, top }: Pick<PixelBox, 'left' | 'top'>,
  { linePx }: LayoutStyle,
  options: Parameters<typeof textMark>[2] = { role: 'muted' },
): Mark[] {
  return lines.map((line, index) => textMark(line, [left, top + (index + 0.5) * linePx], options));
}

/**
 * Places the panels in rows. All panels have the same size.
 * @param rowLength number of panels that belong together, such as those of one station. They fill
 *   one row, or several rows of equal length. 1 if panels do not belong together.
 */
function layPanels(
  { panels, minWidth, minHeight, squeezed, maxHeight = () => Number.POSITIVE_INFINITY }: Drawing,
  rowLength: number,
  { charPx, gridX, gridY, isBound }: LayoutStyle,
  body: PixelBox,
): PixelBox[] {
  const gap = roundDownToCell(2 * charPx, gridX);
  const most = (width: number) => Math.max(1, Math.floor((body.width + gap) / (width + gap)));
  const rowsOf = (columns: number) => Math.ceil(panels.length / columns);
  const usual = rowLength > 1 ? rowLength : Math.ceil(Math.sqrt(panels.length));
  const longest = rowLength > 1 ? rowLength : panels.length;
  let columns = Math.min(most(minWidth), usual);
  const limit = isBound ? Math.min(most(squeezed.width), longest) : columns;
  while (columns < limit && body.height / rowsOf(columns) < minHeight) columns++;
  while (rowLength > 1 && rowLength % columns !== 0) columns--;
  const width = roundDownToCell((body.width + gap) / columns, gridX) - gap;
  const least = !isBound ? minHeight : gridX === 1 ? 1 : squeezed.height;
  const room = Math.min(Math.max(least, body.height / rowsOf(columns)), maxHeight(width));
  const height = roundDownToCell(room, gridY);
  return panels.map((_, index) => ({
    left: body.left + (index % columns) * (width + gap),
    top: body.top + Math.floor(index / columns) * height,
    width,
    height,
  }));
}
