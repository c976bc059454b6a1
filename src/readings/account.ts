import type { Provenance } from '../domain/envelope.ts';
import { describePeriod, type Period } from '../domain/period.ts';
import type { Quality } from '../domain/quality/limits.ts';
import { type Chunk, NO_REPAIRS, type RowRepairs } from '../domain/readings/chunk.ts';
import { formatCount, printableMessage } from '../domain/text.ts';
import { NotFoundError, PartialError, type VaneError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Reporter } from '../output/reporter.ts';
import type { ChunkRequest, ChunkResult } from '../service/chunks.ts';

/** A period of a station for which the request failed. */
interface MissingRange {
  readonly station: number;
  readonly period: Period;
  readonly failure: VaneError;
}

/** Counts the received, missing and skipped readings of a command. */
export class ReadingsAccount {
  /** Number of requested chunks, including failed ones. */
  chunks = 0;
  readonly missing: MissingRange[] = [];
  repairs: RowRepairs = NO_REPAIRS;
  /** License and attribution of the first chunk. */
  provenance: Partial<Provenance> | undefined;
  /** Number of readings left out by --quality. */
  leftOut = 0;
  /** Number of impossible values that were replaced by missing ones. */
  impossible = 0;

  /**
   * Counts the result of a request.
   * @returns the chunk; undefined if the request failed
   */
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
   * Adds the period of a failed request. If it follows directly on the last missing period, with
   * the same station and kind of failure, both are joined.
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

  /**
   * Throws the worst failure if every request failed. This is no PartialError, since there are no
   * data at all.
   */
  refuseNothing(io: Io): void {
    if (this.provenance !== undefined) return;
    if (this.missing.length > 1) this.#listMissing(io);
    const failures = this.missing.map(({ failure }) => failure);
    const worst = failures.find((failure) => !(failure instanceof NotFoundError)) ?? failures[0];
    if (worst !== undefined) throw worst;
  }

  /**
   * Lists the missing periods of stations on stderr.
   * @throws PartialError if there are any
   */
  refuseMissing(io: Io): void {
    const { length } = this.missing;
    if (length === 0) return;
    this.#listMissing(io);
    const [periods, them] =
      length === 1 ? ['One period is', 'it'] : [`${length} periods are`, 'them'];
    const isUnknown = this.missing.every(({ failure }) => failure instanceof NotFoundError);
    const advice = isUnknown
      ? 'The service does not know the stations listed above: remove them.'
      : `Run the same command again to fetch ${them}.`;
    throw new PartialError(`${periods} missing. ${advice}`);
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
 * Notes which stations have readings without an average.
 * @param missing the number of such readings, by station
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
