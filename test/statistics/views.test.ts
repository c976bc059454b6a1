import { expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import type { GroupStatistics } from '../../src/statistics/statistics.ts';
import { readView, type ViewFlags } from '../../src/statistics/views/index.ts';
import type { ViewContext } from '../../src/statistics/views/view.ts';

const GROUPS: readonly GroupStatistics[] = new Array(300_001).fill({
  keys: [],
  summary: {},
  spells: [],
});
const period = { start: 0, stop: 1 };

/** A station with more groups than a table has rows. */
async function* stations() {
  yield { station: 110, name: undefined, period, groups: GROUPS, missing: 0 };
}

const context: ViewContext = {
  by: ['hour'],
  unit: 'kmh',
  zone: 'utc',
  readSpeeds: () => ({ numbers: [5], kmh: [5], unit: 'kmh' }),
  readClasses: () => ({ lowest: [0], kmh: [], isBeaufort: false }),
  readCondition: () => () => true,
  readDurationMs: () => 0,
};

it.each<ViewFlags>([
  {},
  { where: 'avg > 1kn' },
  { where: 'avg > 1kn', spells: true },
  { above: '5' },
])('a table of statistics with over 300,000 rows is refused for the options %j', async (flags) => {
  const table = readView(flags, context).blocks(stations(), () => '');
  const refused = table[Symbol.asyncIterator]().next();
  await expect(refused).rejects.toThrow('300,000 rows');
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});
