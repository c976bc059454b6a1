import type { Archive } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';

/** How long an answer is valid. Times are milliseconds since 1970. */
export interface Validity {
  /** When the service was asked for the data. */
  readonly askedMs: number;
  /** Until when the service is not asked again; Infinity for data that are final. */
  readonly freshUntilMs: number;
  /** Whether a later request for the data has failed. */
  readonly isStale: boolean;
}

/** An answer shared by many clients, and how long it is valid. */
export interface Cached<T> extends Validity {
  readonly data: T;
}

/** How an answer is requested from a cache. */
export interface CacheCall {
  /** Aborts when no client waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The first client that asked for the answer: the queue counts the requests of each client. */
  readonly client: string;
}

/** The key of an archive of a station. */
export function keyOf(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/**
 * Whether a time is less than `forMs` ago; false for a future time, since the clock was set back
 * then.
 */
export function isWithin(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}

export const isFinal = ({ freshUntilMs }: Validity): boolean =>
  freshUntilMs === Number.POSITIVE_INFINITY;

/** How long an answer of several parts is valid. @param parts one or more */
export function joinValidity(parts: readonly Validity[]): Validity {
  const open = parts.filter((part) => !isFinal(part));
  return {
    // The oldest open part dates the answer, so that its date never goes back when parts are
    // requested again.
    askedMs: Math.min(...(open.length > 0 ? open : parts).map(({ askedMs }) => askedMs)),
    freshUntilMs: Math.min(...parts.map(({ freshUntilMs }) => freshUntilMs)),
    isStale: false,
  };
}

/**
 * Cuts an archive to the rows of a period, sorted by time: a service may include `stop`, or send
 * rows in any order.
 */
export function cutArchive(archive: Archive, period: Period): Archive {
  const rows = archive.rows.within(period);
  return rows === archive.rows ? archive : { ...archive, rows };
}
