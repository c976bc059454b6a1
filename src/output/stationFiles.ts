import type { Period } from '../domain/period.ts';
import type { OutputTarget } from './target.ts';
import { createPathWriter, type FileNameTemplate } from './template.ts';

interface OfStation {
  readonly station: number;
  /** The station's name; undefined if it is not known. */
  readonly name: string | undefined;
  readonly period: Period;
}

/**
 * Creates a function that returns the output file of a station.
 * @returns a function that throws UsageError if two stations would share a file
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

/**
 * Checks, before any request, that no two stations share an output file.
 * @throws UsageError
 */
export function refuseSharedFiles(
  template: FileNameTemplate | undefined,
  stations: ReadonlyMap<number, string | undefined>,
  period: Period,
): void {
  if (template === undefined) return;
  const pathOf = createPathWriter(template);
  for (const [station, name = ''] of stations) pathOf({ station, name, period });
}
