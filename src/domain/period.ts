import { DAY_MS, formatDate, loadLuxon, subtractDuration } from './dates.ts';

/** An interval of time, `start ≤ time < stop`, in milliseconds since 1970. */
export interface Period {
  readonly start: number;
  readonly stop: number;
}

/**
 * A period in words for messages: “from 2024-05-01T00:00:00.000Z to 2024-05-02T00:00:00.000Z”.
 * @param writeDate writes a date of UTC in a zone; without it the period is in UTC
 */
export function describePeriod(
  { start, stop }: Period,
  writeDate: (isoUtc: string) => string = (isoUtc) => isoUtc,
): string {
  return `from ${writeDate(formatDate(start))} to ${writeDate(formatDate(stop))}`;
}

/** The longest period of one request to the service: 31 days, the length of a chunk. */
export const MAX_PERIOD_MS = 31 * DAY_MS;

/**
 * Words that the service accepts as a relative start, each with the duration from that start to
 * now.
 */
const RELATIVE_STARTS: ReadonlyMap<string, string> = new Map([
  ['last-hour', 'PT1H'],
  ['last-day', 'P1D'],
  ['last-week', 'P1W'],
  ['last-month', 'P1M'],
]);

export const RELATIVE_START_WORDS = [...RELATIVE_STARTS.keys()];

/**
 * Words that the command line accepts as a relative start. The service knows no `last-year`, since
 * a request covers at most 31 days.
 */
const TYPED_STARTS = new Map([...RELATIVE_STARTS, ['last-year', 'P1Y']]);

export const TYPED_START_WORDS = [...TYPED_STARTS.keys()];

/** Words of the command line for the start of a day, each with the number of days before today. */
export const DAYS_AGO_BY_WORD: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

/**
 * The moment that a relative start such as `last-day` means. `last-month` is a calendar month,
 * which fits into one request.
 * @param isTyped whether the word was typed on the command line, where `last-year` exists too
 * @returns milliseconds since 1970, or undefined for any other word
 */
export function relativeStart(word: string, now: number, isTyped = false): number | undefined {
  const duration = (isTyped ? TYPED_STARTS : RELATIVE_STARTS).get(word);
  return duration === undefined
    ? undefined
    : subtractDuration(now, loadLuxon().Duration.fromISO(duration));
}

/**
 * Cuts a period into consecutive chunks: 31 days each from its start, the last one shorter. An
 * empty period is one empty chunk, so that a request still shows whether the service knows the
 * station. The chunks are made one by one, so that a period of centuries takes no memory.
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
 * A period without its part after `now`, since no reading comes from the future. A period that
 * begins after `now` is empty.
 */
export function cutPeriodAtNow(now: number, { start, stop }: Period): Period {
  return { start, stop: Math.max(start, Math.min(stop, now)) };
}

/** The chunks of a period that begin at or before `now`; the first chunk in any case. */
export function planChunksUntilNow(now: number, period: Period): Period[] {
  return partsBegunByNow(planChunks(period), now, (chunk) => chunk);
}

/**
 * The parts of a period that begin at or before `now`, and the first part in any case: later parts
 * have no rows.
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

/** Calendar units that `--split` cuts an export by. */
export const SPLIT_UNITS = ['year', 'month'] as const;
export type SplitUnit = (typeof SPLIT_UNITS)[number];

/** The part of an export's period that goes into one of its files. */
export interface ExportPart {
  readonly period: Period;
  /** Year (0 to 9999) and month (1 to 12) of the start of the part, in the zone of the export. */
  readonly year: number;
  readonly month: number;
}

/**
 * Cuts a period where a year or month begins in a zone. Without a unit the period is one part; an
 * empty period is one empty part. The parts are made one by one, as in {@link planChunks}.
 * @param isWeekly whether each part but the last ends with a whole week, from Monday on
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

/** The readings of a period are final this long after its stop: no station sends so late. */
const CLOSED_AFTER_MS = DAY_MS;

/**
 * Whether the archive of a period can no longer change.
 * @param nowMs milliseconds since 1970
 */
export function isArchiveFinal({ stop }: Period, nowMs: number): boolean {
  return stop <= nowMs - CLOSED_AFTER_MS;
}

/** The service's polling interval: the least time between two requests for the same live data. */
export const POLLING_INTERVAL_MS = 60_000;
