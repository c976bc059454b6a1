import { expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import type { StatisticsList } from '../../src/formats/format.ts';
import { renderStatistics } from '../../src/formats/statisticsTable.ts';

it('a table of statistics with over 300,000 rows is refused', async () => {
  const groups = new Array(300_001).fill({ keys: [], summary: {} });
  async function* stations() {
    yield { station: 110, groups };
  }
  const list = { by: ['hour'], stations: stations() } as unknown as StatisticsList;
  const table = renderStatistics(list, {} as Parameters<typeof renderStatistics>[1]);
  const refused = table.next();
  await expect(refused).rejects.toThrow('300,000 rows');
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});
