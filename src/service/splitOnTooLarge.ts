import { HOUR_MS } from '../domain/dates.ts';
import type { Archive } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import { RefusedError } from '../errors.ts';
import type { ArchiveCallOptions, StationService } from './service.ts';

/** Shorter periods are not split: status 413 must then have another reason. */
const MIN_PERIOD_MS = HOUR_MS;

/**
 * Wraps a service: if it refuses a period of at most 31 days with 413, both halves are requested
 * and joined.
 */
export function splitOnTooLarge(inner: StationService): StationService {
  async function archive(
    station: number,
    period: Period,
    call?: ArchiveCallOptions,
  ): Promise<Archive> {
    try {
      return await inner.archive(station, period, call);
    } catch (error) {
      const { start, stop } = period;
      const isTooLarge = error instanceof RefusedError && error.status === 413;
      if (!isTooLarge || stop - start < 2 * MIN_PERIOD_MS) throw error;
      const middle = Math.floor((start + stop) / 2);
      const first = await archive(station, { start, stop: middle }, call);
      const second = await archive(station, { start: middle, stop }, call);
      return { ...first, rows: first.rows.followedBy(second.rows) };
    }
  }
  return { ...inner, archive };
}
