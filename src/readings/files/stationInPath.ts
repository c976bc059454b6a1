import { basename, dirname } from 'node:path';
import { printable } from '../../domain/text.ts';
import { parsePartition } from './partition.ts';

/** Whether a path is stdin or another device, whose name says nothing about its content. */
export const isDevicePath = (path: string): boolean => path === '-' || DEVICE.test(path);

const DEVICE = /^\/(?:dev|proc)\//;
const ID = /^(?:station[_-]?|PP|WB|MW)?(\d{1,15})$/i;
const ID_IN_NAME = /(?<![a-z])station[=_-]?(\d{1,15})(?!\d)/i;

/** Matches names that are a year, a month or a day, such as `2024`, `2024-05` or `year=2024`. */
const DATE = /^(?:(?:year|month|day)=\d+|(?:19|20)\d\d(?:-\d\d){0,2})$/i;

const idIn = (form: RegExp, text = ''): number | undefined => {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/**
 * The station named by a path: by a folder `station=110`, by the file name (`110.csv`,
 * `PP603.csv.gz`, `MW800.csv`, `station-110.csv`), or by another folder (`110/2024.csv.gz`,
 * `110/2024/05.csv`).
 * @param only the station to use if the path names none; a file name may then also be a year
 */
export function stationInPath(path: string, only?: number): number | undefined {
  if (isDevicePath(path)) return only;
  const folders = path.split(/[/\\]/);
  const name = (folders.pop() as string).replace(/\..*$/s, '');
  const { station } = parsePartition(dirname(path));
  if (station !== undefined) return station;
  const isMonth = /^\d\d$/.test(name) && DATE.test(folders.at(-1) ?? '');
  const isDate = DATE.test(name) || isMonth;
  const own = idIn(ID_IN_NAME, name) ?? (isDate ? undefined : idIn(ID, name));
  const parent = folders.findLast((folder) => !DATE.test(folder));
  return own ?? idIn(ID, parent) ?? only ?? idIn(ID, name);
}

/**
 * The name for the readings of a file whose station is unknown; undefined for stdin and other
 * devices.
 */
export function nameInPath(path: string): string | undefined {
  const name = isDevicePath(path) ? '' : printable(basename(path).replace(/\..*$/s, ''));
  return name === '' ? undefined : name;
}
