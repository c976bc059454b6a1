import { COLUMNS } from '../../../domain/reading.ts';
import { SPEED_UNITS } from '../../../domain/units.ts';
import { UsageError } from '../../../errors.ts';
import { type AppendLayout, HEADS, readMembers, splitFields } from './layout.ts';

const OTHER_FILE = 'name another file';
const KNOWN: readonly string[] = COLUMNS.map(({ name }) => name);
const UNITS = Object.entries(SPEED_UNITS);

/**
 * Compares the head of a file with that of an export. Names and units of columns have to match; the
 * service may change its license and attribution.
 * @throws UsageError that names the difference and the flag that removes it
 */
export function checkHead(
  path: string,
  { rows, header }: AppendLayout,
  inFile: readonly string[],
  inExport: readonly string[],
): void {
  const { names: nameLine } = HEADS[header];
  if (nameLine === undefined || rows === 'json') return;
  const fields = (head: readonly string[], line: number) => splitFields(rows, head[line] ?? '');
  const names = fields(inFile, nameLine);
  checkNames(path, names, fields(inExport, nameLine));
  if (header !== 'service') return;
  const unitLine = nameLine + 1;
  const units = fields(inFile, unitLine);
  checkUnits(path, names, units, fields(inExport, unitLine));
  const odd = inFile
    .slice(0, nameLine)
    .findIndex((line, i) => !isCompatible(line, inExport[i] ?? ''));
  if (odd !== -1) throw headMismatch(path, inFile[odd], inExport[odd]);
}

/** Whether two head lines match; a license or attribution may have changed its text. */
function isCompatible(inFile: string, inExport: string): boolean {
  const label = /^"?(?:License|Attribution)"?[,:]/.exec(inExport)?.[0];
  return inFile === inExport || (label !== undefined && inFile.startsWith(label));
}

function checkNames(path: string, inFile: readonly string[], inExport: readonly string[]): void {
  const odd = firstDifference(inFile, inExport);
  if (odd === -1) return;
  throw headMismatch(path, inFile[odd], inExport[odd], adviseNames(inFile, inExport, odd));
}

/** The flag that gives columns the names in the file; undefined where no flag does. */
function adviseNames(
  inFile: readonly string[],
  inExport: readonly string[],
  odd: number,
): string | undefined {
  const [speed, sameSpeed] = [inFile, inExport].map((names) => splitSpeedName(names[odd]));
  if (speed && speed.name === sameSpeed?.name) return `--units ${speed.unit}`;
  return inFile.every((name) => KNOWN.includes(name)) ? `--columns ${inFile.join(',')}` : undefined;
}

/** A speed column's name split into the bare name and the unit of its suffix. */
function splitSpeedName(text = ''): { name: string; unit: string } | undefined {
  const names = COLUMNS.flatMap(({ name, unit }) => (unit === 'km/h' ? [name] : []));
  for (const [unit, { suffix }] of UNITS) {
    const name = names.find((bare) => bare + suffix === text);
    if (name) return { name, unit };
  }
  return undefined;
}

function checkUnits(
  path: string,
  names: readonly string[],
  inFile: readonly string[],
  inExport: readonly string[],
): void {
  const odd = firstDifference(inFile, inExport);
  if (odd === -1) return;
  const unit = UNITS.find(([, { label }]) => label === inFile[odd]);
  const flag = names[odd] === 'time' ? `--tz ${inFile[odd]}` : unit && `--units ${unit[0]}`;
  throw headMismatch(path, inFile[odd], inExport[odd], flag);
}

function firstDifference(some: readonly string[], others: readonly string[]): number {
  const length = Math.max(some.length, others.length);
  return Array.from({ length }).findIndex((_, index) => some[index] !== others[index]);
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
  return text === undefined ? 'nothing' : `“${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`;
}

/**
 * Checks that a file which a crash cut in its head begins like the export.
 * @throws UsageError where it does not: it may be another file
 */
export function checkBeginning(
  path: string,
  inFile: readonly string[],
  inExport: readonly string[],
): void {
  const odd = inFile.findIndex((line, index) => {
    const expected = inExport[index] ?? '';
    const isCut = index === inFile.length - 1;
    return isCut ? !isBeginning(line, expected) : !isCompatible(line, expected);
  });
  if (odd === -1) return;
  throw new UsageError(
    `${path} begins with ${excerpt(inFile[odd])} where this export writes ${excerpt(inExport[odd])}; remove it or ${OTHER_FILE}.`,
  );
}

function isBeginning(cut: string, expected: string): boolean {
  return expected.startsWith(cut) || isCompatible(cut, expected);
}

/**
 * The error for a file that ends in rows which the export does not have. It names the difference
 * where the rows show one.
 */
export function foreignRows(
  path: string,
  { rows }: AppendLayout,
  inFile: string,
  inExport: string,
): UsageError {
  if (rows === 'json') {
    const names = (line: string) =>
      Object.keys(readMembers(line)).filter((name) => name !== 'station');
    checkNames(path, names(inFile), names(inExport));
  }
  return new UsageError(
    `${path} ends in ${excerpt(inFile)}, which this export does not have: it is of another station, ` +
      `or was written with other --units, --tz or --columns. Write like it, or ${OTHER_FILE}.`,
  );
}
