import { describe, expect, it } from 'vitest';
import type { Columns } from '../../src/domain/columns.ts';
import { UsageError } from '../../src/errors.ts';
import { Batches } from '../../src/files/batches.ts';
import { readParquet } from '../../src/files/parquetFile.ts';
import { bufferOf, exportDays, parquetOf } from '../support/parquet.ts';

async function read(bytes: Uint8Array): Promise<Columns[]> {
  const taken: Columns[] = [];
  const batches = new Batches((_, columns) => taken.push(columns));
  const context = { path: 'a.parquet', station: 110, zone: 'utc', batches, note: () => {} };
  await readParquet(bufferOf(bytes), context);
  batches.end();
  return taken;
}

describe('a Parquet file of --from', () => {
  it('with one byte changed gives readings or an error, and never loops for ever', async () => {
    const bytes = await parquetOf(await exportDays(110, '2024-01-03T00:00Z', '2024-01-03T01:00Z'));
    const [whole] = await read(bytes);
    expect(whole?.count).toBeGreaterThan(9);
    const errors = new Set<string>();
    // Every third byte: a read of each takes three seconds.
    for (let place = 0; place < bytes.length; place += 3) {
      const broken = Uint8Array.from(bytes);
      broken[place] = (broken[place] as number) ^ 0x80;
      await read(broken).catch((error) => {
        expect(error).toBeInstanceOf(UsageError);
        errors.add(error.message);
      });
    }
    expect([...errors]).toContain(
      'a.parquet is not a whole Parquet file: a page has an impossible size.',
    );
  });
});
