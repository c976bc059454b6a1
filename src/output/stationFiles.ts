import type { Period } from '../domain/period.ts';
import type { OutputTarget } from './target.ts';
import { createPathWriter, type FileNameTemplate } from './template.ts';

interface OfStation {
  readonly station: number;
  /** The name of the station; undefined if it is not known. */
  readonly name: string | undefined;
  readonly period: Period;
}

/**
 * Makes a function that returns the target of a station's own file.
 * @returns a function that throws UsageError when two stations would be written to one file
 */
export function stationTargets(
  target: OutputTarget,
  template: FileNameTemplate,
): (of: OfStation) => OutputTarget {
  const pathOf = createPathWriter(template);
  return ({ station, name = '', period }) => ({
    ...target,
    path: pathOf({ station, name, period }),
  });
}

/** Refuses before any request that two stations are written to one file. @throws UsageError */
export function refuseSharedFiles(
  template: FileNameTemplate | undefined,
  stations: ReadonlyMap<number, string | undefined>,
  period: Period,
): void {
  if (template === undefined) return;
  const pathOf = createPathWriter(template);
  for (const [station, name = ''] of stations) pathOf({ station, name, period });
}
