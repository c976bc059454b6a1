import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEAUFORT_FROM_KMH } from '../../src/domain/units.ts';
import { rasterize } from '../../src/figures/canvas.ts';
import { drawFigure } from '../../src/figures/draw.ts';
import type { BandMark, Figure, LineMark, Mark, RectangleMark } from '../../src/figures/figure.ts';
import {
  CHARACTER_SIZE_PX,
  cellStyle,
  type LayoutStyle,
  pixelStyle,
} from '../../src/figures/style.ts';
import { writeSvg } from '../../src/figures/svg.ts';
import { HOUR, OPTIONS, plotData, type Row, stationOf, swingingRows } from '../support/pictures.ts';

const PIXELS = pixelStyle(900, 400);
const TERMINAL = cellStyle(80, 24, true);
const MINUTES = 24 * 60;

function draw(rows: readonly Row[], days: number, style: LayoutStyle, options = OPTIONS): Figure {
  return drawFigure('series', plotData([stationOf(rows)], days), options, style);
}

const ofKind = <K extends Mark['kind']>({ marks }: Figure, kind: K) =>
  marks.filter((mark): mark is Extract<Mark, { kind: K }> => mark.kind === kind);

/** Scales of the axes, from its rules: the vertical ones bound the time, the labels the speed. */
function scales(figure: Figure) {
  const grid = ofKind(figure, 'rule').filter(({ role }) => role === 'grid');
  const level = grid.filter(({ from, to }) => from[1] === to[1]);
  const [left, right] = [level[0]?.from[0] ?? 0, level[0]?.to[0] ?? 0];
  const layers = ofKind(figure, 'band')[0]?.layers ?? [];
  const [calm, highest] = [layers[0]?.from ?? 0, layers.at(-1)?.from ?? 0];
  const maxKmh = BEAUFORT_FROM_KMH[layers.length - 2] ?? 0;
  const yOf = (kmh: number): number => calm - (kmh / maxKmh) * (calm - highest);
  // Without the rounding errors of this division.
  return { left, right, yOf: (kmh: number) => Math.round(yOf(kmh) * 1e9) / 1e9 };
}

/** Lulls, means and gusts of a period of days, at random minutes with random gaps. */
const randomRows = (days: number, most: number) =>
  fc
    .uniqueArray(
      fc.record({
        minute: fc.integer({ min: 0, max: days * MINUTES - 1 }),
        lull: fc.integer({ min: 0, max: 40 }),
        more: fc.integer({ min: 0, max: 40 }),
        gust: fc.integer({ min: 0, max: 60 }),
      }),
      { selector: ({ minute }) => minute, minLength: 1, maxLength: most },
    )
    .map((readings) =>
      readings
        .sort((a, b) => a.minute - b.minute)
        .map(({ minute, lull, more, gust }): Row => {
          return [minute, lull, lull + more, lull + more + gust, 90];
        }),
    );

/** Readings by the column of the picture that they fall into. */
function columnsOf(rows: readonly Row[], days: number, columns: number): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const column = Math.floor((row[0] / (days * MINUTES)) * columns);
    found.set(column, [...(found.get(column) ?? []), row]);
  }
  return found;
}

