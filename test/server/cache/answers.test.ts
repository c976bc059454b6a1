import { expect, it } from 'vitest';
import { createAnswerStore } from '../../../src/server/cache/answers.ts';
import { countInTurns } from '../../support/turns.ts';

it('answers requested at the same moment are written one by one, in turns of the event loop', async () => {
  const store = createAnswerStore(1e6, () => 0);
  const turns = countInTurns();
  turns.begin();
  const plan = (key: string) => ({
    key,
    load: async () => ({
      ...{ data: {}, askedMs: 0, freshUntilMs: 1000, isStale: false },
      write: () => {
        turns.count();
        return { type: 'text/plain', body: key };
      },
    }),
  });
  const { signal } = new AbortController();
  const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`);
  const answers = await Promise.all(keys.map((key) => store.make(plan(key), signal)));
  const most = turns.end();
  expect(answers.map(({ answer }) => answer.body.toString())).toEqual(keys);
  expect(most).toBeLessThanOrEqual(2);
});
