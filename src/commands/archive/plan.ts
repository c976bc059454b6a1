import {
  type Period,
  partsBegunByNow,
  planChunksUntilNow,
  splitPeriod,
} from '../../domain/period.ts';
import type { OutputTarget } from '../../output/target.ts';
import { createPathWriter } from '../../output/template.ts';
import type { StationRequestPlan } from '../../readings/service.ts';
import {
  type AppendLayout,
  type ContinuedFile,
  readContinuedFile,
  remainingPeriod,
} from './append/continuedFile.ts';
import type { ArchiveOptions } from './options.ts';

/** A file or stdout, and the rows that go there: by station, then by time. */
export interface PlannedFile {
  readonly target: OutputTarget;
  readonly stations: readonly number[];
  /** Station names by id; undefined for a name that is not known. */
  readonly names: ReadonlyMap<number, string | undefined>;
  readonly period: Period;
  /** The chunks to request for each station, at most 31 days each. */
  readonly chunks: readonly Period[];
  readonly continued?: ContinuedFile;
}

/** Lists what to request for each station, in the order of the files. */
export function planStationRequests(plan: readonly PlannedFile[]): StationRequestPlan[] {
  return plan.flatMap(({ stations, chunks }) => stations.map((station) => ({ station, chunks })));
}

/**
 * Decides which rows go to which file or to stdout.
 * @param stations ids with names; undefined for a name that was not requested
 * @throws UsageError if two stations would be written to one file
 */
export function planExport(
  stations: ReadonlyMap<number, string | undefined>,
  { period, now, split, every, output: { target, zone }, template }: ArchiveOptions,
): PlannedFile[] {
  if (template === undefined) {
    const chunks = planChunksUntilNow(now, period);
    return [{ target, stations: [...stations.keys()], names: stations, period, chunks }];
  }
  // With --every, files and intervals both follow the clock of the zone, so that no interval is
  // split between two files.
  const parts = splitPeriod(period, split, every && zone, every?.unit === 'week');
  const begun = partsBegunByNow(parts, now, (part) => part.period).map((part) => ({
    ...part,
    chunks: planChunksUntilNow(now, part.period),
  }));
  const pathOf = createPathWriter(template);
  return [...stations].flatMap(([station, name = '']) =>
    begun.map(({ chunks, ...part }): PlannedFile => {
      const path = pathOf({ station, name, ...part });
      const place = { target: { ...target, path }, stations: [station], names: stations };
      return { ...place, period: part.period, chunks };
    }),
  );
}

/**
 * The part of an export that `--append` still has to write. Each station continues after the last
 * row of its newest file.
 * @throws UsageError if a file is no export of this layout; OutputError if reading fails
 */
export async function continuePlan(
  plan: readonly PlannedFile[],
  layout: AppendLayout,
  now: number,
): Promise<PlannedFile[]> {
  const files: ContinuedFile[] = [];
  /** The index of the newest file with rows, for each station. */
  const newest = new Map<number | undefined, number>();
  for (const [index, { target, stations }] of plan.entries()) {
    const file = await readContinuedFile(target.path as string, layout);
    files.push(file);
    if (file.size > 0) newest.set(stations[0], index);
  }
  return plan.flatMap((destination, index) => {
    if (index < (newest.get(destination.stations[0]) ?? 0)) return [];
    const continued = files[index] as ContinuedFile;
    const chunks = planChunksUntilNow(now, remainingPeriod(destination.period, continued));
    return [{ ...destination, continued, chunks }];
  });
}
