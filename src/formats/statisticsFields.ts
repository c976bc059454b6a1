import { formatDate, HOUR_MS } from '../domain/dates.ts';
import { exactSpeed, isForceScale, round2, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import { type ClimateMonth, climateOf } from '../statistics/climate.ts';
import { PERCENTILES } from '../statistics/distribution.ts';
import type { Group, Rose, Spell, WindSummary } from '../statistics/statistics.ts';
import type { StationStatistics, StatisticsList, Thresholds } from './format.ts';

/**
 * The kind of value in a field of statistics. A `spread` is a difference of speeds, or a parameter
 * of their distribution.
 */
type Kind = 'speed' | 'spread' | 'time' | 'plain';

interface Field<T> {
  readonly kind: Kind;
  readonly read: (item: T) => number | null;
}

/** Fields by name, in order of output. */
type Fields<T> = Readonly<Record<string, Field<T>>>;

const field =
  (kind: Kind) =>
  <T>(read: Field<T>['read']): Field<T> => ({ kind, read });
const plain = field('plain');
const speed = field('speed');
const spread = field('spread');
const time = field('time');

const percentiles = (prefix: string, name: 'percentiles' | 'gustPercentiles') =>
  Object.fromEntries(
    PERCENTILES.map((p, place) => [
      `${prefix}p${p}`,
      speed<WindSummary>((summary) => summary[name][place] ?? null),
    ]),
  );

type Summary = WindSummary & Pick<Group, 'frequency'>;

/** The fields of a group's statistics, without the shares of Beaufort forces. */
const FIELDS: Fields<Summary> = {
  // With `--by sector` two sectors may share a reading.
  readings: plain(({ readings }) => Math.round(readings)),
  frequency: plain(({ frequency }) => frequency ?? null),
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

// The fields of a sector. They have no coverage, since it is the same for all sectors of a period.
const { coverage: _coverage, ...SECTOR_FIELDS } = FIELDS;
const { frequency: _frequency, ...TIME_FIELDS } = FIELDS;

const SPELL_FIELDS: Fields<Spell> = {
  start: time(({ start }) => start),
  stop: time(({ stop }) => stop),
  hours: plain(({ start, stop }) => (stop - start) / HOUR_MS),
  mean: speed(({ mean }) => mean),
  gust: speed(({ gust }) => gust),
};

const CLIMATE_FIELDS: Fields<ClimateMonth> = {
  month_of_year: plain(({ month }) => month),
  years: plain(({ years }) => years),
  years_left_out: plain(({ leftOut }) => leftOut),
  mean: speed(({ mean }) => mean),
  prevailing_direction: plain(({ prevailingDirection }) => prevailingDirection),
  max_gust: speed(({ highest }) => highest?.maxGust ?? null),
  max_gust_direction: plain(({ highest }) => highest?.maxGustDirection ?? null),
  max_gust_at: time(({ highest }) => highest?.maxGustAt ?? null),
  days_16ms: plain(({ strongGustDays }) => strongGustDays[0] ?? null),
  days_28ms: plain(({ strongGustDays }) => strongGustDays[1] ?? null),
  coverage: plain(({ coverage }) => coverage),
};

const isSpeed = ({ kind }: { readonly kind: Kind }): boolean =>
  kind === 'speed' || kind === 'spread';

/** Names of the fields of a list whose values are in a unit of speed. */
export function speedFields(list: StatisticsList): readonly string[] {
  if (list.classes) return ['classes'];
  if (list.above && !list.isClimate) return ['above'];
  const fields = list.isClimate ? CLIMATE_FIELDS : list.isSpells ? SPELL_FIELDS : FIELDS;
  return Object.entries<{ readonly kind: Kind }>(fields).flatMap(([name, field]) =>
    isSpeed(field) ? [name] : [],
  );
}

type FlatRow = Record<string, number | string | null | readonly number[]>;

interface RowStyle {
  /** Whether names of speeds end in a unit other than km/h: `mean_kn`. */
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
    yield climateOf(groups, period, list.zone).map((month) => ({
      station,
      ...writeFields(CLIMATE_FIELDS, month, list, style),
    }));
    return;
  }
  for (let from = 0; from < groups.length; from += GROUPS_AT_ONCE) {
    const rows = groups.slice(from, from + GROUPS_AT_ONCE).flatMap((group) => {
      const keys = { station, ...groupKeys(group, list) };
      if (group.spells) {
        return group.spells.map((spell) => ({
          ...keys,
          ...writeFields(SPELL_FIELDS, spell, list, style),
        }));
      }
      if (list.above) return exceedanceRows(keys, group, list.above, list, style);
      if (group.rose === undefined) return [summaryRow(keys, group, list, style)];
      return roseRows(group.rose, list).map((row) => ({ ...keys, ...row }));
    });
    if (rows.length > 0) yield rows;
  }
}

/** The fields that name the group of a row, such as `month` and `hour_of_day`. */
function groupKeys({ keys }: Group, { by }: StatisticsList) {
  return Object.fromEntries(
    by.map((key, place) => [key.replaceAll('-', '_'), keys[place] ?? null]),
  );
}

function summaryRow(
  keys: FlatRow,
  { summary, frequency, held }: Group,
  list: StatisticsList,
  style: RowStyle,
): FlatRow {
  const fields = list.by.includes('sector') ? SECTOR_FIELDS : TIME_FIELDS;
  const row: FlatRow = {
    ...keys,
    ...writeFields(fields, { ...summary, frequency }, list, style),
  };
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

/** The names of the fields of a spell, for a file without one. */
export function spellNames({ by, unit }: StatisticsList): string[] {
  const keys = by.map((key) => key.replaceAll('-', '_'));
  const { suffix } = SPEED_UNITS[unit];
  const names = Object.entries(SPELL_FIELDS).map(([name, field]) =>
    isSpeed(field) ? name + suffix : name,
  );
  return ['station', ...keys, ...names];
}

function exceedanceRows(
  keys: FlatRow,
  { exceedances }: Group,
  { kmh }: Thresholds,
  list: StatisticsList,
  { isUnitInName }: RowStyle,
): FlatRow[] {
  const suffix = isUnitInName ? SPEED_UNITS[list.unit].suffix : '';
  return exceedances.map(({ hours, share, days, days1h }, place) => {
    const speed = exactSpeed(kmh[place] ?? 0, list.unit) as number;
    // Without the noise of a conversion a speed is the number that the user wrote.
    const above = Number(speed.toPrecision(12));
    return { ...keys, [`above${suffix}`]: above, hours, share, days, days_1h: days1h };
  });
}

function writeFields<T>(
  fields: Fields<T>,
  item: T,
  list: StatisticsList,
  style: RowStyle,
): FlatRow {
  const suffix = style.isUnitInName ? SPEED_UNITS[list.unit].suffix : '';
  const row: FlatRow = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field.read(item);
    if (isSpeed(field)) row[name + suffix] = writeSpeed(value, field.kind, list.unit, style);
    else if (field.kind === 'plain' || value === null) row[name] = value;
    else row[name] = list.writeDate(formatDate(value));
  }
  return row;
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
