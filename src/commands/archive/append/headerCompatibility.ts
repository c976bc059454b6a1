import { COLUMNS } from '../../../domain/reading.ts';
import { SPEED_UNITS } from '../../../domain/units.ts';
import { UsageError } from '../../../errors.ts';
import { type AppendLayout, HEADS, readMembers, splitFields } from './layout.ts';

const OTHER_FILE = 'name another file';
const KNOWN: readonly string[] = COLUMNS.map(({ name }) => name);
const UNITS = Object.entries(SPEED_UNITS);

/**
 * Compares the head of a file with the one that an export writes. The service may word its
 * license and attribution anew; names and units of columns have to be the same.
 * @throws UsageError that names the difference and the flag that settles it
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
    .findIndex((line, i) => !mayReplace(line, inExport[i] ?? ''));
  if (odd !== -1) throw disagreement(path, inFile[odd], inExport[odd]);
}

/** Whether two head lines say the same, or the same thing in other words: license, attribution. */
function mayReplace(inFile: string, inExport: string): boolean {
  const label = /^"?(?:License|Attribution)"?[,:]/.exec(inExport)?.[0];
  return inFile === inExport || (label !== undefined && inFile.startsWith(label));
}

function checkNames(path: string, inFile: readonly string[], inExport: readonly string[]): void {
  const odd = firstDifference(inFile, inExport);
  if (odd === -1) return;
  throw disagreement(path, inFile[odd], inExport[odd], adviseNames(inFile, inExport, odd));
}

/** The flag that names columns as in the file, if there is one. */
function adviseNames(
  inFile: readonly string[],
  inExport: readonly string[],
  odd: number,
): string | undefined {
  const [speed, sameSpeed] = [inFile, inExport].map((names) => splitSpeedName(names[odd]));
  if (speed && speed.name === sameSpeed?.name) return `--units ${speed.unit}`;
  return inFile.every((name) => KNOWN.includes(name)) ? `--columns ${inFile.join(',')}` : undefined;
}

/** The unit that the name of a speed tells, and the name without it. */
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
  throw disagreement(path, inFile[odd], inExport[odd], flag);
}

function firstDifference(some: readonly string[], others: readonly string[]): number {
  const length = Math.max(some.length, others.length);
  return Array.from({ length }).findIndex((_, index) => some[index] !== others[index]);
}

function disagreement(
  path: string,
  inFile: string | undefined,
  inExport: string | undefined,
  flag?: string,
): UsageError {
  const advice = flag === undefined ? '' : `it was written with ${flag}: do the same, or `;
  return new UsageError(
    `${path} has ${quoteLine(inFile)} where this export writes ${quoteLine(inExport)}; ${advice}${OTHER_FILE}.`,
  );
}

function quoteLine(text: string | undefined): string {
  return text === undefined ? 'nothing' : `“${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`;
}

/**
 * Whether what a crash left of a file is the beginning of what an export writes.
 * @throws UsageError where it is not, for it may be somebody's work
 */
export function checkBeginning(
  path: string,
  inFile: readonly string[],
  inExport: readonly string[],
): void {
  const odd = inFile.findIndex((line, index) => {
    const expected = inExport[index] ?? '';
    const isCut = index === inFile.length - 1;
    return isCut ? !isBeginning(line, expected) : !mayReplace(line, expected);
  });
  if (odd === -1) return;
  throw new UsageError(
    `${path} begins with ${quoteLine(inFile[odd])} where this export writes ${quoteLine(inExport[odd])}; remove it or ${OTHER_FILE}.`,
  );
}

function isBeginning(cut: string, expected: string): boolean {
  return expected.startsWith(cut) || mayReplace(cut, expected);
}

/**
 * Why rows that an export brings cannot follow a file that ends in rows it does not bring.
 * @returns UsageError; it names the difference where the rows tell
 */
export function strangeRows(
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
    `${path} ends in ${quoteLine(inFile)}, which this export does not have: it is of another station, ` +
      `or was written with other --units, --tz or --columns. Write like it, or ${OTHER_FILE}.`,
  );
}
