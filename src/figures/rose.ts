import { scaleLinear } from 'd3-scale';
import { compassPoint, RADIANS } from '../domain/compass.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import type { Rose } from '../statistics/statistics.ts';
import { type Classes, isWithin, speedClasses } from './classes.ts';
import type { FigureTable, Mark, Point } from './figure.ts';
import type { Drawing, PlotData, PlotOptions } from './plotData.ts';
import { stationTable } from './stationTable.ts';
import { type Box, fitText, type Style, textMark } from './style.ts';
import { summarize, writeCoverage } from './summaries.ts';

const COMPASS = ['N', 'E', 'S', 'W'] as const;
const DIAGONALS = [45, 135, 225, 315];
const NO_ROSE: Rose = { sectors: [], calm: 0, count: 0 };

/** Where the wind comes from: sectors as long as their share, stacked by speed. */
export function prepareRose(data: PlotData, options: PlotOptions, style: Style): Drawing {
  const { stations, unit } = data;
  const groups = stations.flatMap((station) =>
    summarize(station, data, options, [], { rose: true }),
  );
  const roses = groups.map(({ rose }) => rose ?? NO_ROSE);
  const classes = speedClasses(options.classesKmh, unit);
  const used = new Set(
    roses.flatMap(({ sectors }) =>
      sectors.flatMap((shares) => shares.flatMap((share, index) => (share > 0 ? [index] : []))),
    ),
  );
  const most = Math.max(0, ...roses.flatMap(({ sectors }) => sectors.map(sum)));
  const [only, ...others] = groups;
  const label = SPEED_UNITS[unit].label;
  return {
    subject: 'wind rose',
    facts: only && others.length === 0 ? writeCoverage(only) : [],
    legend: classes.entries.filter(isWithin(used)),
    notes: [`Sectors: where the wind comes from, by speed in ${label}. Middle: calm.`],
    leastWidth: 24 * style.charPx,
    leastHeight: (style.gridY === 1 ? 14 : 10) * style.linePx,
    table: writeTable(data, roses, classes, isWithin(used)),
    draw(index, box) {
      const name = stations.length > 1 ? (stations[index]?.name.trim() ?? '') : undefined;
      return drawRose(roses[index] ?? NO_ROSE, classes, most, { box, name, label }, style);
    },
  };
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** A percentage to one decimal. */
const writePercent = (percent: number): string => `${Math.round(percent * 10) / 10} %`;

function drawRose(
  { sectors, calm, count }: Rose,
  { entries }: Classes,
  mostPercent: number,
  {
    box,
    name,
    label,
  }: { readonly box: Box; readonly name: string | undefined; readonly label: string },
  style: Style,
): Mark[] {
  const { charPx, linePx } = style;
  const titlePx = name === undefined ? 0 : linePx;
  const centre: Point = [box.left + box.width / 2, box.top + titlePx + (box.height - titlePx) / 2];
  const [x, y] = centre;
  const radius = Math.max(
    linePx,
    Math.min(box.width / 2 - 3 * charPx, (box.height - titlePx) / 2 - linePx),
  );
  const calmRadius = Math.max(1.1 * linePx, radius / 8);
  const scale = scaleLinear([0, Math.max(1, mostPercent)], [calmRadius, radius]).nice(4);
  const rings = scale.ticks(radius > 6 * linePx ? 4 : 2).filter((percent) => percent > 0);
  const step = 360 / Math.max(1, sectors.length);
  const marks = sectors.flatMap((shares, sector): Mark[] => {
    const middle = sector * step;
    let below = 0;
    return shares.flatMap((share, index): Mark[] => {
      const inner = scale(below);
      below += share;
      const entry = entries[index];
      if (share === 0 || entry === undefined) return [];
      const { role, sign } = entry;
      const tip = `${compassPoint(middle)} ${middle}°, ${entry.label} ${label}: ${writePercent(share)}`;
      const edge = style.gridX === 1 ? 0.08 * step : 0;
      const [from, to] = [middle - step / 2 + edge, middle + step / 2 - edge];
      return [{ kind: 'sector', role, sign, centre, inner, outer: scale(below), from, to, tip }];
    });
  });
  const labelAngle = emptiest(sectors);
  const at = (angle: number, distance: number): Point => [
    x + distance * Math.sin(angle * RADIANS),
    y - distance * Math.cos(angle * RADIANS),
  ];
  return [
    ...(name === undefined
      ? []
      : [
          textMark(fitText(name, box.width - charPx, style), [x, box.top + linePx / 2], {
            anchor: 'middle',
            isBold: true,
          }),
        ]),
    ...rings.map((percent): Mark => {
      return { kind: 'ring', role: 'grid', centre, radius: scale(percent) };
    }),
    { kind: 'ring', role: 'grid', centre, radius: calmRadius },
    ...marks,
    ...COMPASS.map((point, index) =>
      textMark(point, at(index * 90, radius + (index % 2 === 0 ? 0.5 * linePx : 1.5 * charPx)), {
        anchor: 'middle',
      }),
    ),
    ...rings
      .map((percent) => ({ text: `${percent} %`, place: at(labelAngle, scale(percent)) }))
      .filter(({ text, place }, index, all) => {
        const before = all[index - 1]?.place ?? centre;
        const isBeside = Math.abs(place[0] - before[0]) > (text.length + 1) * charPx;
        return isBeside || Math.abs(place[1] - before[1]) >= linePx;
      })
      .map(({ text, place }) =>
        textMark(text, place, { role: 'muted', anchor: 'middle', hasEdge: true }),
      ),
    textMark(count === 0 ? 'no data' : `${Math.round(calm)} %`, centre, { anchor: 'middle' }),
  ];
}

/** The direction between two letters of the compass with the least wind: the place for labels. */
function emptiest(sectors: Rose['sectors']): number {
  const { length } = sectors;
  const totals = DIAGONALS.map((angle) => {
    const middle = Math.round((angle / 360) * length);
    return sum([-1, 0, 1].map((by) => sum(sectors[(middle + by) % length] ?? [])));
  });
  return DIAGONALS[totals.indexOf(Math.min(...totals))] as number;
}

function writeTable(
  { stations }: PlotData,
  roses: readonly Rose[],
  { entries }: Classes,
  isUsed: ReturnType<typeof isWithin>,
): FigureTable {
  const used = entries.filter(isUsed);
  const cell = (percent: number): string => percent.toFixed(1);
  return stationTable(stations, ['from', 'all %', ...used.map(({ label }) => label)], (index) => {
    const { sectors, calm } = roses[index] ?? NO_ROSE;
    const step = 360 / Math.max(1, sectors.length);
    return [
      ...sectors.map((shares, sector) => {
        const from = step === 22.5 ? compassPoint(sector * step) : `${sector * step}°`;
        return [from, cell(sum(shares)), ...shares.filter(isUsed).map(cell)];
      }),
      ['calm', cell(calm), ...used.map(() => '')],
    ];
  });
}
