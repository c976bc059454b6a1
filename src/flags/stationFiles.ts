import { UsageError } from '../errors.ts';
import type { Target } from '../output/target.ts';
import { checkTemplate, type FileNameTemplate, parseTemplate } from '../output/template.ts';
import type { Source } from './history.ts';
import { isEverything } from './stations.ts';

/**
 * Reads the placeholders of `--output`, which make a file for each station.
 * @returns undefined for stdout and for a name without placeholders, of one file for all stations
 * @throws UsageError
 */
export function readStationFiles({ path }: Target, source: Source): FileNameTemplate | undefined {
  const template = path === undefined ? undefined : parseTemplate(path);
  if (template === undefined || template.uses.size === 0) return undefined;
  const part = (['year', 'month'] as const).find((name) => template.uses.has(name));
  if (part !== undefined) {
    throw new UsageError(
      `{${part}} in ${path} is for archive --split; here the name may have {station}, {name}, {start} and {stop}.`,
    );
  }
  checkTemplate(template, { split: undefined, severalStations: isForSeveral(source) });
  return template;
}

/** Whether a command may be for several stations. */
function isForSeveral(source: Source): boolean {
  const { stations } = 'files' in source ? source.files : source.history;
  if (typeof stations === 'string' || stations.length > 1) return true;
  return 'history' in source && !isEverything(source.history.selection);
}
