import { formatDate } from '../../domain/dates.ts';
import type { Archive } from '../../domain/envelope.ts';
import { describePeriod, type Period } from '../../domain/period.ts';
import type { Rows } from '../../domain/rows.ts';
import { NotInterfaceError } from '../../errors.ts';
import type { StationService } from '../service.ts';

/** The interface has four levels, and fields that it does not name a few more. */
const MAX_DEPTH = 64;

/**
 * A service whose answers can be written again.
 * @throws NotInterfaceError for an answer that is nested deeper than any station is
 */
export function soundService(service: StationService): StationService {
  return {
    live: async (station, options) =>
      checkDepth(await service.live(station, options), `station ${station}`),
    liveAll: async (options) => checkDepth(await service.liveAll(options), 'all stations'),
    async archive(station, period, options) {
      const archive = await service.archive(station, period, options);
      checkArchive(archive, `the archive of station ${station} ${describePeriod(period)}`);
      return archive;
    },
  };
}

/** Whether an archive says anything of a period. */
export function hasRowsOf({ rows }: Archive, { start, stop }: Period): boolean {
  return rows.hasAny(formatDate(start), formatDate(stop));
}

function checkArchive({ rows, ...head }: Archive, subject: string): void {
  checkDepth(head, subject);
  if (hasNesting(rows)) checkDepth(rows.readings, subject);
}

/** Whether a value of a row may be an array or an object; that of the interface never is. */
function hasNesting(rows: Rows): boolean {
  try {
    return rows.bytes.includes('[') || rows.bytes.includes('{');
  } catch (error) {
    // They could not even be written.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** Level by level, since a function that calls itself would run out of stack where it matters. */
function checkDepth<T extends object>(answer: T, subject: string): T {
  let level: unknown[] = [answer];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new NotInterfaceError(
        `The answer for ${subject} is nested deeper than any station is.`,
      );
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return answer;
}
