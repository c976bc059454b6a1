import { appendFile } from '../../src/commands/archive/append/growingFile.ts';
import { continueExport } from '../../src/commands/archive/append/seam.ts';
import {
  type AppendLayout,
  checkAppendable,
  readTail,
  remainingPeriod,
} from '../../src/commands/archive/append/tail.ts';
import { dateWriter } from '../../src/domain/dates.ts';
import type { Archive } from '../../src/domain/envelope.ts';
import { type Period, planChunks } from '../../src/domain/period.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';
import type { SpeedUnit } from '../../src/domain/units.ts';
import { csv, txt } from '../../src/formats/delimited.ts';
import type { ArchiveChunk, Header, Piece } from '../../src/formats/format.ts';
import { ndjson } from '../../src/formats/json.ts';
import { presentArchive } from '../../src/formats/present.ts';
import { LEGEND, UNITS } from '../../src/wire/archive.ts';
import { fakeIo } from './fake-io.ts';
import { ARCHIVE_PROVENANCE } from './fixture-service.ts';

const FORMATS = { csv, txt, ndjson };

/** The options of an export, and the station's data that the service sends. */
export interface ExportOptions {
  readonly format: keyof typeof FORMATS;
  readonly header: Header;
  readonly columns: readonly string[] | undefined;
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly station: number;
  readonly readings: readonly Reading[];
  readonly attribution: string;
}

/** Exports the readings of a period, chunk by chunk, and gives the output. */
export function exportPieces(options: ExportOptions, period: Period): AsyncIterable<Piece> {
  const { format, header } = options;
  const layout = { header, stationAt: undefined };
  return FORMATS[format].archive(chunksOf(options, period), layout, {
    colour: false,
    columns: undefined,
    isUnicode: true,
  });
}

async function exportText(options: ExportOptions, period: Period): Promise<string> {
  let text = '';
  for await (const piece of exportPieces(options, period)) text += piece;
  return text;
}

async function* chunksOf(options: ExportOptions, period: Period): AsyncGenerator<ArchiveChunk> {
  const { station, readings, attribution, zone } = options;
  const timed = readings.map((reading) => ({ reading, time: Date.parse(reading[0]) }));
  for (const { start, stop } of planChunks(period)) {
    const inside = timed.filter(({ time }) => time >= start && time < stop);
    const archive: Archive = {
      ...ARCHIVE_PROVENANCE,
      attribution,
      legend: LEGEND,
      units: UNITS,
      rows: Rows.ofReadings(inside.map(({ reading }) => reading)),
    };
    yield presentArchive(station, archive, { ...options, writeDate: dateWriter(zone) });
  }
}

/**
 * Readings on the day when summer time ends. Twice, two readings have the same time; the second
 * time they differ in the gust alone.
 */
export const READINGS: readonly Reading[] = [
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
  const tail = await readTail(path, layout);
  const pieces = exportPieces(all, remainingPeriod(period, tail));
  await appendFile(tail, continueExport(pieces, tail), fakeIo());
}
