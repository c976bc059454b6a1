import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Batches, UNKNOWN } from '../../src/files/batches.ts';
import { readFiles } from '../../src/files/readFiles.ts';
import { fakeIo } from '../support/fake-io.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('files that would fill the memory', () => {
  it('may have as many stations as the limit allows, and no more', () => {
    const taken: number[] = [];
    const batches = new Batches((station) => taken.push(station), undefined, 3);
    const add = (station: number) => batches.add(station, { ...UNKNOWN, time: 0 }, undefined);
    for (const station of [1, 2, 3, 1]) add(station);
    expect(() => add(4)).toThrow(/ 3 stations/);
    batches.end();
    expect(taken).toEqual([1, 2, 3]);
  });

  it('cannot be a Parquet file in gzip that is larger than the limit', async () => {
    const path = join(folder, 'zeros.parquet.gz');
    // gzip may have several members: the first bytes of the file, then as many zeros as it may have.
    await writeFile(path, Buffer.concat([gzipSync('PAR1'), gzipSync(Buffer.alloc(2 ** 20))]));
    const verbosity = { timeoutMs: 5000, retries: 0, isQuiet: true, isVerbose: false } as const;
    const request = {
      ...{ paths: [path], stationWords: [], stations: [110], bounds: {}, notes: [] },
      output: undefined,
      verbosity: { ...verbosity, cache: 'none' as const },
    };
    const options = { zone: 'utc', note: () => {}, isOrdered: false, hasPositions: false };
    const read = readFiles(
      request,
      { ...options, maxParquetBytes: 2 ** 20, take: () => {} },
      fakeIo(),
    );
    await expect(read).rejects.toThrow(/zeros\.parquet\.gz .* 1 MiB /);
  });
});
