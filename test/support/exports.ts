import {
  type AppendLayout,
  checkAppendable,
  readContinuedFile,
  remainingPeriod,
} from '../../src/commands/archive/append/continuedFile.ts';
import { appendToFile } from '../../src/commands/archive/append/growingFile.ts';
import { continueExport } from '../../src/commands/archive/append/seam.ts';
import { type Period, planChunks } from '../../src/domain/period.ts';
import type { WrittenColumnName } from '../../src/domain/readings/archiveColumns.ts';
import { DEPRECATED_PRESSURE_UNIT } from '../../src/domain/readings/archiveColumns.ts';
import { Chunk } from '../../src/domain/readings/chunk.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import type { SpeedUnit } from '../../src/domain/units.ts';
import { csv, txt } from '../../src/formats/delimited.ts';
import type { HeaderChoice, OutputPiece, StationChunk } from '../../src/formats/format.ts';
import { ndjson } from '../../src/formats/json.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { fakeIo } from './fake-io.ts';
import { ARCHIVE_PROVENANCE } from './fixture-service.ts';
import { archiveLayout } from './layout.ts';

const FORMATS = { csv, txt, ndjson };

/** The options of an export, and the station's data that the service sends. */
export interface ExportOptions {
  readonly format: keyof typeof FORMATS;
  readonly header: HeaderChoice;
  readonly columns: readonly WrittenColumnName[] | undefined;
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly station: number;
  readonly readings: readonly ArchiveRow[];
  readonly attribution: string;
}

/** Exports the readings of a period, chunk by chunk, and gives the output. */
export function exportPieces(options: ExportOptions, period: Period): AsyncIterable<OutputPiece> {
  const { format, columns, ...layout } = options;
  const all = archiveLayout({ ...layout, ...(columns && { columns }) });
  return FORMATS[format].archive(chunksOf(options, period), all, {
    colour: false,
    width: undefined,
    isUnicode: true,
  });
}

async function exportText(options: ExportOptions, period: Period): Promise<string> {
  let text = '';
  for await (const piece of exportPieces(options, period)) text += piece;
  return text;
}

async function* chunksOf(options: ExportOptions, period: Period): AsyncGenerator<StationChunk> {
  const { station, readings, attribution } = options;
  const timed = readings.map((reading) => ({ reading, time: Date.parse(reading[0]) }));
  for (const { start, stop } of planChunks(period)) {
    const inside = timed.filter(({ time }) => time >= start && time < stop);
    const head = { ...ARCHIVE_PROVENANCE, attribution, pressureUnit: DEPRECATED_PRESSURE_UNIT };
    const lines = ArchiveLines.ofRows(inside.map(({ reading }) => reading));
    yield { station, chunk: Chunk.ofLines({ start, stop }, head, lines) };
  }
}

/**
 * Readings on the day when summer time ends. Twice, two readings have the same time; the second
 * time they differ in the gust alone.
 */
export const READINGS: readonly ArchiveRow[] = [
  ['2024-10-26T23:55:00.000Z', 44.589, -1.2136, 1, 2.25, 5.5, 0, null],
  ['2024-10-27T00:00:00.000Z', 44.589, -1.2136, 2, 4.5, 7.75, 22.5, null],
  ['2024-10-27T00:00:00.000Z', null, null, 3, 4.5, 7.75, 22.5, null],
  ['2024-10-27T00:30:03.250Z', 44.589, -1.2136, null, 3.25, null, 337.5, null],
  ['2024-10-27T01:30:00.000Z', 44.589, -1.2136, 2, 4.5, 8, 90, null],
  ['2024-10-27T01:30:00.000Z', 44.589, -1.2136, 2, 4.5, 9, 90, null],
];
export const START = Date.UTC(2024, 9, 26);
export const STOP = Date.UTC(2024, 9, 28);
export const PERIOD: Period = { start: START, stop: STOP };

export const OPTIONS: ExportOptions = {
  format: 'csv',
  header: 'service',
  columns: undefined,
  unit: 'kmh',
  zone: 'utc',
  station: 110,
  readings: READINGS,
  attribution: '© “vane” ’s contributors 🪁',
};

export const layoutOf = ({ format, header, columns }: ExportOptions): AppendLayout =>
  checkAppendable(format, { path: 'wind', isGzip: false }, { header, columns, isShared: false });

/** The whole output of an uninterrupted export. */
export const whole = (options: Partial<ExportOptions> = {}, period = PERIOD): Promise<string> =>
  exportText({ ...OPTIONS, ...options }, period);

/** Continues an exported file as `vane archive --append` does. */
export async function runAppend(
  path: string,
  options: Partial<ExportOptions> = {},
  period = PERIOD,
): Promise<void> {
  const all = { ...OPTIONS, ...options };
  const layout = layoutOf(all);
  const continued = await readContinuedFile(path, layout);
  const pieces = exportPieces(all, remainingPeriod(period, continued));
  await appendToFile(continued, continueExport(pieces, continued), fakeIo());
}
