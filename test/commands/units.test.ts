import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../src/domain/condition/condition.ts';
import {
  convertSpeed,
  LINEAR_UNIT_NAMES,
  SPEED_UNIT_NAMES,
  SPEED_UNITS,
} from '../../src/domain/units.ts';
import { NOW } from '../support/fixture-service.ts';
import { vane } from '../support/run.ts';
import { scripted, station, watching } from '../support/watching.ts';

const service = scripted(() => [station({ timeMs: NOW - 60_000, avg: 20 })]);

const CALM = {
  avgKmh: 0,
  maxKmh: 0,
  minKmh: 0,
  dirDeg: null,
  ageMs: 0,
  state: 'on',
  distanceKm: null,
  trendKmhPerHour: 0,
} as const;

const watch = (...flags: string[]) => watching(['110', '--count', '1', ...flags], { service });

describe.each(SPEED_UNIT_NAMES)('speeds in the unit %s', (unit) => {
  const { label, suffix, spellings } = SPEED_UNITS[unit];

  it(`speeds in ${unit} are accepted by --units, and named in the column names of csv`, async () => {
    const { out } = await watch('--units', unit, '-f', 'csv');
    const [head = '', row = ''] = out.split('\n');
    const place = head.split(',').indexOf(`measurements.wind_speed_avg${suffix}`);
    expect(row.split(',')[place]).toBe(String(convertSpeed(20, unit)));
  });

  it(`speeds in ${unit} are written as ${label} for {unit} of --line`, async () => {
    const { out } = await watch('--units', unit, '--line', '{unit}');
    expect(out).toBe(`${label}\n`);
  });

  it.each([unit, unit.toUpperCase(), label, ...spellings])(
    `speeds in ${unit} are accepted in a condition as “%s”`,
    (spelling) => {
      expect(parseCondition(`avg < 1${spelling}`).holds(CALM)).toBe(true);
    },
  );

  it(`speeds in ${unit} are named in the help of vane watch, for --units and for conditions`, async () => {
    const { out } = await vane(['watch', '--help']);
    const [, choices = ''] = /--units <unit> .*?\(choices:\s+([^)]*?)\)/s.exec(out) ?? [];
    expect(choices.split(/,\s+/)).toContain(`"${unit}"`);
    const [, units = ''] = /^Speeds need a unit: (.*?)\./ms.exec(out) ?? [];
    expect(units.split(/[ \n]/)).toContain(unit);
  });

  it(`speeds in ${unit} are offered by the shell completion of --units`, async () => {
    const { out } = await vane(['completion', 'words', '--', 'live', '--units', '']);
    expect(out).toMatch(new RegExp(`\\b${unit}\\b`));
  });

  it(`speeds in ${unit} are named by vane config set units among the possible values`, async () => {
    const { err } = await vane(['config', 'set', 'units', 'furlongs']);
    expect(err).toMatch(new RegExp(`\\b${unit}\\b`));
  });
});

describe.each(LINEAR_UNIT_NAMES)('speeds in the linear unit %s', (unit) => {
  it(`speeds in ${unit} are accepted by --hysteresis`, async () => {
    const { code, message } = await watch('--when', 'avg > 1kmh', '--hysteresis', `2${unit}`);
    expect({ code, message }).toEqual({ code: 0, message: '' });
  });

  it(`speeds in ${unit} are accepted in a condition on the trend, with and without /h`, () => {
    for (const text of [`trend < 1${unit}`, `trend < 1${unit}/h`]) {
      expect(parseCondition(text).holds(CALM)).toBe(true);
    }
  });
});
