import { expect, it } from 'vitest';
import { oneWaitingClient } from '../../../src/server/cache/queue.ts';
import { createResponseCache } from '../../../src/server/cache/responses.ts';
import { countInTurns } from '../../support/turns.ts';

const client = 'client';

it('responses of the server that are requested at the same moment are written one by one, in turns of the event loop', async () => {
  const store = createResponseCache(1e6, () => 0);
  const turns = countInTurns();
  turns.begin();
  const plan = (key: string) => ({
    key,
    load: async () => ({
      ...{ data: {}, requestedMs: 0, freshUntilMs: 1000, isStale: false },
      write: () => {
        turns.count();
        return { type: 'text/plain', body: key };
      },
    }),
  });
  const { signal } = new AbortController();
  const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`);
  const responses = await Promise.all(
    keys.map((key) => store.make(plan(key), oneWaitingClient({ client, signal }))),
  );
  const most = turns.end();
  expect(responses.map(({ response }) => response.body.toString())).toEqual(keys);
  expect(most).toBeLessThanOrEqual(2);
});

it('data of a server without a cache are loaded one after the other, and none for clients that have left', async () => {
  const store = createResponseCache(0, () => 0);
  const gone = new AbortController();
  const loaded: string[] = [];
  let [open, most] = [0, 0];
  const plan = (key: string) => ({
    key,
    load: async () => {
      most = Math.max(most, ++open);
      loaded.push(key);
      const write = () => {
        open--;
        return { type: 'text/plain', body: key };
      };
      return { requestedMs: 0, freshUntilMs: 0, isStale: false, write };
    },
  });
  const stays = new AbortController();
  const made = ['a', 'b', 'c'].map((key) =>
    store.make(plan(key), oneWaitingClient({ client, signal: stays.signal })),
  );
  const left = ['d', 'e'].map((key) =>
    store.make(plan(key), oneWaitingClient({ client, signal: gone.signal })),
  );
  gone.abort(new Error('the client has left'));
  await Promise.allSettled([...made, ...left]);
  await store.make(plan('f'), oneWaitingClient({ client, signal: stays.signal }));
  expect(loaded).toEqual(['a', 'b', 'c', 'f']);
  expect(most).toBe(1);
});
