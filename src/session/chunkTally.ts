import type { Archive, Provenance } from '../domain/envelope.ts';
import { describePeriod, type Period } from '../domain/period.ts';
import { printableMessage } from '../domain/text.ts';
import { NotFoundError, PartialError, type VaneError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { ChunkRequest, ChunkResult } from '../service/chunks.ts';

/** A station, and a period for which the request to the service failed. */
interface MissingRange {
  readonly station: number;
  period: Period;
  readonly failure: VaneError;
}

/** Counts responses with archives and their rows; keeps missing periods and the data's source. */
export class ChunkTally {
  chunks = 0;
  rows = 0;
  readonly missing: MissingRange[] = [];
  provenance: Provenance | undefined;

  /** Counts the result of a request. @returns the response; undefined if the request failed */
  take(result: ChunkResult): Archive | undefined {
    this.chunks++;
    if ('failure' in result) {
      this.#addMissing(result.request, result.failure);
      return undefined;
    }
    const { archive } = result;
    this.rows += archive.rows.count;
    this.provenance ??= archive;
    return archive;
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
    if (continues) last.period = { start: last.period.start, stop: period.stop };
    else this.missing.push({ station, period, failure });
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
}
