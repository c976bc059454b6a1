import { setImmediate as slot } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapOrdered } from '../../src/service/ordered.ts';

const never = new AbortController().signal;

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe('mapOrdered', () => {
  it('mapOrdered yields results in order, with no more items at once than its concurrency', async () => {
    const delays = fc.array(fc.nat({ max: 5 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 16 }), async (turns, concurrency) => {
        let underWay = 0;
        let most = 0;
        const map = async (index: number) => {
          most = Math.max(most, ++underWay);
          for (let i = 0; i < (turns[index] as number); i++) await slot();
          underWay--;
          return index;
        };
        const results = mapOrdered(turns.keys(), map, { concurrency, signal: never });
        expect(await collect(results)).toEqual([...turns.keys()]);
        expect(most).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 50 },
    );
  });

  it('mapOrdered starts no more items ahead of its consumer than its concurrency', async () => {
    let begun = 0;
    const items = Array.from({ length: 100 }, (_, i) => i);
    const results = mapOrdered(items, async () => ++begun, { concurrency: 4, signal: never });
    await results.next();
    for (let i = 0; i < 20; i++) await slot();
    expect(begun).toBeLessThanOrEqual(5);
    await results.return(undefined);
  });

  it('mapOrdered throws the first failure, starts no further item and aborts running ones', async () => {
    const failure = new Error('third');
    const begun: number[] = [];
    const aborted: number[] = [];
    const map = async (item: number, signal: AbortSignal) => {
      begun.push(item);
      if (item === 2) throw failure;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(item);
          reject(signal.reason);
        });
      });
    };
    const results = mapOrdered([0, 1, 2, 3, 4, 5], map, { concurrency: 3, signal: never });
    await expect(collect(results)).rejects.toBe(failure);
    expect({ begun, aborted }).toEqual({ begun: [0, 1, 2], aborted: [0, 1] });
  });

  it('mapOrdered throws the reason of its abort signal', async () => {
    const end = new AbortController();
    const map = (_: number, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const results = collect(mapOrdered([1, 2], map, { concurrency: 2, signal: end.signal }));
    const reason = new Error('enough');
    end.abort(reason);
    await expect(results).rejects.toBe(reason);
  });

  it('mapOrdered aborts running items when its consumer stops', async () => {
    let isAborted = false;
    const map = async (item: number, signal: AbortSignal) => {
      if (item === 0) return item;
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return new Promise<number>(() => {});
    };
    const results = mapOrdered([0, 1], map, { concurrency: 2, signal: never });
    await results.next();
    await slot();
    void results.return(undefined);
    await slot();
    expect(isAborted).toBe(true);
  });
});
