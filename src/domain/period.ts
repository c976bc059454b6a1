import { DAY_MS, formatDate, loadLuxon, subtractDuration } from './dates.ts';

/** An interval of time, `start ≤ time < stop`, in milliseconds since 1970. */
export interface Period {
  readonly start: number;
  readonly stop: number;
}

/**
 * Describes a period for messages: “from 2024-05-01T00:00:00.000Z to 2024-05-02T00:00:00.000Z”.
 * @param writeDate converts a date in UTC to a zone; without it the period is in UTC
 */
export function describePeriod(
  { start, stop }: Period,
  writeDate: (isoUtc: string) => string = (isoUtc) => isoUtc,
): string {
  return `from ${writeDate(formatDate(start))} to ${writeDate(formatDate(stop))}`;
}

/** The longest period of one request: 31 days, the length of a chunk. */
export const MAX_PERIOD_MS = 31 * DAY_MS;

/** The words that the service accepts as a start relative to now, each with its duration. */
const RELATIVE_STARTS: ReadonlyMap<string, string> = new Map([
  ['last-hour', 'PT1H'],
  ['last-day', 'P1D'],
  ['last-week', 'P1W'],
  ['last-month', 'P1M'],
]);

export const RELATIVE_START_WORDS = [...RELATIVE_STARTS.keys()];

/**
 * The words that the command line accepts as a start relative to now. Only the command line has
 * `last-year`, since one request to the service covers at most 31 days.
 */
const TYPED_STARTS = new Map([...RELATIVE_STARTS, ['last-year', 'P1Y']]);

export const TYPED_START_WORDS = [...TYPED_STARTS.keys()];

/** The words for days on the command line, each with its number of days before today. */
export const DAYS_AGO_BY_WORD: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

/**
 * The moment of a relative start such as `last-day`. `last-month` is a calendar month, which fits
 * into one request.
 * @param isTyped whether the word was typed on the command line, where `last-year` is valid too
 * @returns milliseconds since 1970; undefined for any other word
 */
export function relativeStart(word: string, now: number, isTyped = false): number | undefined {
  const duration = (isTyped ? TYPED_STARTS : RELATIVE_STARTS).get(word);
  return duration === undefined
    ? undefined
    : subtractDuration(now, loadLuxon().Duration.fromISO(duration));
}

/**
 * Splits a period into consecutive chunks of 31 days from its start; the last one is shorter. An
 * empty period becomes one empty chunk, so that a request still shows whether the service knows the
 * station. This is a generator, since centuries have many chunks.
 */
export function* planChunks({ start, stop }: Period): Generator<Period> {
  let from = start;
  do {
    const to = Math.min(from + MAX_PERIOD_MS, stop);
    yield { start: from, stop: to };
    from = to;
  } while (from < stop);
}

/**
 * Cuts off the part of a period after `now`, since no reading comes from the future. A period that
 * begins after `now` becomes empty.
 */
export function cutPeriodAtNow(now: number, { start, stop }: Period): Period {
  return { start, stop: Math.max(start, Math.min(stop, now)) };
}

/** Plans the chunks of a period that begin at or before `now`, and always the first chunk. */
export function planChunksUntilNow(now: number, period: Period): Period[] {
  return partsBegunByNow(planChunks(period), now, (chunk) => chunk);
}

/**
 * The parts that begin at or before `now`, and always the first part. Later parts have no rows yet.
 */
export function partsBegunByNow<T>(
  parts: Iterable<T>,
  now: number,
  periodOf: (part: T) => Period,
): T[] {
  const begun: T[] = [];
  for (const part of parts) {
    if (begun.length > 0 && periodOf(part).start > now) break;
    begun.push(part);
  }
  return begun;
}

/** The calendar units for `--split`. */
export const SPLIT_UNITS = ['year', 'month'] as const;
export type SplitUnit = (typeof SPLIT_UNITS)[number];

/** A part of the period of a split export, which becomes one file. */
export interface ExportPart {
  readonly period: Period;
  /**
   * The year (0 to 9999) and month (1 to 12) in which the part starts, in the zone of the export.
   */
  readonly year: number;
  readonly month: number;
}

/**
 * Splits a period where a year or month begins in a zone. Without a unit, the whole period is one
 * part; an empty period is one empty part. This is a generator, since a long period has many parts.
 * @param isWeekly whether to move each split to the end of a week, from Monday to Sunday
 */
export function* splitPeriod(
  { start, stop }: Period,
  unit: SplitUnit | undefined,
  zone = 'utc',
  isWeekly = false,
): Generator<ExportPart> {
  let from = start;
  do {
    const begin = loadLuxon().DateTime.fromMillis(from, { zone });
    const last = unit === undefined ? undefined : begin.endOf(unit);
    const end = isWeekly ? last?.endOf('week') : last;
    const to = end === undefined ? stop : Math.min(end.toMillis() + 1, stop);
    yield { period: { start: from, stop: to }, year: begin.year, month: begin.month };
    from = to;
  } while (from < stop);
}

/** Readings are final this long after the stop of their period: no station sends later. */
const CLOSED_AFTER_MS = DAY_MS;

/**
 * Whether the archive of a period can no longer change.
 * @param nowMs the current time, milliseconds since 1970
 */
export function isArchiveFinal({ stop }: Period, nowMs: number): boolean {
  return stop <= nowMs - CLOSED_AFTER_MS;
}

/** The service's polling interval: the minimum time between two requests for the same live data. */
export const POLLING_INTERVAL_MS = 60_000;
