import { formatDate, HOUR_MS } from '../domain/dates.ts';
import { exactSpeed, isForceScale, round2, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import { type ClimateMonth, climateOf, STRONG_GUSTS_MS } from '../statistics/climate.ts';
import { PERCENTILES } from '../statistics/distribution.ts';
import type { Group, Rose, Spell, WindSummary } from '../statistics/statistics.ts';
import type { StationStatistics, StatisticsList, Thresholds } from './format.ts';

/**
 * What a field of statistics holds. A `spread` is a difference of speeds, or a parameter of their
 * distribution.
 */
type Kind = 'speed' | 'spread' | 'time' | 'plain';

interface SummaryField {
  readonly kind: Kind;
  readonly read: (summary: WindSummary) => number | null;
}

const plain = (read: SummaryField['read']): SummaryField => ({ kind: 'plain', read });
const speed = (read: SummaryField['read']): SummaryField => ({ kind: 'speed', read });
const spread = (read: SummaryField['read']): SummaryField => ({ kind: 'spread', read });
const time = (read: SummaryField['read']): SummaryField => ({ kind: 'time', read });

const percentiles = (prefix: string, name: 'percentiles' | 'gustPercentiles') =>
  Object.fromEntries(
    PERCENTILES.map((p, place) => [
      `${prefix}p${p}`,
      speed((summary) => summary[name][place] ?? null),
    ]),
  );

/** The fields of a group's statistics in order of output, without the shares of Beaufort forces. */
const FIELDS: Readonly<Record<string, SummaryField>> = {
  // With `--by sector` two sectors may share a reading.
  readings: plain(({ readings }) => Math.round(readings)),
  missing: plain(({ missing }) => missing),
  first: time(({ first }) => first),
  last: time(({ last }) => last),
  step_s: plain(({ stepS }) => stepS),
  coverage: plain(({ coverage }) => coverage),
  gaps: plain(({ gaps }) => gaps),
  longest_gap_start: time(({ longestGap }) => longestGap?.start ?? null),
  longest_gap_s: plain(({ longestGap }) => longestGap?.lengthS ?? null),
  mean: speed(({ mean }) => mean),
  std: spread(({ std }) => std),
  min: speed(({ min }) => min),
  max: speed(({ max }) => max),
  max_gust: speed(({ maxGust }) => maxGust),
  max_gust_at: time(({ maxGustAt }) => maxGustAt),
  min_lull: speed(({ minLull }) => minLull),
  ...percentiles('', 'percentiles'),
  ...percentiles('gust_', 'gustPercentiles'),
  calm: plain(({ calm }) => calm),
  vector_speed: speed(({ vectorSpeed }) => vectorSpeed),
  vector_direction: plain(({ vectorDirection }) => vectorDirection),
  prevailing_direction: plain(({ prevailingDirection }) => prevailingDirection),
  steadiness: plain(({ steadiness }) => steadiness),
  direction_std: plain(({ directionStd }) => directionStd),
  gust_factor: plain(({ gustFactor }) => gustFactor),
  weibull_k: plain(({ weibullK }) => weibullK),
  weibull_a: spread(({ weibullA }) => weibullA),
  power_density: plain(({ powerDensity }) => powerDensity),
};

const SPEED_FIELDS = Object.keys(FIELDS).filter((name) =>
  ['speed', 'spread'].includes(FIELDS[name]?.kind ?? ''),
);

/** Names of the fields of a list whose values are in a unit of speed. */
export function speedFields({
  classes,
  above,
  isClimate,
  isSpells,
}: StatisticsList): readonly string[] {
  if (isClimate) return ['mean', 'max_gust'];
  if (above) return ['above'];
  if (isSpells) return SPELL_SPEEDS;
  return classes ? ['classes'] : SPEED_FIELDS;
}

type FlatRow = Record<string, number | string | null | readonly number[]>;

interface RowStyle {
  /** Whether names of speeds tell a unit other than km/h: `mean_kn`. */
  readonly isUnitInName: boolean;
  /** Whether speeds have two decimals, and each share of a Beaufort force has its own field. */
  readonly isText: boolean;
}

/** Groups whose rows are in memory at once: a row takes some kB. */
const GROUPS_AT_ONCE = 1000;

/**
 * Statistics as rows, some at a time: one for each group or spell or, in a wind rose, for each sector
 * and for calm, with `--above` for each threshold, and in a climate table for each month of the year.
 */
export function* flatRows(
  { station, groups, period }: StationStatistics,
  list: StatisticsList,
  style: RowStyle,
): Generator<FlatRow[]> {
  if (list.isClimate) {
    yield climateOf(groups, period, list.zone).map((month) =>
      climateRow(station, month, list, style),
    );
    return;
  }
  for (let from = 0; from < groups.length; from += GROUPS_AT_ONCE) {
    const rows = groups.slice(from, from + GROUPS_AT_ONCE).flatMap((group) => {
      const keys = { station, ...groupKeys(group, list) };
      if (group.spells) return group.spells.map((spell) => spellRow(keys, spell, list, style));
      if (list.above) return exceedanceRows(keys, group, list.above, list, style);
      if (group.rose === undefined) return [summaryRow(keys, group, list, style)];
      return roseRows(group.rose, list).map((row) => ({ ...keys, ...row }));
    });
    if (rows.length > 0) yield rows;
  }
}

/** The fields that tell which group a row is about, such as `month` and `hour_of_day`. */
function groupKeys({ keys }: Group, { by }: StatisticsList) {
  return Object.fromEntries(
    by.map((key, place) => [key.replaceAll('-', '_'), keys[place] ?? null]),
  );
}

function summaryRow(
  keys: FlatRow,
  { summary, held }: Group,
  list: StatisticsList,
  style: RowStyle,
): FlatRow {
  const suffix = style.isUnitInName ? SPEED_UNITS[list.unit].suffix : '';
  const row = { ...keys };
  for (const [name, { kind, read }] of Object.entries(FIELDS)) {
    const value = read(summary);
    const isSpeed = kind === 'speed' || kind === 'spread';
    row[isSpeed ? name + suffix : name] = isSpeed
      ? writeSpeed(value, kind, list.unit, style)
      : kind === 'time' && value !== null
        ? list.writeDate(formatDate(value))
        : value;
  }
  const beaufort = summary.beaufort ?? null;
  if (!style.isText) row.beaufort = beaufort;
  else for (let force = 0; force <= 12; force++) row[`bft_${force}`] = beaufort?.[force] ?? null;
  if (held !== undefined) {
    Object.assign(row, {
      hours: held.hours,
      share: held.share,
      days: held.days,
      best_month: held.bestMonth,
    });
  }
  return row;
}

/** Names of the fields of a spell whose values are in a unit of speed. */
const SPELL_SPEEDS = ['mean', 'gust'] as const;

/** The names of the fields of a spell, for a file without one. */
export function spellNames({ by, unit }: StatisticsList): string[] {
  const keys = by.map((key) => key.replaceAll('-', '_'));
  const speeds = SPELL_SPEEDS.map((name) => name + SPEED_UNITS[unit].suffix);
  return ['station', ...keys, 'start', 'stop', 'hours', ...speeds];
}

function spellRow(keys: FlatRow, spell: Spell, list: StatisticsList, style: RowStyle): FlatRow {
  const { start, stop } = spell;
  const suffix = style.isUnitInName ? SPEED_UNITS[list.unit].suffix : '';
  const speeds = SPELL_SPEEDS.map((name) => [
    name + suffix,
    writeSpeed(spell[name], 'speed', list.unit, style),
  ]);
  return {
    ...keys,
    start: list.writeDate(formatDate(start)),
    stop: list.writeDate(formatDate(stop)),
    hours: (stop - start) / HOUR_MS,
    ...Object.fromEntries(speeds),
  };
}

function exceedanceRows(
  keys: FlatRow,
  { exceedances }: Group,
  { numbers, kmh, unit }: Thresholds,
  list: StatisticsList,
  { isUnitInName }: RowStyle,
): FlatRow[] {
  const suffix = isUnitInName ? SPEED_UNITS[list.unit].suffix : '';
  return exceedances.map(({ hours, share, days, days1h }, place) => {
    const speed = exactSpeed(kmh[place] ?? null, list.unit);
    // A threshold stays the number that the user wrote, without the noise of a conversion.
    const above = unit === list.unit ? numbers[place] : Number(speed?.toPrecision(12));
    return { ...keys, [`above${suffix}`]: above ?? null, hours, share, days, days_1h: days1h };
  });
}

function climateRow(
  station: number,
  { month, years, leftOut, mean, highest, strongGustDays, ...others }: ClimateMonth,
  list: StatisticsList,
  style: RowStyle,
): FlatRow {
  const suffix = style.isUnitInName ? SPEED_UNITS[list.unit].suffix : '';
  const { maxGust, maxGustAt, maxGustDirection } = highest;
  return {
    station,
    month_of_year: month,
    years,
    years_left_out: leftOut,
    [`mean${suffix}`]: writeSpeed(mean, 'speed', list.unit, style),
    prevailing_direction: others.prevailingDirection,
    [`max_gust${suffix}`]: writeSpeed(maxGust, 'speed', list.unit, style),
    max_gust_direction: maxGustDirection,
    max_gust_at: maxGustAt === null ? null : list.writeDate(formatDate(maxGustAt)),
    ...Object.fromEntries(
      STRONG_GUSTS_MS.map((speed, place) => [`days_${speed}ms`, strongGustDays[place] ?? null]),
    ),
    coverage: others.coverage,
  };
}

function writeSpeed(speedKmh: number | null, kind: Kind, unit: SpeedUnit, { isText }: RowStyle) {
  // Neither a difference of speeds nor a parameter of their distribution has a Beaufort force.
  if (kind === 'spread' && isForceScale(unit)) return null;
  const speed = exactSpeed(speedKmh, unit);
  return speed !== null && isText ? round2(speed) : speed;
}

function roseRows({ sectors, calm }: Rose, { classes }: StatisticsList): FlatRow[] {
  const shares = (row: readonly number[]) =>
    Object.fromEntries(
      (classes?.lowest ?? []).map((_, place) => [`class_${place}`, row[place] ?? null]),
    );
  return [
    ...sectors.map((row, place): FlatRow => {
      const share = row.reduce((sum, part) => sum + part, 0);
      return { sector: (place * 360) / sectors.length, share, ...shares(row) };
    }),
    { sector: null, share: calm, ...shares([]) },
  ];
}