describe('a series picture', () => {
  it('a series picture has in each pixel column the highest gust, lowest lull and mean of its readings', () => {
    fc.assert(
      fc.property(randomRows(30, 1000), (rows) => {
        const figure = draw(rows, 30, pixelStyle(300, 300));
        const { left, right, yOf } = scales(figure);
        const [bands, lines] = [ofKind(figure, 'band'), ofKind(figure, 'line')];
        const found = columnsOf(rows, 30, right - left);
        const isNear = (one: number, other: number) => Math.abs(one - other) < 0.5e-6;
        const wrong: string[] = [];
        for (const [column, readings] of found) {
          const isIn = (x: number) => Math.floor(x - left + 1e-6) === column;
          const points = bands.flatMap(({ points }) => points).filter(({ x }) => isIn(x));
          const gust = Math.max(...readings.map((row) => row[3] as number));
          const lull = Math.min(...readings.map((row) => row[1] as number));
          const [highest, lowest] = [
            points.map(({ top }) => top),
            points.map(({ bottom }) => bottom),
          ];
          if (!isNear(Math.min(...highest), yOf(gust))) wrong.push(`gust of column ${column}`);
          if (!isNear(Math.max(...lowest), yOf(lull))) wrong.push(`lull of column ${column}`);
          if (rows.length <= right - left) continue;
          const mean = readings.reduce((sum, row) => sum + (row[2] as number), 0) / readings.length;
          const means = lines.flatMap(({ points }) => points).filter(([x]) => isIn(x));
          if (!means.some(([, y]) => isNear(y, yOf(mean)))) wrong.push(`mean of column ${column}`);
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('a series picture in a terminal reaches in each column the highest gust and lowest lull of its readings', () => {
    fc.assert(
      fc.property(randomRows(3, 300), (rows) => {
        const figure = draw(rows, 3, TERMINAL);
        const { left, right, yOf } = scales(figure);
        const cells = rasterize(figure, (text) => text);
        const rowOf = (y: number) => Math.floor(y / CHARACTER_SIZE_PX.height);
        const [drawn, expected]: [unknown[], unknown[]] = [[], []];
        for (const [column, readings] of columnsOf(
          rows,
          3,
          (right - left) / CHARACTER_SIZE_PX.width,
        )) {
          // A calm is an eighth of a cell high, in the last row.
          const top = Math.min(
            yOf(0) - 2,
            yOf(Math.max(...readings.map((row) => row[3] as number))),
          );
          const bottom = yOf(Math.min(...readings.map((row) => row[1] as number)));
          const place = left / CHARACTER_SIZE_PX.width + column;
          const filled = [...cells.keys()].filter((row) => cells[row]?.[place]?.fill !== undefined);
          // An area without height is an eighth of a cell high.
          const last = Math.ceil(Math.max(bottom, top + 2) / CHARACTER_SIZE_PX.height) - 1;
          drawn.push([column, filled[0], filled.at(-1)]);
          expected.push([column, rowOf(top), last]);
        }
        expect(drawn).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('a series picture in a terminal draws calm readings above the row of time labels', () => {
    const rows = swingingRows(1).map(([minute]): Row => [minute, 0, 0, 0, 90]);
    const figure = draw(rows, 1, TERMINAL);
    const cells = rasterize(figure, (text) => text);
    const { left, right, yOf } = scales(figure);
    const row = Math.round(yOf(0) / CHARACTER_SIZE_PX.height);
    const within = (_: unknown, place: number) =>
      place >= left / CHARACTER_SIZE_PX.width && place < right / CHARACTER_SIZE_PX.width - 1;
    expect(cells[row]?.filter(within).some(({ dots, fill }) => dots || fill)).toBe(false);
    expect(cells[row - 1]?.filter(within).every(({ dots }) => dots !== undefined)).toBe(true);
  });

  it('a series picture draws two separate bands around a gap in the readings', () => {
    const rows = swingingRows(4).filter(([minute]) => minute < MINUTES || minute >= 3 * MINUTES);
    const bands = ofKind(draw(rows, 4, PIXELS), 'band') as BandMark[];
    expect(bands).toHaveLength(2);
    const [first, second] = bands.map(({ points }) => points.map(({ x }) => x));
    const width = (second?.at(-1) ?? 0) - (first?.[0] ?? 0);
    expect((second?.[0] ?? 0) - (first?.at(-1) ?? 0)).toBeGreaterThan(0.49 * width);
  });

  it('a series picture in a terminal draws a single reading as wide as a cell', () => {
    const [band] = ofKind(draw([[600, 5, 10, 15, 90]], 1, TERMINAL), 'band') as BandMark[];
    const xs = band?.points.map(({ x }) => x) ?? [];
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(CHARACTER_SIZE_PX.width, 0);
  });

  it('a series picture breaks the line where no mean is known, but keeps a lone lull or gust in the band', () => {
    const rows: Row[] = [
      [0, null, 10, null, 90],
      [10, 5, null, 20, 90],
      [20, null, null, null, 90],
    ];
    const figure = draw(rows, 1, PIXELS);
    expect(ofKind(figure, 'band')).toHaveLength(1);
    expect((ofKind(figure, 'line') as LineMark[]).flatMap(({ points }) => points)).toHaveLength(2);
  });

  it('a series picture shades nights from sunset to sunrise, but not where a day is a few pixels wide', () => {
    const nights = (days: number) =>
      (ofKind(draw(swingingRows(2), days, PIXELS), 'rectangle') as RectangleMark[]).filter(
        ({ role }) => role === 'night',
      );
    const [first, , third] = nights(2);
    const { left, right } = scales(draw(swingingRows(2), 2, PIXELS));
    const hourOf = (x: number) => ((x - left) / (right - left)) * 48;
    // Sunrise at 45.9° N, 6.2° E is at 04:15 UTC, sunset at 18:43.
    expect(hourOf((first?.x ?? 0) + (first?.width ?? 0))).toBeCloseTo(4.25, 0);
    expect(hourOf(third?.x ?? 0)).toBeCloseTo(42.7, 0);
    expect(nights(366)).toEqual([]);
  });

  it('a series picture shades the time before each reading for which the condition of --where is true', () => {
    const where = {
      text: 'avg > 20',
      holds: (columns: { windSpeedAvg: Float64Array }, row: number) =>
        (columns.windSpeedAvg[row] as number) > 20,
    };
    const rows: Row[] = Array.from({ length: 144 }, (_, at): Row => {
      return [at * 10, 5, at > 36 && at <= 72 ? 25 : 10, 30, 90];
    });
    const figure = draw(rows, 1, PIXELS, { ...OPTIONS, where });
    const held = ofKind(figure, 'rectangle').filter(
      ({ role, height }) => role === 'held' && height > 20,
    );
    const { left, right } = scales(figure);
    expect(held).toHaveLength(1);
    expect(((held[0]?.x ?? 0) - left) / (right - left)).toBeCloseTo(0.25, 2);
    expect((held[0]?.width ?? 0) / (right - left)).toBeCloseTo(0.25, 2);
  });

  it('a series picture shows nights also where the condition of --where held, and names both in the legend', () => {
    const where = { text: 'avg > 1kn', holds: () => true };
    const figure = draw(swingingRows(2), 2, PIXELS, { ...OPTIONS, where });
    const shades = ofKind(figure, 'rectangle').filter(({ height }) => height > 20);
    expect(shades.map(({ role }) => role)).toEqual([
      ...['heldNight', 'held', 'heldNight', 'held', 'heldNight', 'night'],
    ]);
    const texts = ofKind(figure, 'text').map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['avg > 1kn', 'night']));
    const terminal = draw(swingingRows(2), 2, cellStyle(80, 24, true, false));
    expect(ofKind(terminal, 'text').map(({ text }) => text)).not.toContain('night');
  });

  it('a series picture labels a mark left of the axis in place of the ticks beside it', () => {
    for (const style of [PIXELS, TERMINAL]) {
      const figure = draw(swingingRows(2), 2, style, { ...OPTIONS, marksKmh: [21] });
      const label = ofKind(figure, 'text').find(({ role }) => role === 'mark');
      const { left } = scales(figure);
      expect(label).toMatchObject({ text: '21', anchor: 'end' });
      expect(label?.at[0]).toBeLessThan(left);
      const touches = (y: number): boolean =>
        style === PIXELS
          ? Math.abs(y - (label?.at[1] ?? 0)) < 12
          : Math.floor(y / CHARACTER_SIZE_PX.height) ===
            Math.floor((label?.at[1] ?? 0) / CHARACTER_SIZE_PX.height);
      const beside = ofKind(figure, 'text').filter(
        ({ at, role }) => role === 'muted' && at[0] < left && touches(at[1]),
      );
      expect(beside).toEqual([]);
    }
  });

  it('a series picture of several stations is no higher than the window of a terminal', () => {
    for (const count of [2, 4, 6, 12]) {
      const stations = Array.from({ length: count }, () => stationOf(swingingRows(1)));
      for (const kind of ['series', 'rose'] as const) {
        const figure = drawFigure(kind, plotData(stations, 1), OPTIONS, TERMINAL);
        expect(figure.height).toBeLessThanOrEqual(24 * CHARACTER_SIZE_PX.height);
        const plots = new Set(ofKind(figure, 'rule').map(({ from }) => from[1]));
        if (kind === 'series') expect(plots.size).toBeGreaterThan(1);
      }
    }
  });

  it('a series picture has arrows at least 20 px apart that point where the wind blows to', () => {
    const rows = swingingRows(1).map(([at, lull, mean, gust]): Row => [at, lull, mean, gust, 0]);
    const arrows = ofKind(draw(rows, 1, PIXELS), 'arrow');
    for (const [index, { centre, headingDeg }] of arrows.entries()) {
      const next = arrows[index + 1];
      if (next) expect(next.centre[0] - centre[0]).toBeGreaterThanOrEqual(20);
      expect(headingDeg).toBeCloseTo(0, 6);
    }
    // Drawn downwards, then turned by the heading.
    expect(writeSvg(draw(rows, 1, PIXELS), { theme: 'light' })).toContain('rotate(0)" d="M0,7L');
  });

  it('a series picture has neither arrows nor directions where the mean is below --calm', () => {
    const rows = swingingRows(1).map(([at]): Row => [at, 5, 8, 12, 90]);
    const figure = draw(rows, 1, PIXELS, { ...OPTIONS, calmKmh: 10 });
    expect(ofKind(figure, 'arrow')).toEqual([]);
    expect(figure.table.rows.every((row) => row.at(-1) === '–')).toBe(true);
    expect(ofKind(draw(rows, 1, PIXELS), 'arrow')).not.toEqual([]);
  });

  it('a series picture has a speed axis from 0 with room for marks, and a second axis in Beaufort or knots', () => {
    const figure = draw(swingingRows(1), 1, PIXELS, { ...OPTIONS, marksKmh: [93] });
    const texts = ofKind(figure, 'text').map(({ text }) => text);
    expect(texts).toContain('93');
    expect(texts).toContain('100');
    expect(texts.filter((text) => text === '0')).toHaveLength(2);
    expect(texts).toContain('Bft');
    const [first] = plotData([stationOf([])], 1).stations;
    const data = { ...plotData(first ? [first] : [], 1), unit: 'bft' as const };
    const forces = drawFigure('series', data, OPTIONS, PIXELS);
    expect(ofKind(forces, 'text').map(({ text }) => text)).toContain('kn');
  });

  it('a series picture shows times in the chosen zone', () => {
    const data = { ...plotData([stationOf(swingingRows(1))], 1), zone: 'Asia/Tokyo' };
    const figure = drawFigure('series', data, OPTIONS, PIXELS);
    const texts = ofKind(figure, 'text').map(({ text }) => text);
    expect(texts).toContain(
      '2024-05-01 09:00 to 2024-05-02 09:00 · Asia/Tokyo · km/h · 144 readings · coverage 100 %',
    );
    expect(texts).toContain('2 May');
  });

  it('a series picture keeps ticks at round hours after the clocks change', () => {
    const start = Date.parse('2024-10-26T22:00:00Z');
    const data = {
      ...plotData([stationOf([])], 1),
      zone: 'Europe/Paris',
      period: { start, stop: start + 25 * HOUR },
    };
    const figure = drawFigure('series', data, OPTIONS, TERMINAL);
    const texts = ofKind(figure, 'text').map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['27 Oct', '06:00', '12:00', '18:00']));
  });

  it('a series picture of one year, and of ten years, is an svg under 300 kB', () => {
    const year = swingingRows(365);
    // Readings every 100 minutes are many for each pixel too.
    const decade = year.map(([minutes, ...values]): Row => [10 * minutes, ...values]);
    for (const [rows, days] of [
      [year, 365],
      [decade, 3650],
    ] as const) {
      const figure = draw(rows, days, pixelStyle(960, 400));
      expect(writeSvg(figure, { theme: 'both' }).length).toBeLessThan(300_000);
    }
  });

  it('a series picture leaves out readings outside the period', () => {
    const rows: Row[] = [
      [-10, 90, 95, 99, 0],
      [5, 1, 2, 3, 0],
      [MINUTES, 90, 95, 99, 0],
    ];
    const figure = draw(rows, 1, PIXELS);
    expect(ofKind(figure, 'band').flatMap(({ points }) => points)).toHaveLength(2);
  });
});
