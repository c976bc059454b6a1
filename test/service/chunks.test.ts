import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from '../../src/domain/dates.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';
import { fetchArchive, tidyRows } from '../../src/service/chunks.ts';
import type { StationService } from '../../src/service/service.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';

const START = Date.UTC(2024, 0, 1);
const readingAt = (ms: number, speedKmh = 1): Reading => [
  ...([formatDate(ms), 1, 2, speedKmh, speedKmh, speedKmh, 0, null] as const),
];

const tidy = (readings: readonly Reading[], start: number, stop: number) =>
  tidyRows(Rows.ofReadings(readings), { start, stop }).readings;

describe('tidyRows', () => {
  it('keeps tidy readings as they are, without a copy', () => {
    const readings = [readingAt(START), readingAt(START + 1)];
    expect(tidy(readings, START, START + 2)).toBe(readings);
  });

  it('keeps two different readings of one time', () => {
    const readings = [readingAt(START, 1), readingAt(START, 2), readingAt(START, 1)];
    expect(tidy(readings, START, START + 1)).toEqual([readingAt(START, 1), readingAt(START, 2)]);
  });

  it('gives each reading in the period once and in order, however they come', () => {
    const offsets = fc.uniqueArray(fc.integer({ min: -5, max: 15 }));
    const disorder = offsets.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list], { minLength: 0, maxLength: list.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(disorder, ([, sent]) => {
        const rows = Rows.ofReadings(sent.map((offset) => readingAt(START + offset)));
        const asText = Rows.ofLines(rows.lines, rows.count);
        const period = { start: START, stop: START + 10 };
        const expected = [...new Set(sent)].filter((o) => o >= 0 && o < 10).sort((a, b) => a - b);
        const right = expected.map((offset) => readingAt(START + offset));
        expect(tidyRows(rows, period).readings).toEqual(right);
        expect(tidyRows(asText, period).readings).toEqual(right);
      }),
    );
  });
});

async function collect(service: StationService, start: number, stop: number) {
  const signal = new AbortController().signal;
  const chunks = [];
  for await (const chunk of fetchArchive(service, 110, { start, stop }, { signal, now: NOW })) {
    chunks.push(chunk);
  }
  return chunks;
}

describe('fetchArchive', () => {
  const start = Date.UTC(2023, 10, 20);
  const stop = Date.UTC(2024, 0, 10);

  it('comes to the same whether the service counts its bounds in or not', async () => {
    const inclusive: StationService = {
      ...fixtureService,
      archive: (id, period) => fixtureService.archive(id, { ...period, stop: period.stop + 1 }),
    };
    const rows = (await collect(fixtureService, start, stop)).flatMap(({ rows }) => rows.readings);
    expect((await collect(inclusive, start, stop)).flatMap(({ rows }) => rows.readings)).toEqual(
      rows,
    );
    expect(rows).toHaveLength(((stop - start) / 86_400_000) * 288);
  });

  it('keeps the columns of the first answer when a later one has others', async () => {
    let answers = 0;
    const growing: StationService = {
      ...fixtureService,
      archive: async (id, period) => {
        const archive = await fixtureService.archive(id, period);
        if (answers++ === 0) return archive;
        const rows = archive.rows.readings.map((row) => [...row, 7] as unknown as Reading);
        return {
          ...archive,
          legend: [...archive.legend, 'rain'],
          units: [...archive.units, 'mm'],
          rows: Rows.ofReadings(rows),
        };
      },
    };
    const chunks = await collect(growing, start, stop);
    expect(chunks.map(({ legend }) => legend.length)).toEqual([8, 8]);
    expect(chunks[1]?.rows.readings[0]).toHaveLength(8);
  });
});
