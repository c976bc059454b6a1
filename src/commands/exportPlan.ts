import { dirname } from 'node:path';
import { type Part, type SplitUnit, splitPeriod } from '../domain/parts.ts';
import { type Period, planChunks } from '../domain/period.ts';
import { UsageError } from '../errors.ts';
import type { AppendLayout } from '../output/appendLayout.ts';
import { readTail, remainingPeriod, type Tail } from '../output/tail.ts';
import { expandTemplate, type Template } from '../output/template.ts';
import type { Target } from '../output/write.ts';
import type { ChunkRequest } from '../service/chunks.ts';

/** A station of an export; its name is known where a file is named after it. */
export interface ExportStation {
  readonly id: number;
  readonly name: string | undefined;
}

/** The periods of stations that go to one place, one after the other. */
export interface Destination {
  readonly target: Target;
  /** Folder to be made first, where the file is named by a template. */
  readonly folder: string | undefined;
  readonly period: Period;
  readonly requests: readonly ChunkRequest[];
  /** What is there already, where it is to be continued. */
  readonly tail?: Tail | undefined;
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
    const requests = stations.flatMap(({ id }) => windowsOf(id, period, now));
    return [{ target, folder: undefined, period, requests }];
  }
  const parts = splitPeriod(period, split);
  const begun = takeBegun(parts, now);
  const destinations = stations.flatMap((station) =>
    begun.map((part): Destination => {
      const path = expandTemplate(template, valuesOf(station, part));
      const requests = windowsOf(station.id, part.period, now);
      return { target: { ...target, path }, folder: dirname(path), period: part.period, requests };
    }),
  );
  refuseSharedFiles(destinations);
  return destinations;
}

/** The first of what follows each other in time, and the rest as far as it has begun by now. */
function takeBegun<T extends { readonly period: Period }>(list: Iterable<T>, now: number): T[] {
  const begun: T[] = [];
  for (const item of list) {
    if (begun.length > 0 && item.period.start > now) break;
    begun.push(item);
  }
  return begun;
}

function windowsOf(station: number, period: Period, now: number): ChunkRequest[] {
  const windows = function* () {
    for (const window of planChunks(period)) yield { station, period: window };
  };
  return takeBegun(windows(), now);
}

function valuesOf({ id, name = '' }: ExportStation, { year, month, period }: Part) {
  return { station: id, name, year, month, period };
}

/**
 * A plan that goes on where the files leave off: each station in the newest file it has, the ones
 * before which are finished.
 * @throws UsageError for a file that is not such an export; OutputError when it cannot be read
 */
export async function continuePlan(
  plan: readonly Destination[],
  layout: AppendLayout,
  now: number,
): Promise<Destination[]> {
  const remaining: Destination[] = [];
  for (const destination of plan) {
    const { target, period, requests } = destination;
    const station = (requests[0] as ChunkRequest).station;
    const tail = await readTail(target.path as string, layout);
    if (tail !== undefined) {
      while (remaining.at(-1)?.requests[0]?.station === station) remaining.pop();
    }
    const rest = remainingPeriod(period, tail);
    remaining.push({ ...destination, tail, requests: windowsOf(station, rest, now) });
  }
  return remaining;
}

function refuseSharedFiles(destinations: readonly Destination[]): void {
  const stationOf = new Map<string | undefined, number | undefined>();
  for (const { target, requests } of destinations) {
    const station = requests[0]?.station;
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
