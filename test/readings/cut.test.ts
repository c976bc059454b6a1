import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutByKey } from '../../src/readings/cut.ts';

/** A sequence that tells how many of its items were taken, and whether it was closed. */
function watched<T>(items: readonly T[]) {
  const state = { taken: 0, isClosed: false };
  async function* sequence(): AsyncGenerator<T> {
    try {
      for (const item of items) {
        state.taken++;
        yield item;
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, sequence: sequence() };
}

type Item = readonly [key: string, number: number];
const keyOf = ([key]: Item): string => key;
const anyItems = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()));

/** Each run of items with one key, as a key and its items. */
function runsOf(items: readonly Item[]) {
  const runs: { key: string; items: Item[] }[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last?.key === keyOf(item)) last.items.push(item);
    else runs.push({ key: keyOf(item), items: [item] });
  }
  return runs;
}

describe('cut', () => {
  it('cut makes a part of each run of items with one key, and the joined parts are the sequence', async () => {
    await fc.assert(
      fc.asyncProperty(anyItems, async (items) => {
        const { state, sequence } = watched(items);
        const parts: { key: string; items: Item[] }[] = [];
        for await (const part of cutByKey(sequence, keyOf)) {
          const own: Item[] = [];
          for await (const item of part.items) own.push(item);
          parts.push({ key: part.key, items: own });
        }
        expect(parts).toEqual(runsOf(items));
        expect(parts.every(({ key }, i) => key !== parts[i - 1]?.key)).toBe(true);
        expect(parts.flatMap((part) => part.items)).toEqual(items);
        expect(state).toEqual({ taken: items.length, isClosed: true });
      }),
    );
  });

  it('cut skips the items of a part that its consumer does not read', async () => {
    const anyReads = fc.array(fc.record({ count: fc.nat(4), isClosed: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(anyItems, anyReads, async (items, reads) => {
        const found: { key: string; items: Item[] }[] = [];
        for await (const part of cutByKey(watched(items).sequence, keyOf)) {
          const { count, isClosed } = reads[found.length] ?? { count: 0, isClosed: false };
          const own: Item[] = [];
          while (own.length < count) {
            const next = await part.items.next();
            if (next.done) break;
            own.push(next.value);
          }
          if (isClosed) await part.items.return(undefined);
          found.push({ key: part.key, items: own });
        }
        const expected = runsOf(items).map((run, i) => {
          return { ...run, items: run.items.slice(0, reads[i]?.count ?? 0) };
        });
        expect(found).toEqual(expected);
      }),
    );
  });

  it('cut requests an item only when it is read, and one more to find the end of a part', async () => {
    const { state, sequence } = watched<Item>([
      ['a', 1],
      ['a', 2],
      ['b', 3],
    ]);
    const parts = cutByKey(sequence, keyOf);
    const { items } = (await parts.next()).value ?? {};
    expect(state.taken).toBe(1);
    await items?.next();
    expect(state.taken).toBe(1);
    await items?.next();
    expect(state.taken).toBe(2);
    expect(await items?.next()).toEqual({ done: true, value: undefined });
    expect(state.taken).toBe(3);
    expect((await parts.next()).value?.key).toBe('b');
    expect(state.taken).toBe(3);
  });

  it('cut closes the sequence as soon as its consumer stops, between parts or within a part', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()), { minLength: 1 }),
        fc.nat(),
        fc.boolean(),
        async (items, place, isThrown) => {
          const { state, sequence } = watched<Item>(items);
          const stopAt = place % items.length;
          let read = 0;
          const consume = async (): Promise<void> => {
            for await (const part of cutByKey(sequence, keyOf)) {
              for await (const _ of part.items) {
                if (read++ < stopAt) continue;
                if (isThrown) throw new Error('The disk is full.');
                return;
              }
            }
          };
          if (isThrown) await expect(consume()).rejects.toThrow('The disk is full.');
          else await consume();
          expect(state).toEqual({ taken: stopAt + 1, isClosed: true });
        },
      ),
    );
    const { state, sequence } = watched<Item>([
      ['a', 1],
      ['b', 2],
    ]);
    for await (const _ of cutByKey(sequence, keyOf)) break;
    expect(state).toEqual({ taken: 1, isClosed: true });
  });

  it('cut passes on a failure of the sequence, after the items before it', async () => {
    async function* failing(): AsyncGenerator<Item> {
      yield ['a', 1];
      throw new Error('The service is down.');
    }
    const read: Item[] = [];
    await expect(async () => {
      for await (const { items } of cutByKey(failing(), keyOf)) {
        for await (const item of items) read.push(item);
      }
    }).rejects.toThrow('The service is down.');
    expect(read).toEqual([['a', 1]]);
    let parts = 0;
    await expect(async () => {
      for await (const _ of cutByKey(failing(), keyOf)) parts++;
    }).rejects.toThrow('The service is down.');
    expect(parts).toBe(1);
  });

  it('cut can cut a part again into parts that end where the part ends', async () => {
    const pairs = fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(1, 2));
    await fc.assert(
      fc.asyncProperty(fc.array(pairs), async (items) => {
        const found: string[] = [];
        for await (const outer of cutByKey(watched<Item>(items).sequence, keyOf)) {
          for await (const inner of cutByKey(outer.items, ([, number]) => number)) {
            let count = 0;
            for await (const _ of inner.items) count++;
            found.push(`${outer.key}${inner.key} ${count}`);
          }
        }
        const runs = runsOf(items.map(([key, number]) => [`${key}${number}`, number]));
        expect(found).toEqual(runs.map(({ key, items }) => `${key} ${items.length}`));
      }),
    );
  });
});
