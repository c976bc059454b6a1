import { HOUR_MS } from '../domain/dates.ts';
import type { Archive } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import { RefusedError } from '../errors.ts';
import type { ArchiveCallOptions, StationService } from './service.ts';

/** Shortest period after a split: status 413 for a shorter one has other reasons. */
const MIN_PERIOD_MS = HOUR_MS;

/**
 * Makes a service that halves a period which `inner` refuses with 413, although it is at most 31
 * days, and joins the responses to the halves.
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
