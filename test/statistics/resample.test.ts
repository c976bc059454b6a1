import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEPRECATED_PRESSURE_UNIT } from '../../src/domain/readings/archiveColumns.ts';
import { Chunk } from '../../src/domain/readings/chunk.ts';
import { IntervalCombiner } from '../../src/statistics/intervals.ts';
import { resampleReadings } from '../../src/statistics/resample.ts';
import { afterSteps } from '../support/chunks.ts';
import { columnsOfReadings, sliceRows, type TestReading } from '../support/columns.ts';
import { expectSame } from '../support/same.ts';

const MINUTE_MS = 60_000;
const PERIOD = { start: Date.UTC(2024, 4, 1), stop: Date.UTC(2024, 5, 1) };
const HOURLY = { unit: 'hour', zone: 'utc', period: PERIOD, isFilled: false } as const;

const anyReadings = fc
  .array(fc.record({ gap: fc.constantFrom(4, 5, 60, 700), avg: fc.nat(80) }), { maxLength: 150 })
  .map((list) => {
    let time = PERIOD.start;
    return list.map(({ gap, avg }): TestReading => {
      time += gap * MINUTE_MS;
      return { time, avg, max: avg + 1, heading: avg };
    });
  });

/** Chunks of the readings, divided at the given places; a place that comes twice makes an empty one. */
function chunksOf(readings: readonly TestReading[], cuts: readonly number[] = []): Chunk[] {
  const columns = columnsOfReadings(readings);
  const ends = cuts.map((cut) => cut % (columns.count + 1)).sort((a, b) => a - b);
  return [...ends, columns.count].map((end, i) => {
    const head = { pressureUnit: i === 0 ? DEPRECATED_PRESSURE_UNIT : 'hPa' };
    return Chunk.ofColumns(PERIOD, head, sliceRows(columns, ends[i - 1] ?? 0, end));
  });
}

const rowsOf = (chunks: readonly Chunk[]) =>
  chunks.flatMap(({ columns: { count, ...arrays } }) =>
    Array.from({ length: count }, (_, row) =>
      Object.fromEntries(Object.entries(arrays).map(([name, values]) => [name, values?.[row]])),
    ),
  );

it('resampled chunks contain the rows of the time steps, with readings and coverage, in whatever chunks the readings came', async () => {
  await fc.assert(
    fc.asyncProperty(
      ...[anyReadings, fc.array(fc.nat(), { maxLength: 5 }), fc.boolean()],
      async (readings, cuts, isFilled) => {
        const options = { ...HOURLY, isFilled };
        const steps = new IntervalCombiner(options);
        const expected = [...steps.add(columnsOfReadings(readings)), ...steps.finish()];
        const chunks = await afterSteps(chunksOf(readings, cuts), resampleReadings(options));
        expectSame(rowsOf(chunks), expected);
        expect(chunks.every(({ lines }) => lines === undefined)).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

it('resampled chunks begin with the header of the first chunk, even where no chunk has a row', async () => {
  const readings = [{ time: PERIOD.start, avg: 5 }];
  for (const chunks of [chunksOf([], [0]), chunksOf(readings, [0]), chunksOf(readings, [1])]) {
    const [first, ...others] = await afterSteps(chunks, resampleReadings(HOURLY));
    expect(first?.head).toBe(chunks[0]?.head);
    expect(others.at(-1)?.head).toBe(chunks.at(-1)?.head);
  }
  expect(await afterSteps([], resampleReadings(HOURLY))).toEqual([]);
});

it('a gap of years is resampled into chunks of a few thousand rows, not into one chunk of all its rows', async () => {
  // Two years have 17,520 hours.
  const period = { start: Date.UTC(2022, 0), stop: Date.UTC(2024, 0) };
  const readings = [{ time: period.start, avg: 5 }];
  const options = { ...HOURLY, period, isFilled: true };
  const counts = (await afterSteps(chunksOf(readings), resampleReadings(options))).map(
    ({ count }) => count,
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(10_000);
  expect(counts.reduce((sum, count) => sum + count)).toBe((period.stop - period.start) / 3_600_000);
});
