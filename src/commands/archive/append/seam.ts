import { SERVICE_COLUMNS } from '../../../domain/readings/archiveColumns.ts';
import { indexOfDifference, quoteExcerpt } from '../../../domain/text.ts';
import { SPEED_UNITS } from '../../../domain/units.ts';
import { UsageError } from '../../../errors.ts';
import type { OutputPiece } from '../../../output/target.ts';
import {
  type ContinuedFile,
  completeLines,
  HEADER_LINES,
  parseNdjsonLine,
  splitFields,
} from './continuedFile.ts';

/**
 * Compares a file with the export that continues it, then yields the text to append.
 * @param pieces the new export in pieces of whole lines: header lines, then rows in order of time
 * @param onLate called with the number of skipped rows that are older than the file's last row
 * @throws UsageError if header lines or last rows differ; every error that `pieces` throws
 */
export async function* continueExport(
  pieces: AsyncIterable<OutputPiece>,
  continued: ContinuedFile,
  onLate: (count: number) => void = () => {},
): AsyncGenerator<string> {
  /** The first lines of the export, collected until they reach past the end of the file. */
  let first: readonly string[] | undefined = [];
  for await (const piece of pieces) {
    let text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (first !== undefined) {
      first = [...first, ...completeLines(text)];
      if (!isPastEnd(first, continued)) continue;
      text = textOf(newLines(first, continued, onLate));
      first = undefined;
    }
    if (text !== '') yield text;
  }
  if (first === undefined) return;
  const text = textOf(newLines(first, continued, onLate));
  if (text !== '') yield text;
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

function isPastEnd(lines: readonly string[], { head, last }: ContinuedFile): boolean {
  if (lines.length < head.length) return false;
  return last === undefined || (last.readTime(lines.at(-1) ?? '') ?? 0) > last.time;
}

/** The lines of the export that the file does not have yet. */
function newLines(
  lines: readonly string[],
  continued: ContinuedFile,
  onLate: (count: number) => void,
): readonly string[] {
  const { head, kept, last } = continued;
  checkHead(continued, lines);
  const rows = kept === 0 ? lines : lines.slice(head.length);
  if (last === undefined) return rows;
  const { time, readTime } = last;
  const end = rows.findIndex((row) => (readTime(row) ?? Infinity) > time);
  const overlap = end === -1 ? rows : rows.slice(0, end);
  const known = [...last.lines];
  const lacking = overlap.filter((row) => {
    const place = known.indexOf(row);
    // Match each row of the file only once: the export may have two equal rows where the file has
    // one.
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
  // Add rows with the time of the file's last row; older rows would be out of order.
  const added = lacking.filter((row) => readTime(row) === time);
  const fresh = [...added, ...rows.slice(overlap.length)];
  if (fresh[0] !== undefined && known.length === last.lines.length) {
    refuseForeignRows(continued, last.lines.at(-1) ?? '', fresh[0]);
  }
  onLate(lacking.length - added.length);
  return fresh;
}

/**
 * Compares the header lines of a file with those of the export that continues it. If a crash cut
 * the header lines short, only the lines that exist are compared.
 * @throws UsageError that names the difference, and the option that avoids it
 */
function checkHead({ path, layout, head, kept }: ContinuedFile, inExport: readonly string[]): void {
  const odd = head.findIndex((line, i) => {
    const expected = inExport[i] ?? '';
    const isCut = kept === 0 && i === head.length - 1;
    return !isCompatible(line, expected) && !(isCut && expected.startsWith(line));
  });
  if (odd === -1) return;
  const [inFile = '', expected = ''] = [head[odd], inExport[odd]];
  const { rows, header } = layout;
  if (kept === 0 || rows === 'json') {
    throw new UsageError(
      `${path} begins with ${excerpt(inFile)} but this export would write ${excerpt(expected)}; remove the file or name another one.`,
    );
  }
  const namesAt = HEADER_LINES[header].names ?? 0;
  const [own, wanted] = [splitFields(rows, inFile), splitFields(rows, expected)];
  if (odd === namesAt) refuseNames(path, own, wanted);
  const place = indexOfDifference(own, wanted);
  const isTime = splitFields(rows, head[namesAt] ?? '')[place] === 'time';
  const unit = UNITS.find(([, { label }]) => label === own[place]);
  const flag = isTime ? `--tz ${own[place]}` : unit && `--units ${unit[0]}`;
  throw mismatch(path, own[place], wanted[place], flag);
}

/** Whether two header lines are equal. The texts of license and attribution may differ. */
function isCompatible(inFile: string, inExport: string): boolean {
  const label = /^"?(?:License|Attribution)"?[,:]/.exec(inExport)?.[0];
  return inFile === inExport || (label !== undefined && inFile.startsWith(label));
}

const UNITS = Object.entries(SPEED_UNITS);

/**
 * Refuses a file whose column names differ from those of the export.
 * @throws UsageError
 */
function refuseNames(path: string, inFile: readonly string[], inExport: readonly string[]): void {
  const odd = indexOfDifference(inFile, inExport);
  if (odd === -1) return;
  const [own, wanted] = [inFile[odd], inExport[odd]];
  const isNamed = (speed: string) => own?.startsWith(speed) && wanted?.startsWith(speed);
  const speed = SERVICE_COLUMNS.find(({ name, unit }) => unit === 'km/h' && isNamed(name))?.name;
  const unit = speed && UNITS.find(([, { suffix }]) => speed + suffix === own)?.[0];
  const isKnown = (name: string): boolean =>
    name === 'station' || SERVICE_COLUMNS.some((column) => column.name === name);
  const columns = inFile.every(isKnown) ? `--columns ${inFile.join(',')}` : undefined;
  throw mismatch(path, own, wanted, unit ? `--units ${unit}` : columns);
}

function mismatch(path: string, own?: string, wanted?: string, flag?: string): UsageError {
  const advice = flag === undefined ? '' : `it was written with ${flag}: add that, or `;
  return new UsageError(
    `${path} has ${excerpt(own)} but this export would write ${excerpt(wanted)}; ${advice}name another file.`,
  );
}

function excerpt(text: string | undefined): string {
  return text === undefined ? 'nothing' : quoteExcerpt(text, 80);
}

/**
 * Refuses a file whose last rows are missing from the export.
 * @throws UsageError that names the columns if the rows are ndjson with other columns
 */
function refuseForeignRows(
  { path, layout }: ContinuedFile,
  inFile: string,
  inExport: string,
): never {
  if (layout.rows === 'json') {
    const names = (line: string) =>
      Object.keys(parseNdjsonLine(line)).filter((name) => name !== 'station');
    refuseNames(path, names(inFile), names(inExport));
  }
  throw new UsageError(
    `The last row of ${path} is ${excerpt(inFile)}, and this export has no such row. The file belongs to another station, ` +
      'or was written with other --units, --tz or --columns. Use the same options, or name another file.',
  );
}
