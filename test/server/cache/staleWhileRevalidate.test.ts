import { expect, it } from 'vitest';
import { staleWhileRevalidate } from '../../../src/server/cache/staleWhileRevalidate.ts';
import { NOW } from '../../support/fixture-service.ts';
import { handClock } from '../../support/hand-clock.ts';

it('cached data are served even if loading them took longer than they may be stale', async () => {
  const clock = handClock();
  let requested = 0;
  const list = staleWhileRevalidate(
    async () => {
      clock.advance(2000);
      return ++requested;
    },
    { ...clock, staleMs: 1000 },
  );
  expect(await list.get()).toMatchObject({ data: 1, requestedMs: NOW, isStale: false });
  clock.advance(60_000);
  expect(await list.get()).toMatchObject({ data: 2, isStale: false });
});
