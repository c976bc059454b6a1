import type { Provenance } from '../domain/envelope.ts';
import { describePeriod, type Period } from '../domain/period.ts';
import type { Quality } from '../domain/quality/limits.ts';
import { type Chunk, NO_REPAIRS, type RowRepairs } from '../domain/readings/chunk.ts';
import { formatCount, printableMessage } from '../domain/text.ts';
import { NotFoundError, PartialError, type VaneError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Reporter } from '../output/reporter.ts';
import type { ChunkRequest, ChunkResult } from '../service/chunks.ts';

/** A station, and a period for which the request to the service failed. */
interface MissingRange {
  readonly station: number;
  readonly period: Period;
  readonly failure: VaneError;
}

/** What arrived of the readings of a command, what is missing, and what was left out. */
export class ReadingsAccount {
  /** Chunks requested, also those that failed. */
  chunks = 0;
  readonly missing: MissingRange[] = [];
  repairs: RowRepairs = NO_REPAIRS;
  /** License and source of the first chunk. */
  provenance: Partial<Provenance> | undefined;
  /** Readings that --quality left out. */
  leftOut = 0;
  /** Values that are missing because they were impossible. */
  impossible = 0;

  /** Counts the result of a request. @returns the chunk; undefined if the request failed */
  add(result: ChunkResult): Chunk | undefined {
    this.chunks++;
    if ('failure' in result) {
      this.#addMissing(result.request, result.failure);
      return undefined;
    }
    const { chunk } = result;
    this.provenance ??= chunk.head;
    this.repairs = {
      outside: this.repairs.outside + chunk.repairs.outside,
      disordered: this.repairs.disordered + chunk.repairs.disordered,
      repeated: this.repairs.repeated + chunk.repairs.repeated,
      conflicting: this.repairs.conflicting + chunk.repairs.conflicting,
    };
    return chunk;
  }

  /**
   * Adds a failed request to the missing periods. The period right after the last one, of the same
   * station and with the same kind of failure, makes that one longer.
   */
  #addMissing({ station, period }: ChunkRequest, failure: VaneError): void {
    const last = this.missing.at(-1);
    const continues =
      last?.station === station &&
      last.period.stop === period.start &&
      last.failure.constructor === failure.constructor;
    if (!continues) this.missing.push({ station, period, failure });
    else {
      const longer = { start: last.period.start, stop: period.stop };
      this.missing.splice(-1, 1, { ...last, period: longer });
    }
  }

  /** Throws the worst failure if every request failed. It is no PartialError: there are no data. */
  refuseNothing(io: Io): void {
    if (this.provenance !== undefined) return;
    if (this.missing.length > 1) this.#listMissing(io);
    const failures = this.missing.map(({ failure }) => failure);
    const worst = failures.find((failure) => !(failure instanceof NotFoundError)) ?? failures[0];
    if (worst !== undefined) throw worst;
  }

  /**
   * Lists on stderr the stations and periods whose requests failed.
   * @throws PartialError if there is any
   */
  refuseMissing(io: Io): void {
    const { length } = this.missing;
    if (length === 0) return;
    this.#listMissing(io);
    const [periods, them] =
      length === 1 ? ['One period is', 'it'] : [`${length} periods are`, 'them'];
    throw new PartialError(`${periods} missing. Run the same command again to fetch ${them}.`);
  }

  #listMissing(io: Io): void {
    for (const { station, period, failure } of this.missing) {
      const line = `Missing: station ${station} ${describePeriod(period)}. ${failure.message}`;
      io.stderr.write(`${printableMessage(line)}\n`);
    }
  }

  /** Notes how many readings were left out, and how many values were impossible. */
  note({ note }: Pick<Reporter, 'note'>, quality: Quality): void {
    if (this.leftOut > 0) {
      const [fail, are] = this.leftOut === 1 ? ['fails', 'is'] : ['fail', 'are'];
      const why = quality === 'pass' ? `${fail} or ${are} suspect` : fail;
      note(`Left out ${formatCount(this.leftOut, 'reading')} that ${why} (--quality ${quality}).`);
    }
    if (this.impossible === 0) return;
    const count = this.impossible === 1 ? 'counts' : 'count';
    note(
      `${formatCount(this.impossible, 'impossible value')} ${count} as missing: ` +
        'speeds below 0 or over 450 km/h, directions outside 0 to 360.',
    );
  }
}

/**
 * Notes at which stations readings without an average came.
 * @param missing their number, by station
 */
export function noteMissingAverages(
  missing: ReadonlyMap<number, number>,
  { note }: Pick<Reporter, 'note'>,
): void {
  const stations = [...missing].filter(([, count]) => count > 0);
  const total = stations.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return;
  const [only, ...others] = stations;
  const owner = others.length === 0 ? `station ${only?.[0]}` : `${stations.length} stations`;
  note(
    `${formatCount(total, 'reading')} of ${owner} ${total === 1 ? 'has' : 'have'} no mean: ` +
      'coverage and hours leave such readings out.',
  );
}
