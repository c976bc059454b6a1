import type { Columns } from '../domain/columns.ts';
import type { Period } from '../domain/period.ts';

/** What readings can be grouped by; the words of `--by`. */
export const GROUP_KEYS = [
  'hour',
  'day',
  'month',
  'year',
  'hour-of-day',
  'month-of-year',
  'sector',
] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

/** What to compute. */
export interface StatisticsOptions {
  /** The period asked for; its stop is at most now, since no reading is expected after that. */
  readonly period: Period;
  /** IANA name of the zone that hours, days, months and years are of, or `utc`. */
  readonly zone: string;
  /** At most two keys; none is one group for the whole period. */
  readonly by: readonly GroupKey[];
  /** An average below this is calm. */
  readonly calmKmh: number;
  /** Number of sectors of the rose and of the key `sector`. */
  readonly sectors: 8 | 12 | 16 | 32 | 36;
  /** Lowest speeds of the classes of the rose but the first, ascending, km/h; undefined without a rose. */
  readonly classesKmh: readonly number[] | undefined;
  /** Readings of interest; undefined without `--where`. */
  readonly where:
    | {
        /** Whether the condition holds for a row; undefined where unknown values leave it open. */
        readonly holds: (columns: Columns, row: number) => boolean | undefined;
        /** A day counts where the condition held for this long or more, milliseconds. */
        readonly leastMs: number;
      }
    | undefined;
}

/** Statistics of one station and one group. Null is not known; no number is NaN. Speeds in km/h. */
export interface WindSummary {
  /** Distinct times. */
  readonly readings: number;
  /** Readings without an average. */
  readonly missing: number;
  /** Milliseconds since 1970. */
  readonly first: number | null;
  readonly last: number | null;
  readonly stepS: number | null;
  /** 0 to 1. */
  readonly coverage: number | null;
  readonly gaps: number;
  readonly longestGap: { readonly start: number; readonly lengthS: number } | null;
  readonly mean: number | null;
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly maxGust: number | null;
  readonly maxGustAt: number | null;
  readonly minLull: number | null;
  /** Of the average and of the gust, in the order of {@link PERCENTILES}. */
  readonly percentiles: readonly (number | null)[];
  readonly gustPercentiles: readonly (number | null)[];
  /** 0 to 1. */
  readonly calm: number | null;
  readonly vectorSpeed: number | null;
  readonly vectorDirection: number | null;
  readonly prevailingDirection: number | null;
  readonly steadiness: number | null;
  readonly directionStd: number | null;
  readonly gustFactor: number | null;
  readonly weibullK: number | null;
  readonly weibullA: number | null;
  /** W/m². */
  readonly powerDensity: number | null;
  /** Shares of the forces 0 to 12, each 0 to 1. */
  readonly beaufort: readonly number[] | null;
}

export const PERCENTILES = [5, 10, 25, 50, 75, 90, 95, 99] as const;

/** Per cents of all readings that have an average and, unless calm, a direction. */
export interface Rose {
  /** By sector, clockwise from north, then by class. */
  readonly sectors: readonly (readonly number[])[];
  readonly calm: number;
  /** Readings that the per cents are of. */
  readonly count: number;
}

/** How often a condition held. */
export interface Held {
  readonly hours: number;
  /** Of the period, 0 to 1. */
  readonly share: number | null;
  /** Days of the zone with at least `leastMs` of it. */
  readonly days: number;
  /** The month of most hours, `2024-05`; null where it never held. */
  readonly bestMonth: string | null;
}

/** One group of one station. */
export interface Group {
  /** Its keys in the order of `by`: `2024-05-01T13:00:00+02:00`, `2024-05-01`, `2024-05`, `2024`, 13, 5, 22.5. */
  readonly keys: readonly (string | number)[];
  readonly summary: WindSummary;
  readonly rose: Rose | undefined;
  readonly held: Held | undefined;
}

/** Statistics of one station, computed in one pass. The order of `add` changes no result. */
export interface Statistics {
  /** Adds readings that ascend by time. A time that was added before counts once. */
  add(columns: Columns): void;
  /** Adds what another of the same options has seen. */
  merge(other: Statistics): void;
  /** All groups of the period in order, those without a reading too. */
  groups(): Group[];
}
