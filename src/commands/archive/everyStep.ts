import { columnsOf } from '../../domain/columnReader.ts';
import type { Archive, ArchiveHead } from '../../domain/envelope.ts';
import { type Period, periodUntil } from '../../domain/period.ts';
import { COLUMNS, type Reading, STEP_COLUMNS } from '../../domain/reading.ts';
import { Rows } from '../../domain/rows.ts';
import { type StepName, Steps } from '../../statistics/steps.ts';
import type { ArchiveRequest } from './request.ts';

/** A part of a station's archive: rows as the service sent them, or a row for each step of time. */
export interface StationArchive {
  readonly station: number;
  readonly archive: Archive;
}

/** At most this many rows are handed on at once: with `--fill`, a gap of years has very many. */
const ROWS_AT_ONCE = 5000;

const STEP_LEGEND = [...COLUMNS, ...STEP_COLUMNS].map(({ name }) => name);
const STEP_UNITS = [...COLUMNS, ...STEP_COLUMNS].map(({ unit }) => unit);

/**
 * Combines the readings of each step of time into one row. The answers come station by station.
 * Columns that vane does not know are left out: no rule says how to combine their values.
 * @param whole the period of all answers
 */
export async function* combineSteps(
  answers: AsyncIterable<StationArchive>,
  whole: Period,
  { isFilled, output: { zone }, now }: ArchiveRequest,
  every: StepName,
): AsyncGenerator<StationArchive> {
  const period = periodUntil(now, whole);
  let last: (StationArchive & { readonly steps: Steps }) | undefined;
  for await (const { station, archive } of answers) {
    if (last?.station !== station) {
      if (last) yield* inPieces(last, last.steps.finish());
      last = { station, archive, steps: new Steps({ every, zone, period, isFilled }) };
    }
    yield* inPieces(last, last.steps.add(columnsOf(archive.rows)));
  }
  if (last) yield* inPieces(last, last.steps.finish());
}

/** Puts rows into archives of at most {@link ROWS_AT_ONCE} rows; no rows make one empty archive. */
function* inPieces(
  { station, archive }: StationArchive,
  rows: Iterable<Reading>,
): Generator<StationArchive> {
  const head: ArchiveHead = { ...archive, legend: STEP_LEGEND, units: STEP_UNITS };
  let piece: Reading[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < ROWS_AT_ONCE) continue;
    yield { station, archive: { ...head, rows: Rows.ofReadings(piece) } };
    piece = [];
  }
  yield { station, archive: { ...head, rows: Rows.ofReadings(piece) } };
}
