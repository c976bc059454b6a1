import { writeZone } from '../domain/dates.ts';
import { printable } from '../domain/text.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import { prepareCalendar } from './calendar.ts';
import type { Drawing, StationPanel } from './drawing.ts';
import type { Figure, FigureTable, Mark } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import type { Kind } from './kinds.ts';
import { writePeriod } from './labels.ts';
import { layLegend } from './legend.ts';
import { drawNotice } from './notice.ts';
import { preparePattern } from './pattern.ts';
import { type PlotData, panelTitle, stationName } from './plotData.ts';
import { prepareRose } from './rose.ts';
import { prepareSeries } from './series.ts';
import { type Box, fitText, roundDownToCell, type Style, textMark, wrapPieces } from './style.ts';

type Prepare = (data: PlotData, options: FigureOptions, style: Style) => Drawing;

const DRAWINGS = {
  series: prepareSeries,
  rose: prepareRose,
  calendar: prepareCalendar,
  pattern: preparePattern,
} as const satisfies Record<Kind, Prepare>;

/** Pictures lower than this have a narrow margin, px. */
const LOW_PX = 200;

/** The texts around the panels of a picture. */
interface Texts extends Pick<Drawing, 'legend' | 'scale'> {
  readonly facts: readonly string[];
  readonly notes: readonly string[];
  readonly credit: readonly string[];
}

/**
 * Lays a picture out: title, one panel for each station with the same scales, legend, and credit.
 * The picture is higher than `style` says where its panels need more room, and lower where its
 * panels cannot fill the height, as two wind roses side by side. A bound picture has lower panels
 * and fewer texts instead, and in pixels exactly its size; where even then the panels of several
 * stations find no room, it is a sentence.
 */
export function drawFigure(
  kind: Kind,
  data: PlotData,
  options: FigureOptions,
  style: Style,
): Figure {
  const drawing = DRAWINGS[kind](data, options, style);
  const { stations, period, zone, unit, license, attribution } = data;
  const [only, ...others] = stations;
  const name = only && others.length === 0 ? stationName(only) : `${stations.length} stations`;
  const title = printable(`${name}: ${drawing.subject}`);
  const facts = [
    writePeriod(period, zone),
    writeZone(zone),
    SPEED_UNITS[unit].label,
    ...drawing.facts,
  ];
  const whole = {
    facts,
    legend: drawing.legend,
    scale: drawing.scale,
    notes: drawing.notes,
    credit: [attribution, license],
  };
  const { padding, width, head, foot, legend, boxes, bottom, hasUnit } = layTexts(
    whole,
    drawing,
    style,
  );
  if (isTooSmall(boxes, drawing, style)) {
    const size = `${style.width} × ${style.height} px`;
    return drawNotice(title, `${stations.length} stations need more room than ${size}.`, style);
  }
  const panels = drawing.panels.map((draw, index) => draw(boxes[index] as Box));
  const shown = hasUnit ? title : `${title}, ${SPEED_UNITS[unit].label}`;
  const marks: Mark[] = [
    textMark(fitText(shown, width, style), [padding, padding + style.linePx / 2], { isBold: true }),
    ...mutedLines(head, { left: padding, top: padding + style.linePx }, style),
    ...panels.flatMap((panel) => panel.marks),
    ...legend.draw({ left: padding, top: bottom }),
    ...mutedLines(foot, { left: padding, top: bottom + legend.lines * style.linePx }, style),
  ];
  const height = bottom + (legend.lines + foot.length) * style.linePx + padding;
  return {
    width: style.width,
    height: style.isBound && style.gridX === 1 ? style.height : height,
    title,
    facts: facts.map(printable),
    credit: [...drawing.notes, ...whole.credit].map(printable),
    marks,
    table: createTable(data, drawing, panels),
  };
}

/** Whether panels of several stations in pixels lack room for a title and two lines each. */
const isTooSmall = (boxes: readonly Box[], { squeezed }: Drawing, { gridX, linePx }: Style) =>
  gridX === 1 &&
  boxes.length > 1 &&
  boxes.some(({ height }) => height < Math.min(squeezed.height, 3 * linePx));

