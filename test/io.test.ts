import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { anySignal } from '../src/io.ts';

it('a joined abort signal aborts with the reason of its first source, even of one that has already aborted', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  using joined = anySignal(first.signal, second.signal);
  expect(joined.signal.aborted).toBe(false);
  second.abort('late');
  first.abort('later');
  expect(joined.signal.reason).toBe('late');
  using afterwards = anySignal(new AbortController().signal, second.signal, first.signal);
  expect(afterwards.signal.reason).toBe('late');
});

it('a joined abort signal that is disposed of leaves no listener at a source that lives on', () => {
  const { signal } = new AbortController();
  {
    using joined = anySignal(signal, AbortSignal.timeout(60_000));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(joined.signal.aborted).toBe(false);
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
