import { setImmediate as slot } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from '../../src/domain/dates.ts';
import { planChunks } from '../../src/domain/period.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { NotFoundError, RefusedError, UnavailableError } from '../../src/errors.ts';
import { fetchChunks, tidyLines } from '../../src/service/chunks.ts';
import type { StationService } from '../../src/service/service.ts';
import { splitOnTooLarge } from '../../src/service/splitOnTooLarge.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { rowsOf } from '../support/archives.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';

const START = Date.UTC(2024, 0, 1);
const readingAt = (ms: number, speedKmh = 1): ArchiveRow => [
  ...([formatDate(ms), 1, 2, speedKmh, speedKmh, speedKmh, 0, null] as const),
];

const tidy = (readings: readonly ArchiveRow[], start: number, stop: number) =>
  rowsOf(tidyLines(ArchiveLines.ofRows(readings), { start, stop }).lines);

describe('tidyLines', () => {
  it('tidyLines returns the same object if the rows are in order, unique and within the period', () => {
    const rows = ArchiveLines.ofRows([readingAt(START), readingAt(START + 1)]);
    expect(tidyLines(rows, { start: START, stop: START + 2 }).lines).toBe(rows);
  });

  it('tidyLines keeps two different readings of one time', () => {
    const readings = [readingAt(START, 1), readingAt(START, 2), readingAt(START, 1)];
    expect(tidy(readings, START, START + 1)).toEqual([readingAt(START, 1), readingAt(START, 2)]);
  });

  it('tidyLines sorts rows, drops repeated ones and those outside the period', () => {
    const offsets = fc.uniqueArray(fc.integer({ min: -5, max: 15 }));
    const disorder = offsets.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list], { minLength: 0, maxLength: list.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(disorder, ([, sent]) => {
        const readings = sent.map((offset) => readingAt(START + offset));
        const expected = [...new Set(sent)].filter((o) => o >= 0 && o < 10).sort((a, b) => a - b);
        const right = expected.map((offset) => readingAt(START + offset));
        expect(tidy(readings, START, START + 10)).toEqual(right);
      }),
    );
  });
});

async function collect(service: StationService, start: number, stop: number, keepGoing = false) {
  const signal = new AbortController().signal;
  const requests = Array.from(planChunks({ start, stop }), (period) => ({ station: 110, period }));
  const results = [];
  for await (const result of fetchChunks(service, requests, {
    signal,
    concurrency: 3,
    keepGoing,
  })) {
    results.push(result);
  }
  return results;
}

const readingsOf = (results: Awaited<ReturnType<typeof collect>>): readonly ArchiveRow[] =>
  results.flatMap((result) =>
    'chunk' in result && result.chunk.lines ? rowsOf(result.chunk.lines) : [],
  );

describe('fetchChunks', () => {
  const start = Date.UTC(2023, 10, 20);
  const stop = Date.UTC(2024, 0, 10);

  it('fetchChunks yields the same rows whichever bounds the service includes, and reports what it repaired', async () => {
    const inclusive: StationService = {
      ...fixtureService,
      archive: (id, period) => fixtureService.archive(id, { ...period, stop: period.stop + 1 }),
    };
    const rows = readingsOf(await collect(fixtureService, start, stop));
    const results = await collect(inclusive, start, stop);
    expect(readingsOf(results)).toEqual(rows);
    expect(rows).toHaveLength(((stop - start) / 86_400_000) * 288);
    expect(results.map((result) => 'chunk' in result && result.chunk.repairs)).toEqual([
      { outside: 1, disordered: 0, repeated: 0, conflicting: 0 },
      { outside: 1, disordered: 0, repeated: 0, conflicting: 0 },
    ]);
  });

  it('fetchChunks with splitOnTooLarge halves a chunk that the service refuses with 413', async () => {
    const requested: number[] = [];
    const narrow: StationService = {
      ...fixtureService,
      archive: async (id, period) => {
        requested.push((period.stop - period.start) / 86_400_000);
        if ((requested.at(-1) as number) > 10) throw new RefusedError('Too much.', 413);
        return fixtureService.archive(id, period);
      },
    };
    const rows = readingsOf(await collect(fixtureService, start, start + 31 * 86_400_000));
    expect(
      readingsOf(await collect(splitOnTooLarge(narrow), start, start + 31 * 86_400_000)),
    ).toEqual(rows);
    expect(requested).toEqual([31, 15.5, 7.75, 7.75, 15.5, 7.75, 7.75]);
  });

  it('fetchChunks with splitOnTooLarge stops halving when the service refuses even an hour with 413', async () => {
    let requests = 0;
    const refusing: StationService = {
      ...fixtureService,
      archive: async () => {
        requests++;
        throw new RefusedError('Too much.', 413);
      },
    };
    await expect(collect(splitOnTooLarge(refusing), start, start + 86_400_000)).rejects.toThrow(
      'Too much.',
    );
    expect(requests).toBeLessThan(10);
  });

  it('fetchChunks with keepGoing continues after a failure, but soon gives up on an unknown station', async () => {
    const failing: StationService = {
      ...fixtureService,
      archive: async (id, period) => {
        if (period.start === start) throw new UnavailableError('Gone.');
        return fixtureService.archive(id, period);
      },
    };
    await expect(collect(failing, start, stop)).rejects.toThrow('Gone.');
    const [first, second] = await collect(failing, start, stop, true);
    expect(first).toMatchObject({ failure: { message: 'Gone.' } });
    expect(second).toHaveProperty('chunk');

    let requests = 0;
    const unknown: StationService = {
      ...fixtureService,
      archive: async () => {
        requests++;
        throw new NotFoundError('Unknown.');
      },
    };
    const results = await collect(unknown, Date.UTC(2015, 0), stop, true);
    expect(results.every((result) => 'failure' in result)).toBe(true);
    expect(requests).toBeLessThanOrEqual(3);
  });
});

describe('fetchChunks with --concurrency', () => {
  it('fetchChunks with --concurrency never sends more requests at once, and holds at most twice as many chunks for a slow consumer', async () => {
    let [sent, underWay, most] = [0, 0, 0];
    const slow: StationService = {
      ...fixtureService,
      archive: async (id, period) => {
        sent++;
        most = Math.max(most, ++underWay);
        await slot();
        underWay--;
        return fixtureService.archive(id, period);
      },
    };
    const chunks = planChunks({ start: Date.UTC(2023, 0), stop: Date.UTC(2024, 0) });
    const requests = Array.from(chunks, (period) => ({ station: 110, period }));
    const { signal } = new AbortController();
    const results = fetchChunks(slow, requests, { signal, concurrency: 3, keepGoing: false });
    await results.next();
    await expect.poll(() => sent).toBe(7);
    for (let i = 0; i < 20; i++) await slot();
    expect([sent, underWay]).toEqual([7, 0]);
    let rest = 0;
    for await (const _ of results) rest++;
    expect([rest, most]).toEqual([11, 3]);
  });
});

describe('splitOnTooLarge', () => {
  it('splitOnTooLarge joins the rows of both halves of a period that the service refused as too large', async () => {
    const picky: StationService = {
      ...fixtureService,
      archive: async (id, period) => {
        if (period.stop - period.start > 86_400_000) throw new RefusedError('Too much.', 413);
        return fixtureService.archive(id, period);
      },
    };
    const period = { start: NOW - 2 * 86_400_000, stop: NOW };
    const { rows } = await splitOnTooLarge(picky).archive(110, period);
    expect(rows.text).toBe((await fixtureService.archive(110, period)).rows.text);
  });
});
