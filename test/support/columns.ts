import { mapColumns, type ReadingColumns } from '../../src/domain/readings/columns.ts';

/** A reading as a test writes it; a value that the test leaves out is null. */
export interface TestReading {
  readonly time: number;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly min?: number | undefined;
  readonly avg?: number | undefined;
  readonly max?: number | undefined;
  readonly heading?: number | undefined;
}

/** Readings as columns of numbers, with NaN for null. */
export function columnsOfReadings(readings: readonly TestReading[]): ReadingColumns {
  const column = (value: (reading: TestReading) => number | undefined): Float64Array =>
    Float64Array.from(readings, (reading) => value(reading) ?? Number.NaN);
  return {
    count: readings.length,
    time: column(({ time }) => time),
    latitude: column(({ latitude }) => latitude),
    longitude: column(({ longitude }) => longitude),
    windSpeedMin: column(({ min }) => min),
    windSpeedAvg: column(({ avg }) => avg),
    windSpeedMax: column(({ max }) => max),
    windHeading: column(({ heading }) => heading),
    pressure: column(() => undefined),
  };
}

/** The rows from `from` to before `to`, as views of the same memory. */
export function sliceRows(columns: ReadingColumns, from: number, to: number): ReadingColumns {
  if (from === 0 && to === columns.count) return columns;
  return mapColumns(columns, (values) => values.subarray(from, to), to - from);
}
