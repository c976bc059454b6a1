import { expect, it } from 'vitest';
import { createAnswerStore } from '../../../src/server/cache/answers.ts';

it('answers requested at the same moment are written one by one, in turns of the event loop', async () => {
  const store = createAnswerStore(1e6, () => 0);
  let inThisTurn = 0;
  let most = 0;
  let isOver = false;
  const beginTurn = (): void => {
    inThisTurn = 0;
    if (!isOver) setImmediate(beginTurn);
  };
  beginTurn();
  const plan = (key: string) => ({
    key,
    load: async () => ({
      ...{ data: {}, askedMs: 0, freshUntilMs: 1000, isStale: false },
      write: () => {
        inThisTurn++;
        most = Math.max(most, inThisTurn);
        return { type: 'text/plain', body: key };
      },
    }),
  });
  const { signal } = new AbortController();
  const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`);
  const answers = await Promise.all(keys.map((key) => store.make(plan(key), signal)));
  isOver = true;
  expect(answers.map(({ answer }) => answer.body.toString())).toEqual(keys);
  // The mark of a new turn may run before or after the answer that is written in it.
  expect(most).toBeLessThanOrEqual(2);
});