/**
 * Places the texts of a picture around its panels; leaves out texts of a bound picture until its
 * panels have room. The credit always stays, at least its first line.
 */
function layTexts(whole: Texts, drawing: Drawing, style: Style) {
  const padding = style.gridX > 1 ? 0 : style.isBound && style.height < LOW_PX ? 4 : 12;
  const width = style.width - 2 * padding;
  const lay = (texts: Texts) => {
    const { facts, notes, credit } = texts;
    const head = wrapPieces(facts.map(printable), style, width);
    const laid = layLegend(texts, style, width);
    const isCut = style.isBound && laid.lines === 0 && facts.length === 0;
    const foot = wrapPieces([...notes, ...credit].map(printable), style, width);
    if (isCut) foot.splice(0, foot.length, fitText(credit.join(' · '), width, style));
    const top = padding + (1 + head.length) * style.linePx;
    const below = (foot.length + laid.lines) * style.linePx + padding + padding / 2;
    const body = { left: padding, top, width, height: style.height - top - below };
    const boxes = layPanels(drawing, style, body);
    const last = boxes.at(-1);
    const bottom = (last === undefined ? top : last.top + last.height) + padding / 2;
    const isRoomy = last !== undefined && body.height >= last.top - top + drawing.squeezed.height;
    const hasUnit = head.length > 0;
    return { padding, width, head, foot, legend: laid, boxes, bottom, isRoomy, hasUnit };
  };
  if (!style.isBound) return lay(whole);
  const [brief, briefer] = [
    { ...whole, notes: [] },
    { ...whole, notes: [], facts: [] },
  ];
  const all = [whole, brief, briefer, { ...briefer, legend: [], scale: [] }].map(lay);
  // If the panels lack room even without texts, a picture in pixels does without them and a
  // terminal keeps them.
  const otherwise = style.gridX === 1 ? all.at(-1) : all[0];
  return all.find(({ isRoomy }) => isRoomy) ?? (otherwise as ReturnType<typeof lay>);
}

/** The table of the numbers in all panels; with several stations, a column names the station. */
function createTable(
  data: PlotData,
  { tableHead }: Drawing,
  panels: readonly StationPanel[],
): FigureTable {
  const titles = data.stations.map((station) => panelTitle(station, data));
  return {
    head: panels.length > 1 ? ['station', ...tableHead] : tableHead,
    // Only some forms of a picture have its table, so the rows of the table are written when they
    // are read.
    get rows() {
      return panels.flatMap((panel, index) => {
        const title = titles[index];
        return title === undefined ? panel.rows() : panel.rows().map((row) => [title, ...row]);
      });
    },
  };
}

/** Lines of muted text one beneath the other. */
function mutedLines(
  lines: readonly string[],
  { left, top }: Pick<Box, 'left' | 'top'>,
  { linePx }: Style,
): Mark[] {
  return lines.map((line, index) =>
    textMark(line, [left, top + (index + 0.5) * linePx], { role: 'muted' }),
  );
}

/** Places the panels of a picture in rows, all panels of one size. */
function layPanels(
  { panels, minWidth, minHeight, squeezed, maxHeight = () => Number.POSITIVE_INFINITY }: Drawing,
  { charPx, gridX, gridY, isBound }: Style,
  body: Box,
): Box[] {
  const gap = roundDownToCell(2 * charPx, gridX);
  const most = (width: number) => Math.max(1, Math.floor((body.width + gap) / (width + gap)));
  const rowsOf = (columns: number) => Math.ceil(panels.length / columns);
  let columns = Math.min(most(minWidth), Math.ceil(Math.sqrt(panels.length)));
  const limit = isBound ? Math.min(most(squeezed.width), panels.length) : columns;
  while (columns < limit && body.height / rowsOf(columns) < minHeight) columns++;
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
