/** The tests of `vane check` in order of output, with what each finds. */
const QUALITY_TEST_MEANINGS = {
  gap: 'time without a mean',
  range: 'unlikely or impossible values',
  order: 'a lull above the mean, or a mean above the gust',
  rate: 'a mean that changes too fast',
  spike: 'a value far above or far below both of its neighbours',
  flat: 'values that do not change',
  position: 'a station that moved',
  time: 'rows whose time cannot be right',
} as const;
export type QualityTestName = keyof typeof QUALITY_TEST_MEANINGS;
export const QUALITY_TEST_NAMES = Object.keys(QUALITY_TEST_MEANINGS) as QualityTestName[];

/** The result of a test: 0 for no fault, 1 and 2 as named in {@link FAULT_LEVELS}. */
export type FaultLevel = 0 | 1 | 2;
/** The names of the fault levels 1 and 2. */
export const FAULT_LEVELS = ['suspect', 'fail'] as const;

/** The flags of a reading, with the numbers of QARTOD. */
export const QUALITY_FLAGS = { pass: 1, notEvaluated: 2, suspect: 3, fail: 4, missing: 9 } as const;
export type QualityFlag = (typeof QUALITY_FLAGS)[keyof typeof QUALITY_FLAGS];

/** For each value of `--quality`, the flags of the readings to leave out. */
export const EXCLUDED_FLAGS = { pass: [3, 4], suspect: [4], all: [] } as const;
export type Quality = keyof typeof EXCLUDED_FLAGS;

/** The limits of a test: values above `suspect` are suspect, values above `fail` fail. */
export interface QualityLimit {
  readonly test: QualityTestName;
  /** What is compared with the limit, such as a rate of change. */
  readonly kind: string;
  readonly suspect: number;
  readonly fail: number;
  /** The document that the limit is from. */
  readonly source: string;
}
const limit = (
  test: QualityTestName,
  kind: string,
  suspect: number,
  fail: number,
  source: string,
): QualityLimit => ({ test, kind, suspect, fail, source });
const NONE = Number.POSITIVE_INFINITY;

/**
 * Manual for Real-Time Quality Control of Wind Data (IOOS, 2017). The manual leaves all limits to
 * the operator; this one is its example for the time between averages.
 */
const QARTOD = 'QARTOD';
/**
 * Guide to the Global Observing System, after Zahumenský (2004), Guidelines on Quality Control
 * Procedures for Data from Automatic Weather Stations. An average is at most 75 m/s. A change of
 * over 10 m/s between two averages (here 4 minutes apart) is suspect, and of over 20 m/s wrong.
 * Average and direction vary within an hour.
 */
const WMO = 'WMO-No. 488';
/** Meteorological Monitoring Guidance: speed and direction vary within three hours. */
const EPA = 'EPA-454/R-99-005';
/** Values that turned out to be faults of cheap stations in windy places. */
const NETWORKS = 'experience of such networks';
const FLAT = `${WMO}; ${EPA}`;

/**
 * All limits of the tests, with their sources. A value above the first number is suspect, and above
 * the second it fails. If there are two sources, the first is for the first number.
 */
export const QUALITY_LIMITS = {
  gap: limit('gap', 'hours between averages', 1, 6, `${QARTOD}; ${NETWORKS}`),
  average: limit('range', 'average in km/h', 140, 270, `${NETWORKS}; ${WMO}`),
  gust: limit('range', 'gust in km/h', 250, 450, NETWORKS),
  order: limit('order', 'lull less average, average less gust in km/h', NONE, 0.5, NETWORKS),
  rate: limit('rate', 'change of the average in km/h per second', 0.15, 0.3, WMO),
  averageSpike: limit('spike', 'step of the average in km/h', 30, 60, NETWORKS),
  gustSpike: limit('spike', 'step of the gust in km/h', 60, 120, NETWORKS),
  flatAverage: limit('flat', 'hours of equal averages, each gust over 4 km/h', 1, 3, FLAT),
  flatDirection: limit('flat', 'hours of equal directions, averages over 10 km/h', 1, 3, FLAT),
  calm: limit('flat', 'hours of average and gust 0', 48, 14 * 24, NETWORKS),
  moved: limit('position', 'move in metres', 200, NONE, NETWORKS),
} as const;

/**
 * More than the rounding error of a difference of two speeds, but less than any instrument's
 * resolution.
 */
const NOISE = 1e-9;

/** Compares a value with its limits. An unknown value (NaN) is no fault. */
export function faultLevelOf(value: number, { suspect, fail }: QualityLimit): FaultLevel {
  if (value > fail + NOISE) return 2;
  return value > suspect + NOISE ? 1 : 0;
}
