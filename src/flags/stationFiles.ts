import { UsageError } from '../errors.ts';
import type { OutputTarget } from '../output/target.ts';
import {
  checkFileNameTemplate,
  type FileNameTemplate,
  parseFileNameTemplate,
} from '../output/template.ts';
import type { ReadingsSource } from './history.ts';
import { isSelectionEmpty } from './stations.ts';

/**
 * Reads the template for one file per station from `--output`.
 * @returns undefined for stdout, and for a name without placeholders, which is one file for all
 *   stations
 * @throws UsageError
 */
export function readStationFiles(
  { path }: OutputTarget,
  source: ReadingsSource,
): FileNameTemplate | undefined {
  const template = path === undefined ? undefined : parseFileNameTemplate(path);
  if (template === undefined || template.uses.size === 0) return undefined;
  const part = (['year', 'month'] as const).find((name) => template.uses.has(name));
  if (part !== undefined) {
    throw new UsageError(
      `{${part}} in ${path} is for archive --split; here the name may have {station}, {name}, {start} and {stop}.`,
    );
  }
  checkFileNameTemplate(template, { split: undefined, severalStations: isForSeveral(source) });
  return template;
}

/** Whether the command may read several stations. */
function isForSeveral(source: ReadingsSource): boolean {
  const { stations } = 'files' in source ? source.files : source.history;
  if (typeof stations === 'string' || stations.length > 1) return true;
  return 'history' in source && !isSelectionEmpty(source.history.selection);
}
