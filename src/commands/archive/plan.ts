import { dirname } from 'node:path';
import { type Part, type SplitUnit, splitPeriod } from '../../domain/parts.ts';
import { MAX_PERIOD_MS, type Period, planChunks } from '../../domain/period.ts';
import { UsageError } from '../../errors.ts';
import type { Target } from '../../output/target.ts';
import { expandTemplate, type Template } from '../../output/template.ts';
import type { ChunkRequest } from '../../service/chunks.ts';
import type { AppendLayout } from './append/layout.ts';
import type { Lock } from './append/lock.ts';
import { readTail, remainingPeriod, type Tail } from './append/tail.ts';

/** A station of an export; its name is known where a file is named after it. */
export interface ExportStation {
  readonly id: number;
  readonly name: string | undefined;
}

/** Requests that are made up as they are asked for: a plan may be for millions. */
export interface Requests extends Iterable<ChunkRequest> {
  readonly count: number;
}

/** What goes to one place: periods of stations, one after the other. */
export interface Destination {
  readonly target: Target;
  /** Folder to be made first, where the file is named by a template. */
  readonly folder: string | undefined;
  readonly stations: readonly number[];
  readonly period: Period;
  readonly requests: Requests;
  /** What is there already, where it is to be continued. */
  readonly tail?: Tail | undefined;
  /** What keeps others from continuing it at the same time. */
  readonly lock?: Lock | undefined;
}

export interface PlanOptions {
  readonly stations: readonly ExportStation[];
  readonly period: Period;
  /** Milliseconds since 1970 past which nothing is asked for: nothing was measured there yet. */
  readonly now: number;
  readonly split: SplitUnit | undefined;
  readonly target: Target;
  /** Names a file for each station and part; undefined where everything goes to one place. */
  readonly template: Template | undefined;
}

/**
 * Says which windows of which stations go where, in the order of stations, then of time.
 * @throws UsageError when two stations would be written to one file
 */
export function planExport(options: PlanOptions): Destination[] {
  const { stations, period, now, split, target, template } = options;
  if (template === undefined) {
    const ids = stations.map(({ id }) => id);
    const requests = requestsFor(ids, period, now);
    return [{ target, folder: undefined, stations: ids, period, requests }];
  }
  const parts = takeBegun(splitPeriod(period, split), now);
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

/** The first of what follows each other in time, and the rest as far as it has begun by now. */
function takeBegun(parts: Iterable<Part>, now: number): Part[] {
  const begun: Part[] = [];
  for (const part of parts) {
    if (begun.length > 0 && part.period.start > now) break;
    begun.push(part);
  }
  return begun;
}

/** Windows of 31 days, the first of them in any case and the others as far as they have begun. */
function requestsFor(stations: readonly number[], period: Period, now: number): Requests {
  const { start, stop } = period;
  const all = Math.max(1, Math.ceil((stop - start) / MAX_PERIOD_MS));
  const begun = Math.min(all, Math.max(1, Math.floor((now - start) / MAX_PERIOD_MS) + 1));
  return {
    count: stations.length * begun,
    *[Symbol.iterator]() {
      for (const station of stations) {
        let left = begun;
        for (const window of planChunks(period)) {
          if (left-- === 0) break;
          yield { station, period: window };
        }
      }
    },
  };
}

function valuesOf({ id, name = '' }: ExportStation, { year, month, period }: Part) {
  return { station: id, name, year, month, period };
}

/**
 * A plan that goes on where the files leave off: each station in the newest file it has, the ones
 * before which are finished.
 * @param lock of all files of the plan, where they are to be written
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
