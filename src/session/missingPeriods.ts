import { describePeriod, type Period } from '../domain/period.ts';
import { printableMessage } from '../domain/text.ts';
import { NotFoundError, PartialError, type VaneError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { ChunkRequest } from '../service/chunks.ts';

/** A station, and a period for which the request to the service failed. */
export interface MissingRange {
  readonly station: number;
  period: Period;
  readonly failure: VaneError;
}

/**
 * Adds a failed request to the missing periods. The period right after the last one, of the same
 * station and with the same kind of failure, makes that one longer.
 */
export function addMissing(
  missing: MissingRange[],
  { station, period }: ChunkRequest,
  failure: VaneError,
): void {
  const last = missing.at(-1);
  const continues =
    last?.station === station &&
    last.period.stop === period.start &&
    last.failure.constructor === failure.constructor;
  if (continues) last.period = { start: last.period.start, stop: period.stop };
  else missing.push({ station, period, failure });
}

/** Throws the worst failure, if any. It is no PartialError: the command wrote no data. */
export function refuseNothing(missing: readonly MissingRange[], io: Io): void {
  if (missing.length > 1) listMissing(missing, io);
  const failures = missing.map(({ failure }) => failure);
  const worst = failures.find((failure) => !(failure instanceof NotFoundError)) ?? failures[0];
  if (worst !== undefined) throw worst;
}

/**
 * Lists on stderr the stations and periods whose requests failed.
 * @throws PartialError if there is any
 */
export function refuseMissing(missing: readonly MissingRange[], io: Io): void {
  if (missing.length === 0) return;
  listMissing(missing, io);
  const ranges = missing.length === 1 ? 'One range is' : `${missing.length} ranges are`;
  throw new PartialError(`${ranges} missing; the same command requests them again.`);
}

function listMissing(missing: readonly MissingRange[], io: Io): void {
  for (const { station, period, failure } of missing) {
    const line = `Missing: station ${station} ${describePeriod(period)}. ${failure.message}`;
    io.stderr.write(`${printableMessage(line)}\n`);
  }
}
