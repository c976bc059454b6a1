import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../src/domain/condition/condition.ts';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Figure, Mark } from '../../src/figures/figure.ts';
import type { PlotData } from '../../src/figures/plotData.ts';
import { pixelStyle } from '../../src/figures/style.ts';
import { liveOf, OPTIONS, plotData, type Row, stationOf } from '../support/pictures.ts';

interface Changes extends Partial<Pick<PlotData, 'unit' | 'zone' | 'period'>> {
  readonly size?: number;
  readonly state?: string | null;
  readonly where?: string;
}

/** A day that ends with a gale from the north-west, 8 minutes ago. */
const GALE: readonly Row[] = [
  [1370, 20, 30, 40, 90],
  [1400, 20, 60, 90, 300],
  [1416, 30, 74.08, 100, 315],
  [1432, 50, 83.34, 111.12, 320],
];
const SIZES = [60, 75, 150, 300, 600] as const;

function draw(
  rows: readonly Row[],
  { size = 300, state = 'on', where = '', ...changes }: Changes = {},
): Figure {
  const station = stationOf(rows, { live: liveOf(rows.at(-1), state) });
  const data = { ...plotData([station], 1), unit: 'kn', ...changes } as const;
  const heldNow = where === '' ? undefined : parseCondition(where);
  return drawFigure(
    'now',
    data,
    { ...OPTIONS, heldNow },
    pixelStyle(size, size, { isBound: true }),
  );
}

const textsOf = ({ marks }: Figure): string[] =>
  marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
const rolesOf = ({ marks }: Figure, kind: Mark['kind']) =>
  marks.flatMap((mark) => (mark.kind === kind && 'role' in mark ? [mark.role] : []));

/** The latest reading with other values, by their places in a row. */
const changed = (changes: Partial<Record<0 | 1 | 2 | 3 | 4, number | null>>): Row[] => [
  ...GALE.slice(0, -1),
  Object.assign([...(GALE.at(-1) as Row)], changes) as unknown as Row,
];

describe('a dial of the wind now', () => {
  it('has direction, mean, gust with unit, age and clock time, in whole numbers', () => {
    const texts = textsOf(draw(GALE));
    expect(texts).toEqual(
      expect.arrayContaining(['NW 320°', '45', 'gust 60 kn', '8 min ago', '23:52 UTC']),
    );
  });

  it('keeps one decimal of m/s, and the clock of the zone', () => {
    const texts = textsOf(draw(GALE, { unit: 'ms', zone: 'Europe/Paris' }));
    expect(texts).toEqual(expect.arrayContaining(['23.2', 'gust 30.9 m/s', '01:52']));
  });

  it('points an arrow from where the wind comes, and marks the directions of the last hour only', () => {
    const { marks } = draw(GALE);
    const arrow = marks.find((mark) => mark.kind === 'arrow');
    expect(arrow?.headingDeg).toBe(320);
    const tips = marks.flatMap((mark) => (mark.kind === 'sector' && mark.tip ? [mark.tip] : []));
    expect(tips.join()).not.toContain('E 90°');
    expect(tips).toHaveLength(3);
  });

  it.each(SIZES)('of %i px has the mean in letters that lie within the picture', (size) => {
    for (const rows of [GALE, changed({ 2: 237, 3: 290, 4: 0 }), changed({ 2: 0 })]) {
      const { marks } = draw(rows, { size, unit: 'kmh' });
      for (const mark of marks) {
        if (mark.kind !== 'text') continue;
        const sizePx = mark.sizePx ?? 12;
        const half =
          { start: 0, middle: 0.5, end: 1 }[mark.anchor] * 0.6 * sizePx * mark.text.length;
        expect(mark.at[0] - half).toBeGreaterThanOrEqual(0);
        expect(mark.at[0] + half).toBeLessThanOrEqual(size);
        expect(sizePx).toBeGreaterThanOrEqual(9);
      }
    }
  });

  it('of 60 px has only the arrow and the mean, and tells all in its description', () => {
    const small = draw(GALE, { size: 60 });
    expect(textsOf(small)).toEqual(['45']);
    expect(rolesOf(small, 'arrow')).toEqual(['ink']);
    expect(small.facts.join()).toMatch(/45 kn from NW 320°.*gust 60 kn.*23:52 UTC, 8 min ago/);
    expect(small.credit).toContain('(c) contributors of the network');
  });

  it.each([
    ['is calm', changed({ 1: 0, 2: 0.5, 3: 2 }), ['calm', 'gust 1 kn'], 0],
    ['has no direction', changed({ 4: null }), ['45', 'gust 60 kn'], 0],
    ['has no gust', changed({ 1: null, 3: null }), ['45', 'NW 320°', 'gust – kn'], 1],
    ['has an impossible gust', changed({ 3: 1e308 }), ['45', 'gust – kn'], 1],
  ])('that %s says so, and has an arrow only for a direction', (_, rows, expected, arrows) => {
    const figure = draw(rows);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(expected));
    expect(rolesOf(figure, 'arrow')).toHaveLength(arrows);
  });

  it.each([
    ['off', GALE, 'off', '8 min ago'],
    ['old', changed({ 0: 1394 }), 'on', '46 min ago'],
    ['no data', changed({ 2: null }), 'on', '8 min ago'],
    ['no data', [], 'on', undefined],
  ])('is grey without an arrow and says “%s”', (word, rows, state, age) => {
    const figure = draw(rows, { state });
    expect(textsOf(figure)).toContain(word);
    if (age) expect(textsOf(figure)).toContain(age);
    expect(rolesOf(figure, 'arrow')).toEqual([]);
    expect(rolesOf(figure, 'sector')).toEqual(['night']);
    expect(textsOf(draw(rows, { state, size: 60 }))).toEqual([word]);
  });

  it('is current up to the 45 minutes after which live data are old', () => {
    expect(textsOf(draw(changed({ 0: 1395 })))).toContain('45 min ago');
    expect(rolesOf(draw(changed({ 0: 1395 })), 'arrow')).toHaveLength(1);
  });

  it('of an old measurement has its date after a day', () => {
    const texts = textsOf(draw(GALE, { period: { start: 0, stop: Date.UTC(2024, 4, 4) } }));
    expect(texts).toEqual(expect.arrayContaining(['old', '2 d ago', '2024-05-01']));
  });

  it.each([
    ['avg > 40kn and dir in NW..N', ['held', 9]],
    ['trend > 5kn and age < 10m and state = on', ['held', 9]],
    ['avg > 50kn', ['grid']],
    ['hour = 0', ['held', 9]],
  ])('with the condition %s has these colours: %j', (where, roles) => {
    const figure = draw(GALE, { where });
    expect(rolesOf(figure, 'sector').filter((role) => role !== 'muted')).toEqual(roles);
    expect(rolesOf(figure, 'rectangle')).toEqual(['held']);
  });

  it('stays grey where its condition holds for a station that is off', () => {
    expect(rolesOf(draw(GALE, { state: 'off', where: 'avg > 1kn' }), 'sector')).toEqual(['night']);
  });

  it('of several stations names each, and has one description for each', () => {
    const stations = ['Col', 'Plage'].map((name) => stationOf(GALE, { name }));
    const style = pixelStyle(480, 300, { isBound: true });
    const figure = drawFigure('now', plotData(stations, 1), OPTIONS, style);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['Col', 'Plage']));
    expect(figure.facts.map((fact) => fact.split(':')[0])).toEqual(['Col', 'Plage']);
    expect(figure.table.head[0]).toBe('station');
  });
});
