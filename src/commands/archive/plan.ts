import { dirname } from 'node:path';
import {
  MAX_PERIOD_MS,
  type Part,
  type Period,
  planChunks,
  type SplitUnit,
  splitPeriod,
} from '../../domain/period.ts';
import { UsageError } from '../../errors.ts';
import type { Target } from '../../output/target.ts';
import { expandTemplate, type Template } from '../../output/template.ts';
import type { ChunkRequest } from '../../service/chunks.ts';
import type { AppendLayout } from './append/layout.ts';
import type { Lock } from './append/lock.ts';
import { readTail, remainingPeriod, type Tail } from './append/tail.ts';

/** A station of an export; `name` is undefined where no file is named after it. */
export interface ExportStation {
  readonly id: number;
  readonly name: string | undefined;
}

/** Requests of a plan, made one by one, since there may be millions. */
export interface Requests extends Iterable<ChunkRequest> {
  readonly count: number;
}

/** A file or stdout with the requests whose rows it gets, by station and then by time. */
export interface Destination {
  readonly target: Target;
  /** Folder to create first, where a template names the file. */
  readonly folder: string | undefined;
  readonly stations: readonly number[];
  readonly period: Period;
  readonly requests: Requests;
  /** End of the existing file that `--append` continues. */
  readonly tail?: Tail | undefined;
  /** Lock against other processes that append to the same file. */
  readonly lock?: Lock | undefined;
}

export interface PlanOptions {
  readonly stations: readonly ExportStation[];
  readonly period: Period;
  /** Milliseconds since 1970; later chunks have no rows yet and are not requested. */
  readonly now: number;
  readonly split: SplitUnit | undefined;
  readonly target: Target;
  /** Names a file for each station and part; undefined for a single destination. */
  readonly template: Template | undefined;
}

/**
 * Assigns the chunks of all stations to destinations, by station and then by time.
 * @throws UsageError when two stations would be written to one file
 */
export function planExport(options: PlanOptions): Destination[] {
  const { stations, period, now, split, target, template } = options;
  if (template === undefined) {
    const ids = stations.map(({ id }) => id);
    const requests = requestsFor(ids, period, now);
    return [{ target, folder: undefined, stations: ids, period, requests }];
  }
  const parts = partsUntil(splitPeriod(period, split), now);
  const destinations = stations.flatMap((station) =>
    parts.map((part): Destination => {
      const path = expandTemplate(template, valuesOf(station, part));
      const place = { target: { ...target, path }, folder: dirname(path) };
      const requests = requestsFor([station.id], part.period, now);
      return { ...place, stations: [station.id], period: part.period, requests };
    }),
  );
  refuseSharedFiles(destinations);
  return destinations;
}

/** The parts that begin by `now`, and the first in any case. */
function partsUntil(parts: Iterable<Part>, now: number): Part[] {
  const begun: Part[] = [];
  for (const part of parts) {
    if (begun.length > 0 && part.period.start > now) break;
    begun.push(part);
  }
  return begun;
}

/** Requests for the chunks that begin by `now`, and for the first chunk in any case. */
function requestsFor(stations: readonly number[], period: Period, now: number): Requests {
  const { start, stop } = period;
  const all = Math.max(1, Math.ceil((stop - start) / MAX_PERIOD_MS));
  const begun = Math.min(all, Math.max(1, Math.floor((now - start) / MAX_PERIOD_MS) + 1));
  return {
    count: stations.length * begun,
    *[Symbol.iterator]() {
      for (const station of stations) {
        let left = begun;
        for (const chunk of planChunks(period)) {
          if (left-- === 0) break;
          yield { station, period: chunk };
        }
      }
    },
  };
}

function valuesOf({ id, name = '' }: ExportStation, { year, month, period }: Part) {
  return { station: id, name, year, month, period };
}

/**
 * The rest of a plan whose files exist in part. Each station continues after the last row of its
 * newest file; its older files are complete.
 * @param lock the lock on all files of the plan; undefined for `--dry-run`
 * @throws UsageError for a file that is not such an export; OutputError when it cannot be read
 */
export async function continuePlan(
  plan: readonly Destination[],
  layout: AppendLayout,
  now: number,
  lock?: Lock,
): Promise<Destination[]> {
  const remaining: Destination[] = [];
  for (const destination of plan) {
    const { target, stations, period } = destination;
    const tail = await readTail(target.path as string, layout);
    if (tail !== undefined) {
      while (remaining.at(-1)?.stations[0] === stations[0]) remaining.pop();
    }
    const requests = requestsFor(stations, remainingPeriod(period, tail), now);
    remaining.push({ ...destination, tail, lock, requests });
  }
  return remaining;
}

function refuseSharedFiles(destinations: readonly Destination[]): void {
  const stationOf = new Map<string | undefined, number | undefined>();
  for (const { target, stations } of destinations) {
    const [station] = stations;
    // Names that differ only in case are one file on macOS and Windows.
    const file = target.path?.normalize('NFC').toLowerCase();
    if (stationOf.has(file)) {
      throw new UsageError(
        `Stations ${stationOf.get(file)} and ${station} would both be written to ${target.path}; put {station} into --output.`,
      );
    }
    stationOf.set(file, station);
  }
}
