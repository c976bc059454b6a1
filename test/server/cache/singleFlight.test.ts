import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneWaitingClient, type WaitingClients } from '../../../src/server/cache/queue.ts';
import { singleFlight } from '../../../src/server/cache/singleFlight.ts';

interface Work {
  readonly signal: AbortSignal;
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

/** Shared work that the test ends by hand. */
function setUp() {
  const share = singleFlight<string>();
  const works: Work[] = [];
  const work = ({ signal }: WaitingClients) =>
    new Promise<string>((resolve, reject) => works.push({ signal, resolve, reject }));
  const call = (signal = new AbortController().signal) =>
    share('key', work, oneWaitingClient({ client: 'client', signal }));
  return { works, call };
}

/** Shared work whose only caller has left. */
async function setUpLeft() {
  const { works, call } = setUp();
  const caller = new AbortController();
  const left = call(caller.signal);
  caller.abort();
  await expect(left).rejects.toThrow('aborted');
  return { works, call };
}

it('the abort signal of work that callers share aborts when the last of them has left', async () => {
  const { works, call } = setUp();
  const [one, other] = [new AbortController(), new AbortController()];
  const calls = [call(one.signal), call(other.signal)];
  one.abort(new Error('one left'));
  await expect(calls[0]).rejects.toThrow('one left');
  expect(works[0]?.signal.aborted).toBe(false);
  other.abort(new Error('the other left'));
  await expect(calls[1]).rejects.toThrow('the other left');
  expect(works[0]?.signal.aborted).toBe(true);
  expect(works).toHaveLength(1);
});

it('work that callers share is not aborted while one of the callers has no abort signal', async () => {
  const { works, call } = setUp();
  const caller = new AbortController();
  const calls = [call(), call(caller.signal)];
  caller.abort();
  await expect(calls[1]).rejects.toThrow('aborted');
  works[0]?.resolve('done');
  expect(await calls[0]).toBe('done');
});

it.each([
  ['work that goes on after its callers left is shared by the next caller', true],
  ['work that ends because its callers left is begun again for the next caller', false],
])('%s', async (_, isDone) => {
  const { works, call } = await setUpLeft();
  const next = call();
  if (isDone) works[0]?.resolve('done');
  else works[0]?.reject(works[0].signal.reason);
  await turn();
  works[1]?.resolve('done again');
  expect(await next).toBe(isDone ? 'done' : 'done again');
});

it('a failure of shared work that goes on after its callers left reaches the next caller', async () => {
  const { works, call } = await setUpLeft();
  const next = call();
  works[0]?.reject(new Error('no connection'));
  await expect(next).rejects.toThrow('no connection');
  expect(works).toHaveLength(1);
});
