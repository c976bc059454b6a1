import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import type { ReadingColumns } from '../../../src/domain/readings/columns.ts';
import { UsageError } from '../../../src/errors.ts';
import { readFrom } from '../../support/fromFiles.ts';
import { exportDays, parquetOf } from '../../support/parquet.ts';

async function read(bytes: Uint8Array, hasPositions = true): Promise<readonly ReadingColumns[]> {
  const stations = await readFrom({ stdin: [bytes], options: { hasPositions } });
  return stations.flatMap(({ columns }) => columns);
}

const fixture = (name: string): Promise<Uint8Array> =>
  Promise.resolve(readFileSync(new URL(name, import.meta.url)));

/** Files of 60 readings of two stations, some without wind, but for vane's own. */
const FILES = {
  'vane archive': async () =>
    parquetOf(await exportDays(110, '2024-01-03T00:00Z', '2024-01-03T01:00Z')),
  // Data pages of version 2: deltas, dictionaries and plain values.
  pyarrow: () => fixture('pyarrow.parquet'),
  DuckDB: () => fixture('duckdb.parquet'),
};

/** Bytes of the file of pyarrow, each with a change of bits at which hyparquet never ends. */
const LOOPS: [place: number, mask: number][] = [
  [99, 62],
  [110, 97],
  [132, 145],
];

describe.each(Object.entries(FILES))('a Parquet file of %s', (name, make) => {
  it(`a Parquet file of ${name} is read whole`, async () => {
    const rows = (await read(await make())).reduce((sum, { count }) => sum + count, 0);
    expect(rows).toBeGreaterThan(9);
  });

  it(`a Parquet file of ${name} yields the same readings without positions where no positions are wanted`, async () => {
    const bytes = await make();
    const blank = (columns: ReadingColumns) => ({
      ...columns,
      latitude: columns.latitude.map(() => Number.NaN),
      longitude: columns.longitude.map(() => Number.NaN),
    });
    expect(await read(bytes, false)).toEqual((await read(bytes)).map(blank));
  });

  it(`a Parquet file of ${name} with one byte changed yields readings or an error about the file, in bounded time and memory`, {
    timeout: 120_000,
  }, async () => {
    const bytes = await make();
    const footer = bytes.length - 8 - Buffer.from(bytes).readUInt32LE(bytes.length - 8);
    const mask = fc.integer({ min: 1, max: 255 });
    const check = async (place: number, mask: number): Promise<void> => {
      const broken = Uint8Array.from(bytes);
      broken[place] = (broken[place] as number) ^ mask;
      await read(broken).catch((error) => {
        expect(error).toBeInstanceOf(UsageError);
        expect(error.message).toMatch(/^stdin[:, ].{5,200}\.$/);
        expect(error.message).not.toMatch(/not a function|argument|Cannot/);
      });
    };
    // Every third byte of the footer, since some thousand reads take seconds.
    for (let place = footer; place < bytes.length; place += 3) await check(place, 0x80);
    const property = fc.asyncProperty(fc.nat(footer - 1), mask, check);
    await fc.assert(property, { numRuns: 300, seed: 27, examples: LOOPS });
    expect(process.resourceUsage().maxRSS).toBeLessThan(1e6);
  });
});

it('a Parquet file in another compression than snappy is refused by the name of the compression', async () => {
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'time', data: [new Date(0)] },
      { name: 'wind_speed_avg', data: [5] },
    ],
    ...{ codec: 'GZIP', compressors: { GZIP: (bytes: Uint8Array) => gzipSync(bytes) } },
  });
  await expect(read(new Uint8Array(file))).rejects.toThrow(
    'stdin is compressed with GZIP; write it again with snappy.',
  );
});

it('a Parquet file is refused if the length in a snappy-compressed page points back to the start of the page', async () => {
  // Literals of one byte, then one of -11 bytes as a signed number, which decoders may follow back.
  const block = [8, 0, 65, 0, 65, 0, 65, 0xfc, 0xf4, 0xff, 0xff, 0xff, 0, 65, 0, 65, 0, 65, 0, 65];
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'time', data: [new Date(0)] },
      { name: 'wind_speed_avg', data: [5] },
    ],
    ...{ codec: 'SNAPPY', compressors: { SNAPPY: () => Uint8Array.from(block) } },
  });
  await expect(read(new Uint8Array(file))).rejects.toThrow('stdin is not a whole Parquet file');
});
