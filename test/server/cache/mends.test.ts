import { expect, it } from 'vitest';
import { createMends } from '../../../src/server/cache/mends.ts';

it('The server asks for at most 60 old 31-day chunks again in a minute, for all clients together', () => {
  const clock = { ms: 0 };
  const mends = createMends(() => clock.ms);
  const begun = (name: string) =>
    Array.from({ length: 70 }, (_, i) => mends.begin(`${name} ${i}`)).filter(Boolean).length;
  expect(begun('first')).toBe(60);
  clock.ms += 59_999;
  expect(begun('second')).toBe(0);
  const isCurrent = mends.watch('third');
  expect(isCurrent(true)).toBe(true);
  clock.ms += 1;
  expect(isCurrent(true)).toBe(false);
  expect(begun('third')).toBe(60);
});
