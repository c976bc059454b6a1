import { placeOfDifference } from '../../../domain/difference.ts';
import { COLUMNS } from '../../../domain/reading.ts';
import { quoteExcerpt } from '../../../domain/text.ts';
import { SPEED_UNITS } from '../../../domain/units.ts';
import { UsageError } from '../../../errors.ts';
import { HEADS, readMembers, splitFields } from './appendLayout.ts';
import type { Tail } from './tail.ts';

const OTHER_FILE = 'name another file';
const UNITS = Object.entries(SPEED_UNITS);

/**
 * Compares names and units of columns in a file with those of the export that continues it.
 * @throws UsageError that names the difference and the flag that avoids it
 */
export function checkHead(
  { path, layout: { rows, header }, head: inFile }: Tail,
  inExport: readonly string[],
): void {
  const { names: nameLine } = HEADS[header];
  if (nameLine === undefined || rows === 'json') return;
  const fields = (line: number) =>
    [inFile, inExport].map((head) => splitFields(rows, head[line] ?? '')) as [string[], string[]];
  const [names, namesInExport] = fields(nameLine);
  checkNames(path, names, namesInExport);
  if (header !== 'service') return;
  const [units, unitsInExport] = fields(nameLine + 1);
  refuseDifference(path, units, unitsInExport, (odd) => {
    const unit = UNITS.find(([, { label }]) => label === units[odd]);
    return names[odd] === 'time' ? `--tz ${units[odd]}` : unit && `--units ${unit[0]}`;
  });
  const odd = inFile
    .slice(0, nameLine)
    .findIndex((line, i) => !isCompatible(line, inExport[i] ?? ''));
  if (odd !== -1) throw headMismatch(path, inFile[odd], inExport[odd]);
}

/** Whether two header lines are equal but for the text of license or attribution. */
function isCompatible(inFile: string, inExport: string): boolean {
  const label = /^"?(?:License|Attribution)"?[,:]/.exec(inExport)?.[0];
  return inFile === inExport || (label !== undefined && inFile.startsWith(label));
}

function checkNames(path: string, inFile: readonly string[], inExport: readonly string[]): void {
  refuseDifference(path, inFile, inExport, (odd) => {
    const unit = unitInName(inFile[odd] ?? '', inExport[odd] ?? '');
    if (unit !== undefined) return `--units ${unit}`;
    const isKnown = (name: string): boolean =>
      name === 'station' || COLUMNS.some((column) => column.name === name);
    return inFile.every(isKnown) ? `--columns ${inFile.join(',')}` : undefined;
  });
}

/**
 * The unit at the end of a column's name in the file, as in `wind_speed_avg_kn`; undefined unless
 * the export has the same speed there, in any unit.
 */
function unitInName(inFile: string, inExport: string): string | undefined {
  const speed = COLUMNS.find(({ name, unit }) => {
    const isThis = (text: string) => UNITS.some(([, { suffix }]) => name + suffix === text);
    return unit === 'km/h' && isThis(inFile) && isThis(inExport);
  });
  return speed && UNITS.find(([, { suffix }]) => speed.name + suffix === inFile)?.[0];
}

/**
 * Refuses two lists of names or units that differ.
 * @param advise gives the flag that avoids the difference at an index, such as `--units kn`
 */
function refuseDifference(
  path: string,
  inFile: readonly string[],
  inExport: readonly string[],
  advise: (odd: number) => string | undefined,
): void {
  const odd = placeOfDifference(inFile, inExport);
  if (odd !== -1) throw headMismatch(path, inFile[odd], inExport[odd], advise(odd));
}

function headMismatch(
  path: string,
  inFile: string | undefined,
  inExport: string | undefined,
  flag?: string,
): UsageError {
  const advice = flag === undefined ? '' : `it was written with ${flag}: do the same, or `;
  return new UsageError(
    `${path} has ${excerpt(inFile)} where this export writes ${excerpt(inExport)}; ${advice}${OTHER_FILE}.`,
  );
}

function excerpt(text: string | undefined): string {
  return text === undefined ? 'nothing' : quoteExcerpt(text, 80);
}

/**
 * Checks that a file cut by a crash within its first lines begins as the export does.
 * @throws UsageError for another beginning: the file may be another export, or none
 */
export function checkBeginning({ path, head: inFile }: Tail, inExport: readonly string[]): void {
  const odd = inFile.findIndex((line, index) => {
    const expected = inExport[index] ?? '';
    const isCut = index === inFile.length - 1;
    return !isCompatible(line, expected) && !(isCut && expected.startsWith(line));
  });
  if (odd === -1) return;
  throw new UsageError(
    `${path} begins with ${excerpt(inFile[odd])} where this export writes ${excerpt(inExport[odd])}; remove it or ${OTHER_FILE}.`,
  );
}

/**
 * Refuses a file whose last rows are not in the export.
 * @throws UsageError that names the columns if the rows are ndjson with other columns
 */
export function refuseForeignRows(
  { path, layout: { rows } }: Tail,
  inFile: string,
  inExport: string,
): never {
  if (rows === 'json') {
    const names = (line: string) =>
      Object.keys(readMembers(line)).filter((name) => name !== 'station');
    checkNames(path, names(inFile), names(inExport));
  }
  throw new UsageError(
    `${path} ends in ${excerpt(inFile)}, which this export does not have: it is of another station, ` +
      `or was written with other --units, --tz or --columns. Write like it, or ${OTHER_FILE}.`,
  );
}
