import { scaleLinear } from 'd3-scale';
import { nearestCompassPoint, RADIANS_PER_DEGREE } from '../domain/compass.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import type { WindRose } from '../statistics/statistics.ts';
import { speedClassLegend, usedClassFilter } from './classes.ts';
import type { Drawing, LegendEntry } from './drawing.ts';
import type { Mark, PixelPoint } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import { computePanelRoses } from './panelRoses.ts';
import { listPanels, PANEL_PARTS, panelTitle } from './panels.ts';
import type { PlotData } from './plotData.ts';
import { drawPanelTitle, type LayoutStyle, type PixelBox, textMark } from './style.ts';
import { describeCoverage } from './summaries.ts';

const COMPASS = ['N', 'E', 'S', 'W'] as const;
const DIAGONALS = [45, 135, 225, 315];
/** A wind rose has no labels if it is lower than this number of text lines. */
const LABELLED_LINES = 6;

/**
 * Prepares a wind rose. Each sector is a direction the wind comes from; its length shows the share
 * of readings with that direction, divided into speed classes.
 */
export function prepareRose(data: PlotData, options: FigureOptions, style: LayoutStyle): Drawing {
  const { unit } = data;
  const { by, where } = options;
  const shown = listPanels(data, by);
  const roses = computePanelRoses(data, options);
  const isOfGusts = options.value === 'gust';
  const subject = [
    `wind rose${isOfGusts ? ' of gusts' : ''}`,
    ...(by ? [`by ${PANEL_PARTS[by].word}`] : []),
    ...(where ? [`where ${where.text}`] : []),
  ];
  const classes = speedClassLegend(options.classesKmh, unit);
  const used = new Set(
    roses.flatMap(({ sectors }) =>
      sectors.flatMap((shares) => shares.flatMap((share, index) => (share > 0 ? [index] : []))),
    ),
  );
  const isUsed = usedClassFilter(used);
  const usedEntries = classes.filter(isUsed);
  const most = Math.max(0, ...roses.flatMap(({ sectors }) => sectors.map(sum)));
  const label = SPEED_UNITS[unit].label;
  return {
    subject: subject.join(' '),
    facts: describeCoverage(data, undefined, where && sum(roses.map(({ count }) => count))),
    legend: usedEntries,
    notes: [
      `Sectors: where the wind comes from, by ${isOfGusts ? 'gust' : 'speed'} in ${label}. Middle: calm.`,
    ],
    minWidth: 24 * style.charPx,
    minHeight: (style.gridY === 1 ? 14 : 10) * style.linePx,
    maxHeight: (width) => heightOf(width, shown.length > 1, style),
    squeezed: { width: 16 * style.charPx, height: LABELLED_LINES * style.linePx },
    tableHead: ['from', 'all %', ...usedEntries.map((entry) => entry.label)],
    panels: shown.map((panel, index) => (box) => {
      const rose = roses[index] as WindRose;
      return {
        marks: drawRose(rose, classes, most, panelTitle(panel, data), label, box, style),
        rows: () => writeRows(rose, isUsed),
      };
    }),
  };
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** The position and scale of a wind rose. */
interface Dial {
  readonly centre: PixelPoint;
  readonly radius: number;
  /** The distance from the centre in px for a percentage. */
  readonly scale: (percent: number) => number;
  /** The percentages at which the wind rose has rings. */
  readonly rings: readonly number[];
  readonly isLabelled: boolean;
}

/** The margins beside and above the circle of a wind rose with labels, px. */
const marginsOf = ({ charPx, linePx }: LayoutStyle) => [3 * charPx, linePx] as const;

/** The height of a panel whose wind rose uses the whole width, px. */
function heightOf(width: number, hasTitle: boolean, style: LayoutStyle): number {
  const [beside, above] = marginsOf(style);
  const height = width - 2 * beside + 2 * above + (hasTitle ? style.linePx : 0);
  return Math.ceil(height / style.gridY) * style.gridY;
}

function layOutDial(box: PixelBox, maxPercent: number, style: LayoutStyle): Dial {
  const { linePx } = style;
  const isLabelled = box.height >= LABELLED_LINES * linePx;
  const [beside, above] = isLabelled ? marginsOf(style) : [0, 0];
  const radius = Math.max(1, Math.min(box.width / 2 - beside, box.height / 2 - above));
  const calmRadius = Math.min(Math.max(1.1 * linePx, radius / 8), radius / 2);
  const scale = scaleLinear([0, Math.max(1, maxPercent)], [calmRadius, radius]);
  const rings = scale.ticks(radius > 6 * linePx ? 4 : 2).filter((percent) => percent > 0);
  const centre = [box.left + box.width / 2, box.top + box.height / 2] as const;
  return { centre, radius, scale, rings, isLabelled };
}

/** The point in a direction at a distance in px from the centre of a wind rose. */
function placeOn({ centre: [x, y] }: Dial, angleDeg: number, distance: number): PixelPoint {
  const angle = angleDeg * RADIANS_PER_DEGREE;
  return [x + distance * Math.sin(angle), y - distance * Math.cos(angle)];
}

function drawRose(
  rose: WindRose,
  classes: readonly LegendEntry[],
  maxPercent: number,
  title: string | undefined,
  label: string,
  box: PixelBox,
  style: LayoutStyle,
): Mark[] {
  const { charPx, linePx } = style;
  const titlePx = title === undefined ? 0 : linePx;
  const below = { ...box, top: box.top + titlePx, height: box.height - titlePx };
  const dial = layOutDial(below, maxPercent, style);
  const { centre, scale, rings } = dial;
  const ringOf = (percent: number): Mark => {
    return { kind: 'ring', role: 'grid', centre, radius: scale(percent) };
  };
  const above = [centre[0], box.top + linePx / 2] as const;
  return [
    ...drawPanelTitle(title, above, box.width - charPx, style),
    ...rings.map(ringOf),
    ringOf(0),
    ...drawSectors(rose, classes, dial, label, style),
    ...(dial.isLabelled ? labelDial(rose, dial, style) : []),
    ...(rose.count === 0 ? [textMark('no readings', centre, { anchor: 'middle' })] : []),
  ];
}

/**
 * Draws the labels of a wind rose: directions around it, percentages at its rings, and the share of
 * calms in the middle.
 */
function labelDial(rose: WindRose, dial: Dial, style: LayoutStyle): Mark[] {
  const { centre, radius } = dial;
  const { charPx, linePx } = style;
  return [
    ...COMPASS.map((point, index) => {
      const distance = radius + (index % 2 === 0 ? 0.5 * linePx : 1.5 * charPx);
      return textMark(point, placeOn(dial, index * 90, distance), { anchor: 'middle' });
    }),
    ...labelRings(dial, emptiest(rose.sectors), style),
    ...(rose.count > 0
      ? [textMark(`${Math.round(rose.calm)} %`, centre, { anchor: 'middle' })]
      : []),
  ];
}

function drawSectors(
  { sectors }: WindRose,
  classes: readonly LegendEntry[],
  { centre, scale }: Dial,
  label: string,
  style: LayoutStyle,
): Mark[] {
  const step = 360 / sectors.length;
  // In pixels, a small gap separates neighbouring sectors.
  const edge = style.gridX === 1 ? 0.08 * step : 0;
  return sectors.flatMap((shares, sector): Mark[] => {
    const middle = sector * step;
    const [from, to] = [middle - step / 2 + edge, middle + step / 2 - edge];
    let below = 0;
    return shares.flatMap((share, index): Mark[] => {
      const inner = scale(below);
      below += share;
      const entry = classes[index];
      if (share === 0 || entry === undefined) return [];
      const { role, sign } = entry;
      const percent = Math.round(share * 10) / 10;
      const tip = `${nearestCompassPoint(middle)} ${middle}°, ${entry.label} ${label}: ${percent} %`;
      return [{ kind: 'sector', role, sign, centre, inner, outer: scale(below), from, to, tip }];
    });
  });
}

/** Draws the labels of the rings along one direction. Labels without enough room are skipped. */
function labelRings(dial: Dial, angleDeg: number, { charPx, linePx }: LayoutStyle): Mark[] {
  let before = dial.centre;
  return dial.rings.flatMap((percent) => {
    const text = `${percent} %`;
    const at = placeOn(dial, angleDeg, dial.scale(percent));
    const isBeside = Math.abs(at[0] - before[0]) > (text.length + 1) * charPx;
    if (!isBeside && Math.abs(at[1] - before[1]) < linePx) return [];
    before = at;
    return [textMark(text, at, { role: 'muted', anchor: 'middle', hasEdge: true })];
  });
}

/** The diagonal direction in degrees with the least wind, where labels hide the least. */
function emptiest(sectors: WindRose['sectors']): number {
  const { length } = sectors;
  const totals = DIAGONALS.map((angle) => {
    const middle = Math.round((angle / 360) * length);
    return sum([-1, 0, 1].map((by) => sum(sectors[(middle + by) % length] ?? [])));
  });
  return DIAGONALS[totals.indexOf(Math.min(...totals))] as number;
}

/** The percentages of a wind rose as rows of a table: one for each sector, and one for calms. */
function writeRows(
  { sectors, calm }: WindRose,
  isUsed: ReturnType<typeof usedClassFilter>,
): string[][] {
  const cell = (percent: number): string => percent.toFixed(1);
  const step = 360 / sectors.length;
  return [
    ...sectors.map((shares, sector) => {
      const from = step === 22.5 ? nearestCompassPoint(sector * step) : `${sector * step}°`;
      return [from, cell(sum(shares)), ...shares.filter(isUsed).map(cell)];
    }),
    ['calm', cell(calm), ...(sectors[0]?.filter(isUsed).map(() => '') ?? [])],
  ];
}
