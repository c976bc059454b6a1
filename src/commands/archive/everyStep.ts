import { readingsOf } from '../../domain/columnReader.ts';
import type { Archive } from '../../domain/envelope.ts';
import { type Period, periodUntil } from '../../domain/period.ts';
import { type Reading, STEP_COLUMNS } from '../../domain/reading.ts';
import { Rows } from '../../domain/rows.ts';
import { Steps } from '../../statistics/steps.ts';
import type { CalendarUnit } from '../../statistics/zoneCalendar.ts';
import type { PossibleReadings } from '../possibleReadings.ts';
import type { ArchiveOptions } from './options.ts';

/** A part of a station's archive: rows as the service sent them, or a row for each step of time. */
export interface StationArchive {
  readonly station: number;
  readonly archive: Archive;
}

/** At most this many rows are handed on at once: with `--fill`, a gap of years has very many. */
const ROWS_AT_ONCE = 5000;

/**
 * Combines the readings of each step of time into one row. The responses come station by station.
 * @param whole the period of all responses
 */
export async function* combineSteps(
  responses: AsyncIterable<StationArchive>,
  whole: Period,
  { isFilled, output: { zone }, now }: ArchiveOptions,
  unit: CalendarUnit,
  possible: PossibleReadings,
): AsyncGenerator<StationArchive> {
  const period = periodUntil(now, whole);
  let last: (StationArchive & { readonly steps: Steps }) | undefined;
  for await (const response of responses) {
    const isSame = last?.station === response.station;
    if (last && !isSame) yield* inPieces(last, last.steps.finish());
    const steps = isSame && last ? last.steps : new Steps({ unit, zone, period, isFilled });
    last = { ...response, steps };
    yield* inPieces(response, steps.add(possible.take(readingsOf(response.archive.rows))));
  }
  if (last) yield* inPieces(last, last.steps.finish());
}

/** Puts rows into archives of at most {@link ROWS_AT_ONCE} rows; no rows make one empty archive. */
function* inPieces(
  { station, archive }: StationArchive,
  rows: Iterable<Reading>,
): Generator<StationArchive> {
  const head = {
    ...archive,
    legend: [...archive.legend, ...STEP_COLUMNS.map(({ name }) => name)],
    units: [...archive.units, ...STEP_COLUMNS.map(({ unit }) => unit)],
  };
  let piece: Reading[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < ROWS_AT_ONCE) continue;
    yield { station, archive: { ...head, rows: Rows.ofReadings(piece) } };
    piece = [];
  }
  yield { station, archive: { ...head, rows: Rows.ofReadings(piece) } };
}
